"""The reasons of platforms that did not take points, in words for staff."""

import json
import re
from http import HTTPStatus
from typing import Final

import msgspec
import requests
from allauth.socialaccount.models import SocialAccount
from pylti1p3.exception import LtiServiceException
from pylti1p3.service_connector import ServiceConnector

from webapp.base.storable import texts_in
from webapp.flow.lti.models import Score
from webapp.flow.lti.platforms import SERVICE_ERRORS
from webapp.flow.lti.roster import is_active, members_of

_HOPELESS: Final = frozenset({400, 404, 405, 410, 422})
"""Another attempt does not change these answers."""
_ABOUT_STUDENT: Final = frozenset({400, 403, 404, 422})
"""Answers that platforms give to points of people who are not in their course."""
_NOT_THERE: Final = "The student is not in the course there."
_SAYS_SO: Final = re.compile(
    r"(user|student|member|learner).*(not|n't|no longer).*"
    r"(found|enrolled|in (the|this) course|member|gradable|graded|exist|student)"
    r"|no (such )?(user|student|member)",
    re.IGNORECASE,
)
_LONGEST: Final = 300
_NO_WORDS: Final = re.compile(r"[\W\d]*")


def is_hopeless(error: Exception) -> bool:
    """Return whether the platform would give the same answer again."""
    return _status(error) in _HOPELESS


def reason_of(error: Exception, row: Score, connector: ServiceConnector) -> str:
    """Return the platform's reason. Platforms that give none are asked for their list of people."""
    if not isinstance(error, LtiServiceException):
        return "did not answer" if isinstance(error, requests.RequestException) else str(error)
    status, said = _status(error), _said(error.response)
    if status in _ABOUT_STUDENT and _SAYS_SO.search(said):
        return f"{_NOT_THERE} It answered {status}: {said}"
    if said:
        return f"It answered {status}: {said}"
    if status in _ABOUT_STUDENT and _is_missing(row, connector):
        return f"{_NOT_THERE} It answered {status} without a reason."
    return f"It answered {status} ({_phrase(status)}) without a reason."


def _status(error: Exception) -> int | None:
    return int(error.response.status_code) if isinstance(error, LtiServiceException) else None


def _phrase(status: int | None) -> str:
    try:
        return HTTPStatus(status or 0).phrase
    except ValueError:
        return "unknown"


def _said(response: requests.Response) -> str:
    try:
        # Platforms name them differently.
        texts = list(texts_in(json.loads(response.text[:100_000])))
    except (ValueError, RecursionError):
        is_page = "<" in response.text[:1000]
        texts = [] if is_page else [response.text]
    words = [" ".join(text.split()) for text in texts if not _NO_WORDS.fullmatch(text)]
    reason = response.reason or ""
    if not words and reason.casefold() != _phrase(response.status_code).casefold():
        words = [reason]
    return "; ".join(dict.fromkeys(words))[:_LONGEST]


def _is_missing(row: Score, connector: ServiceConnector) -> bool:
    """Return whether the platform's list of people, if it has one, is without the student."""
    linked = row.link.linked_course
    account = SocialAccount.objects.filter(
        provider=linked.platform.identity_provider, user=row.user_id
    ).first()
    if account is None or not linked.memberships_url:
        return False
    try:
        members = members_of(connector, linked.memberships_url)
    except (*SERVICE_ERRORS, msgspec.ValidationError):
        return False
    there = {str(member.get("user_id")) for member in members if is_active(member)}
    return bool(there) and account.uid not in there
