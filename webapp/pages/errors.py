"""Error pages: what happened, whose fault it is, what to do now."""

import logging
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve

from grader.core.errors import SystemFault
from webapp.base.errors import NotAllowed, Refused

logger = logging.getLogger(__name__)


_UNIQUE_VIOLATION: Final = "23505"
"""PostgreSQL's code, from its appendix A."""
_TAKEN_AT_ONCE: Final = (
    "The same was saved at the same moment, perhaps by a second click of yours. Go back, and look"
    " at how it stands before you try again."
)


class RefusalsAsPages:
    """Middleware: an error that a service raised on purpose becomes a page.

    NotAllowed (403), Refused (409: forms of an archived course), SystemFault (503: our store does
    not answer), and OperationalError (503: the database is busy or away). Also one that a second
    request at the same moment caused (409).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Other exceptions are left to Django."""
        if isinstance(error, NotAllowed):
            return forbidden(request, error)
        if isinstance(error, Refused):
            return render(request, "409.html", {"reason": str(error)}, status=409)
        if _is_taken_at_once(error):
            logger.warning("%s %s: at the same moment: %s", request.method, request.path, error)
            return render(request, "409.html", {"reason": _TAKEN_AT_ONCE}, status=409)
        if isinstance(error, OperationalError):
            logger.error("%s %s: the database: %s", request.method, request.path, error)
            return busy()
        if isinstance(error, SystemFault):
            logger.error("%s %s: %s", request.method, request.path, error)
            return render(request, "503.html", status=503)
        return None


def _is_taken_at_once(error: Exception) -> bool:
    """Return whether PostgreSQL refused a value that was free when the service looked."""
    sqlstate = getattr(error.__cause__, "sqlstate", "")
    return isinstance(error, IntegrityError) and sqlstate == _UNIQUE_VIOLATION


def back_to_its_page(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: a GET of an address that only takes forms leads to the page that it belongs to.

    Who was signed out while filling in a form comes to such an address after signing in again.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        allowed = response.headers.get("Allow", "GET")
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or "GET" in allowed:
            return response
        if request.method not in {"GET", "HEAD"}:
            return response
        messages.warning(request, "Nothing was sent. Please fill in the form here again.")
        return redirect(_page_above(request.path))

    return middleware


def polls_stay(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: answer htmx without a session with 401 instead of a redirect to sign in.

    Also instead of 404: boards are not found by who may not see them.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if "HX-Request" in request.headers and _needs_session(request, response):
            return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
        return response

    return middleware


def _needs_session(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether somebody who is signed in might have got another answer."""
    if response.status_code == HTTPStatus.NOT_FOUND:
        return not request.user.is_authenticated
    leads_to = response.headers.get("Location", "")
    return bool(leads_to) and leads_to.startswith(resolve_url(settings.LOGIN_URL))


def _page_above(path: str) -> str:
    """The nearest address above that is one of the site's."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        try:
            resolve(path)
        except Resolver404:
            continue
        return path
    return "/"


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403: signed in, but not entitled."""
    reason = str(exception) if isinstance(exception, NotAllowed) else ""
    return render(request, "403.html", {"reason": reason}, status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404, also for what exists but not for this person: addresses give nothing away."""
    del exception
    return render(request, "404.html", status=404)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400: the request could not be read."""
    del exception
    return render(request, "400.html", status=400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form was too old, or not ours."""
    del reason
    return render(request, "403_csrf.html", status=403)


def busy() -> HttpResponse:
    """503: the database is locked by others, or away. A minute later it may not be."""
    html = render_to_string("busy.html")
    return HttpResponse(html, status=503, headers={"Retry-After": "30"})


def server_error(request: HttpRequest) -> HttpResponse:
    """500, rendered without database or session; 503 if the database did not answer in time."""
    del request
    if isinstance(sys.exc_info()[1], OperationalError):
        return busy()
    return HttpResponse(render_to_string("500.html"), status=500)
