"""The flags of an evaluation's replay audit: staff mark them as seen."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from webapp.evaluations.models import Audit
from webapp.pages.evaluations.views import visible_evaluation
from webapp.pages.flags import ask_about_flags


@login_required
@require_http_methods(["GET", "POST"])
def flags(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Mark the flags as seen, or as not seen again, after a question with a note."""
    evaluation = visible_evaluation(request, uuid)
    return ask_about_flags(
        request,
        Audit.objects.filter(evaluation=evaluation).select_related("seen_by").first(),
        agent=evaluation.agent_name,
        assignment=evaluation.assignment,
        back=reverse("evaluations:evaluation", args=[uuid]),
    )
