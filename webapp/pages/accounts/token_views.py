"""Views of access tokens, which the profile page lists."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from webapp.accounts.tokens import create_token, revoke_token
from webapp.pages.http import current_user, run_with_message


@login_required
@require_POST
@never_cache
def create(request: HttpRequest) -> HttpResponse:
    """Create a token and show it, this once."""
    token = run_with_message(
        request,
        lambda: create_token(
            user=current_user(request), name=request.POST.get("name", ""), at=timezone.now()
        ),
    )
    if token is None:
        return redirect("accounts:profile")
    context = {"token": token, "site_url": settings.SITE_URL, "nav": "profile"}
    return render(request, "accounts/token.html", context)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a token of this user. A second click on the same button changes nothing."""
    revoke_token(user=current_user(request), pk=pk)
    messages.success(request, "Token revoked.", "good")
    return redirect("accounts:profile")
