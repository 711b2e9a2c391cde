"""Acts that need more than a session, which may be open where another person sits down."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from webapp.pages.http import current_user
from webapp.people.accounts.models import User
from webapp.people.accounts.sign_in import may_use_password, providers_of
from webapp.people.accounts.two_factor import has_two_factor

_OPEN_AGAIN: Final = (
    "You signed in too long ago for this. Open this site from your learning platform again, then"
    " repeat what you did."
)

View = Callable[..., HttpResponse]


def confirmed_recently(view: View) -> View:
    """Decorate a view of signed-in people: ask for the password or a code first.

    The request goes on once the answer is right. Accounts that have neither sign in again with
    their provider or platform, and repeat the request.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        user = current_user(request)
        if _can_confirm_here(user):
            if not did_recently_reauthenticate(request):
                raise ReauthenticationRequired
        elif not _signed_in_recently(request, user):
            return _lead_to_provider(request, user)
        return view(request, *arguments, **named)

    return guarded


def _can_confirm_here(user: User) -> bool:
    return (may_use_password(user) and user.has_usable_password()) or has_two_factor(user)


def _signed_in_recently(request: HttpRequest, user: User) -> bool:
    records = get_authentication_records(request, user)
    latest = max((record["at"] for record in records), default=0.0)
    return bool(time.time() - latest < app_settings.REAUTHENTICATION_TIMEOUT)


def _lead_to_provider(request: HttpRequest, user: User) -> HttpResponse:
    """Lead to the person's provider, which is asked not to rely on a session of its own."""
    provider = next(iter(providers_of(user)), None)
    if provider is None:
        messages.error(request, _OPEN_AGAIN)
        return redirect("accounts:profile")
    messages.warning(request, f"Sign in with {provider.name} again, then repeat what you did.")
    query = {"next": reverse("accounts:profile"), "auth_params": "prompt=login"}
    return redirect(f"{reverse(provider.login_view, args=[provider.id])}?{urlencode(query)}")
