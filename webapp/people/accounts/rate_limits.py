"""Rate limits by network: failed sign-ins, guessed codes, mail asked for, visitors' games.

django-axes counts the failures of one account. These limits also stop an attacker who changes the
name with every attempt. They are high, since a whole university may share one address, and never
turn away a browser that has signed in to the same account before
(https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Final

from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from webapp.people.accounts.models import FormAttempt, User
from webapp.people.accounts.throttling import client_address

_COOKIE: Final = "firebox_known"
_COOKIE_AGE: Final = timedelta(days=200)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    kind: FormAttempt.Kind
    max_attempts: int
    window: timedelta
    account_field: str = ""
    """The form's field that names an account; a browser known to that account is not limited."""


_SIGN_IN: Final = RateLimit(
    kind=FormAttempt.Kind.SIGN_IN,
    max_attempts=200,
    window=timedelta(minutes=15),
    account_field="username",
)
_REGISTER: Final = RateLimit(
    kind=FormAttempt.Kind.REGISTER, max_attempts=200, window=timedelta(hours=1)
)
_RESET: Final = RateLimit(
    kind=FormAttempt.Kind.RESET,
    max_attempts=60,
    window=timedelta(hours=1),
    account_field="email",
)
_PLAY: Final = RateLimit(kind=FormAttempt.Kind.PLAY, max_attempts=200, window=timedelta(hours=1))
_EACH_COUNTS: Final = (_RESET, _PLAY)
RATE_LIMITS: Final[Mapping[str, RateLimit]] = {
    "accounts:sign_in": _SIGN_IN,
    "accounts:operator_sign_in": _SIGN_IN,
    "accounts:register": _REGISTER,
    "accounts:register_with_provider": _REGISTER,
    "openid_connect_callback": _SIGN_IN,
    "lti:launch": _SIGN_IN,
    "saml_acs": _SIGN_IN,
    "saml_finish_acs": _SIGN_IN,
    "mfa_authenticate": _SIGN_IN,
    "accounts:password_reset": _RESET,
    "playing:visitor_new": _PLAY,
    "playing:visitor_again": _PLAY,
}
"""The limits by the URL name of the form."""
_ANSWERS: Final = frozenset({"openid_connect_callback", "saml_finish_acs"})
"""Addresses to which browsers bring a provider's answer, by GET too."""


def rate_limits(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer the forms of a network that has sent too many with 429."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if (email := getattr(request, "signed_in_as", None)) is not None:
            _remember(response, email, is_secure=request.is_secure())
        return response

    def process_view(request: HttpRequest, *_: Any) -> HttpResponse | None:
        match = request.resolver_match
        name = match.view_name if match else ""
        limit = RATE_LIMITS.get(name)
        if limit is None or (request.method != "POST" and name not in _ANSWERS):
            return None
        minutes = _minutes_to_wait(request, limit)
        if minutes and not _is_known(request, limit):
            return render(request, "429.html", {"minutes": minutes}, status=429)
        if limit in _EACH_COUNTS:
            _note(request, limit)
        return None

    middleware.process_view = process_view  # type: ignore[attr-defined]  # as Django has it
    return middleware


def note_wrong_code(request: HttpRequest) -> None:
    """Count a registration whose invite code opens no course."""
    _note(request, _REGISTER)


def note_failed_sign_in(request: HttpRequest) -> None:
    """Count a failed sign-in with a provider."""
    _note(request, _SIGN_IN)


def _is_known(request: HttpRequest, limit: RateLimit) -> bool:
    """Return whether this browser has signed in before to the account that the form names."""
    if not limit.account_field:
        return False
    account = request.POST.get(limit.account_field, "")
    return constant_time_compare(request.COOKIES.get(_COOKIE, ""), _token(account))


def _token(email: str) -> str:
    """Keyed, so that the cookie does not reveal the address."""
    return salted_hmac(_COOKIE, User.objects.normalize_email(email), algorithm="sha256").hexdigest()


def _remember(response: HttpResponse, email: str, *, is_secure: bool) -> None:
    response.set_cookie(
        _COOKIE,
        _token(email),
        max_age=_COOKIE_AGE,
        secure=is_secure,
        httponly=True,
        samesite="Lax",
    )


def _minutes_to_wait(request: HttpRequest, limit: RateLimit) -> int:
    now = timezone.now()
    recent = FormAttempt.objects.filter(
        kind=limit.kind, network=client_address(request), at__gt=now - limit.window
    )
    times = list(recent.order_by("-at").values_list("at", flat=True)[: limit.max_attempts])
    if len(times) < limit.max_attempts:
        return 0
    return max(1, ceil((times[-1] + limit.window - now) / timedelta(minutes=1)))


def _note(request: HttpRequest, limit: RateLimit) -> None:
    now, network = timezone.now(), client_address(request)
    FormAttempt.objects.filter(kind=limit.kind, at__lte=now - limit.window).delete()
    FormAttempt.objects.create(kind=limit.kind, network=network, at=now)


@receiver(user_login_failed)
def _note_failure(request: HttpRequest | None = None, **_: Any) -> None:
    if request is not None:
        _note(request, _SIGN_IN)


@receiver(user_logged_in)
def _note_success(request: HttpRequest | None, user: User, **_: Any) -> None:
    if request is not None:
        request.signed_in_as = user.email  # type: ignore[attr-defined]  # for the middleware
