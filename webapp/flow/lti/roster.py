"""Read the people of a platform's course (names and roles), as a table that can be imported."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from pylti1p3.service_connector import ServiceConnector

from webapp.base.errors import Refused
from webapp.base.spreadsheets import to_csv
from webapp.flow.lti.launches import words_of_role
from webapp.flow.lti.models import LinkedCourse
from webapp.flow.lti.platforms import SERVICE_ERRORS, connector_of, pages_of
from webapp.people.accounts.models import User
from webapp.teaching.courses.permissions import require_instructor

COLUMNS: Final = {
    "name": "Full name",
    "email": "E-mail address",
    "number": "Student number",
    "role": "Role",
}
_SCOPE: Final = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
_ACCEPT: Final = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
_ROLES: Final = (
    ("TeachingAssistant", "assistant"),
    ("Instructor", "instructor"),
    ("Administrator", "instructor"),
    ("Mentor", "observer"),
)
"""Words of roles there, and roles here; everybody else is a student. The first that fits counts."""


class _Page(msgspec.Struct):
    """Platforms send nulls where the standard has a list or a text."""

    members: list[dict[str, Any]] | None = None


def people_of(linked: LinkedCourse, *, by: User) -> tuple[str, int]:
    """Return a table of the course's people, and how many without an address are not in it.

    Raises NotAllowed; Refused if the platform offers no list or does not answer.
    """
    require_instructor(by, linked.course)
    if not linked.memberships_url:
        raise Refused(
            f"{linked.platform} does not offer its list of people. Its administrator can switch on"
            " names and roles; then open the link there again."
        )
    try:
        members = members_of(connector_of(linked.platform), linked.memberships_url)
    except (*SERVICE_ERRORS, msgspec.ValidationError) as error:
        raise Refused(
            f"{linked.platform} did not give its list of people. Try again later; if it fails"
            " again, tell this site’s operator."
        ) from error
    active = [member for member in members if is_active(member)]
    rows = [_row(member) for member in active if member.get("email")]
    return to_csv(None, [tuple(COLUMNS.values()), *rows]), len(active) - len(rows)


def members_of(connector: ServiceConnector, url: str) -> list[Mapping[str, Any]]:
    """Return the members of all pages. Raises ``SERVICE_ERRORS``; ValidationError for no page."""
    members: list[Mapping[str, Any]] = []
    for body in pages_of(connector, url, scope=_SCOPE, accept=_ACCEPT):
        page = msgspec.convert(body, _Page | None)
        members += (page and page.members) or []
    return members


def is_active(member: Mapping[str, Any]) -> bool:
    """Return whether a member is in the course there at present."""
    return (member.get("status") or "Active") == "Active"


def _row(member: Mapping[str, Any]) -> tuple[str, str, str, str]:
    parts = (str(member.get("given_name") or ""), str(member.get("family_name") or ""))
    name = str(member.get("name") or " ".join(parts)).strip()
    number = str(member.get("lis_person_sourcedid") or "")[:40]
    return name or str(member["email"]), str(member["email"]), number, _role(member)


def _role(member: Mapping[str, Any]) -> str:
    given = member.get("roles")
    roles = map(str, given) if isinstance(given, list) else ()
    words = {
        word
        for role in roles
        if "/system/" not in role and "/institution/" not in role
        for word in words_of_role(role)
    }
    return next((ours for theirs, ours in _ROLES if theirs in words), "student")
