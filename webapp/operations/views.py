"""The operators' page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from webapp.errors import NotAllowed
from webapp.operations import selectors
from webapp.pages.http import person


@login_required
@require_GET
@never_cache
def graders(request: HttpRequest) -> HttpResponse:
    """Which graders there are, how they are, and what waits for them."""
    if not person(request).is_superuser:
        raise NotAllowed("This page is for operators.")
    rows = selectors.graders()
    context = {
        "graders": rows,
        "troubled": [row for row in rows if row.report is not None and row.report.failed],
        "queues": selectors.queues(rows),
        "nav": "graders",
    }
    return render(request, "operations/graders.html", context)
