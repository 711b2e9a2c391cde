"""Views that platforms call: the login that begins a launch, the launch, this site's keys.

Each is opened across sites, without the session's cookie. It relies on the platform's signature,
and on this browser having begun the launch.
"""

import hashlib
import logging
from dataclasses import asdict
from typing import Any, Final

from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from django.contrib import messages
from django.contrib.auth import logout
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from pylti1p3.contrib.django import DjangoCacheDataStorage, DjangoMessageLaunch, DjangoOIDCLogin
from pylti1p3.exception import LtiException, OIDCException

from webapp.base.errors import Refused
from webapp.flow.lti.launches import Launch, read_launch
from webapp.flow.lti.platforms import RegisteredPlatforms, http_session, platform_of, public_keys
from webapp.flow.lti.services import arrive
from webapp.pages.http import sentence
from webapp.pages.lti.deep_link_views import launch_address, offer_assignments
from webapp.pages.lti.linking_views import PLACE
from webapp.pages.pending import keep_pending
from webapp.people.accounts.identities import OperatorsAccount
from webapp.people.accounts.models import User
from webapp.people.accounts.rate_limits import note_failed_sign_in
from webapp.teaching.courses.models import Assignment, Course

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
    flow.set_launch_data_storage(_storage())
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
        return _refused(request, sentence(refusal))


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
        launch_data_storage=_storage(),
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


def _storage() -> DjangoCacheDataStorage:
    return DjangoCacheDataStorage()


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


def _refused(request: HttpRequest, reason: str) -> HttpResponse:
    return _page(request, {"reason": reason}, status=403)


def _page(request: HttpRequest, context: dict[str, Any], *, status: int) -> HttpResponse:
    response = render(request, "lti/refused.html", context, status=status)
    response["Content-Security-Policy"] = _FRAMED
    return response
