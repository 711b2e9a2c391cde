"""Middleware for all requests: whose headers to believe, a bound on size, a name, the policy."""

import logging
import re
import secrets
from collections.abc import Callable
from functools import lru_cache
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from webapp.base.logs import identified

logger = logging.getLogger(__name__)

FORM_BYTES = 64 << 10
"""Room for what surrounds a file in a form."""

IMPORT_PATH = "/import-course/"
_UPLOAD_PATHS = ("/upload/", "/submissions")
"""Ends of the addresses that take an agent's archive: the page's and the API's."""
"""The one page that takes larger files: courses that another site wrote."""

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self';"
    " form-action 'self'; frame-ancestors 'none'"
)
"""No inline script, no inline style, no foreign address: script that a student's text could smuggle
into a page cannot run."""


_PROXY_HEADERS = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_REQUEST_ID")


def forwarded_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Drop the headers that only our proxies may set, unless one of them sent the request.

    A client that reaches the site directly could claim any address, and https.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        sender = request.META.get("REMOTE_ADDR", "")
        if not settings.PROXIES or not _is_proxy(sender):
            dropped = [request.META.pop(name, None) for name in _PROXY_HEADERS]
            if settings.PROXIES and any(dropped):
                _warn_of(sender)
        return get_response(request)

    return middleware


@lru_cache(maxsize=100)
def _warn_of(address: str) -> None:
    """Log, once for each address, that it is not believed: a proxy's may be missing in settings."""
    logger.warning(
        "dropped the forwarded headers of %s: if that is your proxy, add it to"
        " FIREBOX_PROXY_NETWORKS",
        address,
    )


def _is_proxy(address: str) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:  # a server on a Unix socket names no address
        return False
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    return any(parsed in network for network in settings.PROXY_NETWORKS)


def request_id(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request a name, which its lines in the log and the response carry.

    A proxy of ours may have named it already.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        name = given if re.fullmatch(r"[\w-]{8,64}", given) else secrets.token_hex(8)
        with identified(request=name):
            response = get_response(request)
        response.headers["X-Request-ID"] = name
        return response

    return middleware


def content_security_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Add the policy to every response that does not bring its own."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        return response

    return middleware


def _most_bytes(path: str) -> int:
    if path == IMPORT_PATH:
        return settings.MAX_IMPORT_BYTES
    if path.endswith(_UPLOAD_PATHS):
        return max(settings.MAX_UPLOAD_BYTES, settings.MAX_ARCHIVE_BYTES)
    return settings.MAX_UPLOAD_BYTES


def request_size_limit(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse requests that are larger than any upload may be, before reading a byte."""

    def middleware(request: HttpRequest) -> HttpResponse:
        declared = request.META.get("CONTENT_LENGTH") or "0"
        most = _most_bytes(request.path_info)
        if declared.isdecimal() and int(declared) > most + FORM_BYTES:
            html = render_to_string("413.html", {"most": most})
            return HttpResponse(html, status=413)
        return get_response(request)

    return middleware
