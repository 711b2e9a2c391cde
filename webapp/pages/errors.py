"""Error pages: what happened, whose fault it is, what to do now."""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from grader.errors import SystemFault
from webapp.errors import NotAllowed

logger = logging.getLogger(__name__)

__all__ = [
    "RefusalsAsPages",
    "bad_request",
    "csrf_failure",
    "forbidden",
    "not_found",
    "server_error",
]


class RefusalsAsPages:
    """Middleware: what whatever service a view called raised on purpose becomes a page.

    NotAllowed (403), and SystemFault (503): our store does not answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Nothing to do while all goes well."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Other exceptions are left to Django."""
        if isinstance(error, NotAllowed):
            return forbidden(request, error)
        if isinstance(error, SystemFault):
            logger.error("%s %s: %s", request.method, request.path, error)
            return render(request, "503.html", status=503)
        return None


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403: signed in, but not entitled."""
    said = str(exception) if isinstance(exception, NotAllowed) else ""
    return render(request, "403.html", {"said": said}, status=403)


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


def server_error(request: HttpRequest) -> HttpResponse:
    """500, rendered without database or session: those may be what broke."""
    del request
    return HttpResponse(render_to_string("500.html"), status=500)
