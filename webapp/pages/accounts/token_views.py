"""Views of access tokens, which the profile page lists."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from webapp.pages.accounts.confirmation import confirmed_recently
from webapp.pages.confirming import Question, ask
from webapp.pages.http import current_user, run_with_message, signed_in
from webapp.people.accounts.models import AccessToken
from webapp.people.accounts.tokens import create_token, revoke_token, valid_tokens


@signed_in("GET", "POST")
@never_cache
def create(request: HttpRequest) -> HttpResponse:
    """Create a token for a person who confirms that it is them.

    The page that asks them leads here without a form if it was sent twice.
    """
    return _create(request) if request.method == "POST" else redirect("accounts:profile")


@confirmed_recently
def _create(request: HttpRequest) -> HttpResponse:
    """Create a token and show it, this once."""
    token = run_with_message(
        request,
        lambda: create_token(
            user=current_user(request),
            name=request.POST.get("name", ""),
            scope=request.POST.get("scope", AccessToken.Scope.UPLOAD),
            at=timezone.now(),
        ),
    )
    if token is None:
        return redirect("accounts:profile")
    context = {"token": token, "site_url": settings.SITE_URL, "nav": "profile"}
    return render(request, "accounts/token.html", context)


@signed_in("GET", "POST")
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a token of this user, once it was asked for a second time."""
    if request.method != "POST":
        tokens = valid_tokens(current_user(request), at=timezone.now())
        return ask(request, _question(get_object_or_404(tokens, pk=pk)))
    revoke_token(user=current_user(request), pk=pk)
    messages.success(request, "Token revoked.")
    return redirect("accounts:profile")


def _question(token: AccessToken) -> Question:
    return Question(
        title=f"Revoke the token “{token.name}”?",
        effects=(
            "Programs that use it can no longer upload or read anything for you.",
            "You can create another one and give it to them.",
        ),
        button="Revoke token",
        back=reverse("accounts:profile"),
        nav="profile",
    )
