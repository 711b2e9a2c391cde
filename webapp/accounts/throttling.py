"""Whose failed attempts to sign in are counted together: django-axes asks here."""

from collections.abc import Mapping
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

from webapp.accounts.models import User


def account_name(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> str:
    """The account somebody tries to enter, spelled as we keep it: capitals are no second chance."""
    name = (credentials or {}).get("username") or request.POST.get("username", "")
    return User.objects.normalize_email(name)


def client_address(request: HttpRequest) -> str:
    """Return the network of a request, behind as many proxies of ours as the settings say.

    Each proxy appends the address it sees to X-Forwarded-For; what stands before those entries was
    written by the client, who may write anything.
    """
    direct = str(request.META.get("REMOTE_ADDR", ""))
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if not 0 < settings.PROXIES <= len(seen):
        return _network(direct)
    return _network(seen[-settings.PROXIES] or direct)


def _network(address: str) -> str:
    """The address, of version 6 its network of 2^64: a single host has all of those to itself."""
    try:
        parsed = ip_address(address)
    except ValueError:  # a proxy that writes names
        return address
    if parsed.version == 4:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((int(parsed) >> 64 << 64, 64)).network_address)
