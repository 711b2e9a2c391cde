"""The operators' page."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from webapp.errors import NotAllowed, Refused
from webapp.evaluations import broker
from webapp.operations import selectors
from webapp.pages.http import person


@login_required
@require_GET
@never_cache
def graders(request: HttpRequest) -> HttpResponse:
    """Which graders there are, how they are, and what waits for them."""
    _require_operator(request)
    rows = selectors.graders()
    context = {
        "graders": rows,
        "troubled": [row for row in rows if row.report is not None and row.report.failed],
        "queues": selectors.queues(rows),
        "aside": selectors.aside(),
        "nav": "graders",
    }
    return render(request, "operations/graders.html", context)


@login_required
@require_POST
def forget_aside(request: HttpRequest) -> HttpResponse:
    """Delete the rejected messages."""
    _require_operator(request)
    try:
        broker.forget_aside()
    except broker.BrokerError as error:
        raise Refused("The broker does not answer. Try again when it is back.") from error
    messages.success(request, "Rejected messages deleted.")
    return redirect("operations:graders")


def _require_operator(request: HttpRequest) -> None:
    if not person(request).is_superuser:
        raise NotAllowed("This page is for operators.")
