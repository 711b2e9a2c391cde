"""Ceilings by address: how often a network may guess, register, and ask for mail.

Failures of one account are counted by django-axes; who changes the name with every attempt comes up
against these. They are high, for a whole university may come from one address.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Final

from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from webapp.accounts.models import Attempt
from webapp.accounts.throttling import client_address

__all__ = ["CEILINGS", "Ceiling", "ceilings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """So many attempts of a kind within this time."""

    kind: Attempt.Kind
    most: int
    within: timedelta


_SIGN_IN: Final = Ceiling(kind=Attempt.Kind.SIGN_IN, most=200, within=timedelta(minutes=15))
"""Of these only failures count."""
CEILINGS: Final[Mapping[str, Ceiling]] = {
    "accounts:sign_in": _SIGN_IN,
    "admin:login": _SIGN_IN,
    "accounts:register": Ceiling(kind=Attempt.Kind.REGISTER, most=500, within=timedelta(hours=1)),
    "accounts:password_reset": Ceiling(kind=Attempt.Kind.RESET, most=60, within=timedelta(hours=1)),
}
"""By the name of the address that takes the form."""


def ceilings(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: turn away the forms of a network that has sent too many (429)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_view(request: HttpRequest, *_: Any) -> HttpResponse | None:
        match = request.resolver_match
        ceiling = CEILINGS.get(match.view_name) if match and request.method == "POST" else None
        if ceiling is None:
            return None
        if minutes := _minutes_to_wait(request, ceiling):
            return render(request, "429.html", {"minutes": minutes}, status=429)
        if ceiling is not _SIGN_IN:
            _note(request, ceiling)
        return None

    middleware.process_view = process_view  # type: ignore[attr-defined]  # as Django has it
    return middleware


def _minutes_to_wait(request: HttpRequest, ceiling: Ceiling) -> int:
    """0 if one more attempt is allowed."""
    now = timezone.now()
    recent = Attempt.objects.filter(
        kind=ceiling.kind, address=client_address(request), at__gt=now - ceiling.within
    )
    times = list(recent.order_by("-at").values_list("at", flat=True)[: ceiling.most])
    if len(times) < ceiling.most:
        return 0
    return max(1, ceil((times[-1] + ceiling.within - now) / timedelta(minutes=1)))


def _note(request: HttpRequest, ceiling: Ceiling) -> None:
    now, address = timezone.now(), client_address(request)
    Attempt.objects.filter(kind=ceiling.kind, at__lte=now - ceiling.within).delete()
    Attempt.objects.create(kind=ceiling.kind, address=address, at=now)


@receiver(user_login_failed)
def _note_failure(request: HttpRequest | None = None, **_: Any) -> None:
    if request is not None:
        _note(request, _SIGN_IN)
