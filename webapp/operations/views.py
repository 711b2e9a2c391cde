"""The operators' page."""

from contextlib import suppress

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from webapp.errors import NotAllowed, Refused
from webapp.evaluations import broker
from webapp.graders import services as keys
from webapp.graders.models import GraderKey
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
        "keys": GraderKey.objects.select_related("admitted_by"),
        "queues": selectors.queues(rows),
        "aside": selectors.aside(),
        "nav": "graders",
    }
    return render(request, "operations/graders.html", context)


@login_required
@require_POST
def admit(request: HttpRequest, key: int) -> HttpResponse:
    """Believe a grader from now on."""
    _require_operator(request)
    found = get_object_or_404(GraderKey, pk=key)
    keys.admit(found, by=person(request), at=timezone.now())
    with suppress(broker.BrokerError):  # it is said again with every look for lost messages
        broker.admit([found.public_key])
    messages.success(request, f"{found.name} is admitted. It takes work within seconds.", "good")
    return redirect("operations:graders")


@login_required
@require_POST
def dismiss(request: HttpRequest, key: int) -> HttpResponse:
    """Believe a grader no longer."""
    _require_operator(request)
    found = get_object_or_404(GraderKey, pk=key)
    keys.dismiss(found)
    with suppress(broker.BrokerError):  # what it reports is refused all the same
        broker.dismiss(found.public_key)
    messages.success(request, f"{found.name} is dismissed. Nothing it reports is believed.")
    return redirect("operations:graders")


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
