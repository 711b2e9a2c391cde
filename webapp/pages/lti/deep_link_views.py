"""Views by which an instructor puts an assignment into a platform's course (deep linking).

Platforms show them in a frame, where this site has no session: the choice travels signed.
"""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings as site
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from pylti1p3.deep_link import DeepLink
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.lineitem import LineItem

from webapp.flow.lti.launches import ASSIGNMENT, Launch, linked_course_of
from webapp.flow.lti.models import LinkedCourse, Platform
from webapp.flow.lti.platforms import registration_of
from webapp.flow.lti.points import full_points
from webapp.pages.http import chosen_id
from webapp.teaching.courses.models import Assignment

_SALT: Final = "webapp.pages.lti.deep_link"
_SECONDS: Final = 3600
_SETTINGS: Final = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"


def offer_assignments(
    request: HttpRequest, arrival: Launch, claims: Mapping[str, Any]
) -> HttpResponse:
    """Show the assignments of the linked course to choose one of."""
    linked = linked_course_of(arrival.place)
    settings = claims.get(_SETTINGS) or {}
    context: dict[str, Any] = {"platform": arrival.platform, "linked": linked}
    if arrival.is_staff and linked is not None:
        context["assignments"] = linked.course.assignments.order_by("due_at", "pk")
        context["choice"] = signing.dumps({"course": linked.pk, "settings": settings}, salt=_SALT)
    return _framed(request, "lti/deep_link.html", context, settings)


@csrf_exempt  # no session is used: the signed choice shows that a launch came before
@xframe_options_exempt
@never_cache
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Show the button that brings the chosen assignment to the platform, signed by this site."""
    try:
        kept = signing.loads(request.POST.get("choice", ""), salt=_SALT, max_age=_SECONDS)
    except signing.BadSignature:
        return render(request, "lti/refused.html", {"error": "the choice is too old"}, status=400)
    linked = (
        LinkedCourse.objects.select_related("platform", "course").filter(pk=kept["course"]).first()
    )
    pk = chosen_id(request.POST.get("assignment", "")) or 0
    assignment = linked.course.assignments.filter(pk=pk).first() if linked else None
    if linked is None or assignment is None:
        return render(request, "lti/refused.html", {"error": "choose an assignment"}, status=400)
    context = {
        "platform": linked.platform,
        "assignment": assignment,
        "address": kept["settings"]["deep_link_return_url"],
        "message": _message(linked, assignment, kept["settings"]),
    }
    return _framed(request, "lti/deep_link_done.html", context, kept["settings"])


def launch_address() -> str:
    """Return the address at which platforms launch, whatever host a request names."""
    return site.SITE_URL + reverse("lti:launch")


def _message(linked: LinkedCourse, assignment: Assignment, settings: Mapping[str, Any]) -> str:
    registration = registration_of(Platform.objects.get(pk=linked.platform_id))
    column = LineItem()
    column.set_label(assignment.title).set_score_maximum(float(full_points(assignment)))
    column.set_resource_id(f"assignment-{assignment.pk}")
    resource = (
        DeepLinkResource()
        .set_title(assignment.title)
        .set_url(launch_address())
        .set_custom_params({ASSIGNMENT: str(assignment.pk)})
        .set_lineitem(column)
    )
    answer = DeepLink(registration, linked.deployment_id, settings)
    return str(answer.get_response_jwt([resource]))


def _framed(
    request: HttpRequest, template: str, context: Mapping[str, Any], settings: Mapping[str, Any]
) -> HttpResponse:
    """Let the platform alone show the page in a frame, and take its form."""
    response = render(request, template, dict(context))
    parts = urlsplit(str(settings.get("deep_link_return_url", "")))
    is_web = parts.scheme in {"http", "https"}
    origin = f"{parts.scheme}://{parts.netloc}" if is_web else "'none'"
    response["Content-Security-Policy"] = (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self';"
        f" form-action 'self' {origin}; frame-ancestors {origin}"
    )
    return response
