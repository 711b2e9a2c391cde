"""Whose failed attempts to sign in are counted together: django-axes asks here."""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest

from webapp.accounts.models import User


def account_name(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> str:
    """The account somebody tries to enter, spelled as we keep it: capitals are no second chance."""
    name = (credentials or {}).get("username") or request.POST.get("username", "")
    return User.objects.normalize_email(name)


def client_address(request: HttpRequest) -> str:
    """Where a request comes from, behind as many proxies of ours as the settings say.

    Each proxy appends the address it sees to X-Forwarded-For; what stands before those entries was
    written by the client, who may write anything.
    """
    direct = str(request.META.get("REMOTE_ADDR", ""))
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if not 0 < settings.PROXIES <= len(seen):
        return direct
    return seen[-settings.PROXIES] or direct
