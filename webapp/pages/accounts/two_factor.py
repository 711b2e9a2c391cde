"""Middleware that has staff set up two-factor sign-in before anything else, if operators say so."""

from collections.abc import Callable
from typing import Any, Final

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from webapp.people.accounts.models import User
from webapp.people.accounts.two_factor import has_two_factor
from webapp.teaching.courses.permissions import is_staff_anywhere

_OPEN: Final = frozenset(
    {
        "accounts:sign_out",
        "account_reauthenticate",
        "healthz",
        "metrics",
        "mfa_activate_totp",
        "mfa_reauthenticate",
        "readyz",
    }
)
"""Names of the pages that staff without a second factor can open."""


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # ships no types
    """Hooks of django-allauth for second factors."""

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """Refuse to remove a factor that the site requires."""
        return not is_demanded_of(authenticator.user)


def is_demanded_of(user: User) -> bool:
    """Return whether the site demands a second factor of this user."""
    return bool(settings.STAFF_TWO_FACTOR) and is_staff_anywhere(user)


def staff_two_factor(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: lead staff without a second factor to the page that sets one up."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_view(request: HttpRequest, *_: Any) -> HttpResponse | None:
        match = request.resolver_match
        if (match and match.view_name in _OPEN) or not _must_set_up(request):
            return None
        text = "Staff of this site sign in with a second factor: set it up first."
        messages.warning(request, text)
        return redirect("mfa_activate_totp")

    middleware.process_view = process_view  # type: ignore[attr-defined]  # as Django has it
    return middleware


def _must_set_up(request: HttpRequest) -> bool:
    user = request.user
    if not settings.STAFF_TWO_FACTOR or not isinstance(user, User):
        return False
    return not has_two_factor(user) and is_staff_anywhere(user)
