"""Pages that learning platforms open: launches, deep links, the choice of an account.

A launch is opened across sites, without the session's cookie. It relies on the platform's
signature, and on this browser having begun the launch.
"""

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth import logout
from django.core import signing
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from pylti1p3.contrib.django import DjangoCacheDataStorage, DjangoMessageLaunch, DjangoOIDCLogin
from pylti1p3.deep_link import DeepLink
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.exception import LtiException, OIDCException
from pylti1p3.lineitem import LineItem

from webapp.base.errors import Refused
from webapp.flow.lti.launches import ASSIGNMENT, Launch, Place, linked_course_of, read_launch
from webapp.flow.lti.models import LinkedCourse, Platform
from webapp.flow.lti.platforms import (
    RegisteredPlatforms,
    http_session,
    platform_of,
    public_keys,
    registration_of,
)
from webapp.flow.lti.points import full_points
from webapp.flow.lti.services import arrive, link_course
from webapp.pages.http import chosen_id, current_user, sentence, signed_in
from webapp.pages.pending import keep_pending
from webapp.people.accounts.identities import OperatorsAccount
from webapp.people.accounts.models import User
from webapp.people.accounts.rate_limits import note_failed_sign_in
from webapp.teaching.courses.models import Assignment, Course, Role

logger = logging.getLogger(__name__)

_LAUNCH_SECONDS: Final = 600
_SHUT_OUT_OTHERS: Final = (
    "Nobody had confirmed the address of this account before, so its password, access tokens and"
    " other sessions were removed. You can choose a new password with “Forgotten your password?”."
)
_FRAMED: Final = "default-src 'self'; form-action 'none'; frame-ancestors https:"
"""For pages without anything to press: platforms may show them in a frame."""


@csrf_exempt
@xframe_options_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def login(request: HttpRequest) -> HttpResponse:
    """Begin a launch: send the browser to the platform, which says who it is."""
    flow = DjangoOIDCLogin(request, RegisteredPlatforms())
    flow.set_launch_data_storage(DjangoCacheDataStorage())
    flow.set_launch_data_lifetime(_LAUNCH_SECONDS)
    try:
        response: HttpResponse = flow.redirect(launch_address())
    except (OIDCException, LtiException) as error:
        return _failed(request, error)
    return response


@csrf_exempt
@xframe_options_exempt
@never_cache
@require_POST
def launch(request: HttpRequest) -> HttpResponse:
    """Sign in a person whom a platform has named, and open the link's target."""
    try:
        message = _validated(request)
    except (LtiException, ValueError) as error:
        note_failed_sign_in(request)
        return _failed(request, error)
    claims: dict[str, Any] = dict(message.get_launch_data())
    platform = platform_of(message.get_iss(), message.get_client_id())
    if platform is None:
        return _failed(request, LtiException("the platform was removed"))
    arrival = read_launch(platform, claims)
    if message.is_deep_link_launch():
        return offer_assignments(request, arrival, claims)
    try:
        return _enter(request, arrival)
    except OperatorsAccount:
        keep_pending(request, arrival.identity, next_path="")
        return redirect("accounts:join_identity")
    except (Refused, ValidationError) as refusal:
        return _page(request, {"reason": sentence(refusal)}, status=403)


@require_GET
def keys(request: HttpRequest) -> HttpResponse:
    """Show this site's public keys."""
    del request
    return JsonResponse({"keys": public_keys()}, headers={"Cache-Control": "public, max-age=3600"})


def _validated(request: HttpRequest) -> DjangoMessageLaunch:
    """Return the launch, checked, the only time. Raises LtiException, ValueError."""
    message = DjangoMessageLaunch(
        request,
        RegisteredPlatforms(),
        launch_data_storage=DjangoCacheDataStorage(),
        requests_session=http_session(),
    )
    message.set_launch_data_lifetime(_LAUNCH_SECONDS)
    # Tolerate a platform whose clock is a second ahead of ours.
    message.set_jwt_verify_options({"verify_aud": False, "verify_iat": False})
    message.validate()
    nonce = str(message.get_launch_data().get("nonce"))
    seen = "lti-nonce-" + hashlib.sha256(nonce.encode()).hexdigest()
    if not cache.add(seen, value=True, timeout=2 * _LAUNCH_SECONDS):
        raise LtiException("this launch was used already")
    return message


def _enter(request: HttpRequest, arrival: Launch) -> HttpResponse:
    joined, opened = arrive(arrival)
    path = reverse("lti:link") if opened is None else _address(opened)
    response = _sign_in(request, joined.user, path)
    if joined.lost_password:
        messages.warning(request, _SHUT_OUT_OTHERS)
    if opened is None:
        request.session[PLACE] = asdict(arrival.place)
    return response


def _sign_in(request: HttpRequest, user: User, path: str) -> HttpResponse:
    if request.user == user:
        record_authentication(request, user, "lti")
        return redirect(path)
    logout(request)
    response: HttpResponse = perform_login(request, user, redirect_url=path)
    record_authentication(request, user, "lti")
    return response


def _address(opened: Course | Assignment) -> str:
    if isinstance(opened, Course):
        return reverse("courses:course", args=[opened.slug])
    return reverse("courses:assignment", args=[opened.course.slug, opened.slug])


def _failed(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.warning("launch refused: %s", error)
    return _page(request, {"error": str(error)}, status=400)


def _page(request: HttpRequest, context: dict[str, Any], *, status: int) -> HttpResponse:
    response = render(request, "lti/refused.html", context, status=status)
    response["Content-Security-Policy"] = _FRAMED
    return response


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


PLACE: Final = "lti_place"
"""The key in the session under which the course of a platform waits to be linked."""


@signed_in("GET", "POST")
def link(request: HttpRequest) -> HttpResponse:
    """Choose the course, once; the platform has said that this person teaches it there."""
    kept = request.session.get(PLACE)
    if kept is None:
        return redirect("home")
    place, by = Place(**kept), current_user(request)
    teaches = _taught_by(by)
    if request.method == "POST":
        course = get_object_or_404(teaches, pk=chosen_id(request.POST.get("course", "")))
        linked = link_course(place=place, course=course, by=by)
        del request.session[PLACE]
        text = f"{linked} now opens this course. Its students are enrolled when they open it."
        messages.success(request, text)
        return redirect("courses:course", course.slug)
    platform = get_object_or_404(Platform, pk=place.platform)
    context = {"place": place, "platform": platform, "courses": teaches, "nav": "home"}
    return render(request, "lti/link.html", context)


def _taught_by(user: User) -> QuerySet[Course]:
    courses = Course.objects.visible_to(user)
    if user.is_superuser:
        return courses
    return courses.filter(enrolments__user=user, enrolments__role=Role.INSTRUCTOR)
