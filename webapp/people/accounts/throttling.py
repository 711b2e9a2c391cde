"""The account and the network by which attempts are counted, also by django-axes."""

from collections.abc import Mapping
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

from webapp.people.accounts.models import User


def account_name(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> str:
    """Return the account of a sign-in, in lower case: capitals are no second chance."""
    name = (credentials or {}).get("username") or request.POST.get("username", "")
    return User.objects.normalize_email(name)


def client_address(request: HttpRequest) -> str:
    """Return the network of a request that came through ``settings.PROXIES`` proxies of ours.

    Each proxy appends the address it sees to X-Forwarded-For. Earlier entries are the client's own,
    and may say anything.
    """
    direct = str(request.META.get("REMOTE_ADDR", ""))
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if not 0 < settings.PROXIES <= len(seen):
        return _network(direct)
    return _network(seen[-settings.PROXIES] or direct)


def _network(address: str) -> str:
    """Return an IPv4 address as it is, and of an IPv6 address its /64, which one host may own."""
    try:
        parsed = ip_address(address)
    except ValueError:  # a proxy that writes names
        return address
    if parsed.version == 4:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((int(parsed) >> 64 << 64, 64)).network_address)
