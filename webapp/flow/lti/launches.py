"""Read a launch whose signature was checked: the person, the course, the assignment."""
# See webapp/decisions/staff-of-platforms.md

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from webapp.flow.lti.models import LinkedAssignment, LinkedCourse, Platform
from webapp.people.accounts.identities import Identity
from webapp.teaching.courses.models import Assignment

ASSIGNMENT: Final = "firebox_assignment"
_CLAIM: Final = "https://purl.imsglobal.org/spec/lti/claim/"
_ROSTER: Final = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
_GRADES: Final = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
_MEMBERSHIP: Final = "http://purl.imsglobal.org/vocab/lis/v2/membership"
_STAFF: Final = ("Instructor", "Administrator", "TeachingAssistant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A link in a platform's course. Plain values: it travels through sessions."""

    platform: int
    deployment_id: str
    context_id: str
    title: str
    memberships_url: str
    resource_link_id: str
    lineitem_url: str
    assignment: int | None
    """The key that the link names; not checked yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    platform: Platform
    identity: Identity
    is_staff: bool
    """True if the person teaches in that course of the platform."""
    place: Place


def read_launch(platform: Platform, claims: Mapping[str, Any]) -> Launch:
    """Read the claims. Missing ones are empty."""
    email = _text(claims.get("email"))
    identity = Identity(
        provider=platform.identity_provider,
        provider_name=platform.name,
        subject=_text(claims.get("sub")),
        email=email,
        is_verified=platform.vouches_for(email),
        name=_name(claims),
    )
    roles = claims.get(_CLAIM + "roles") or []
    context, link = _claim(claims, "context"), _claim(claims, "resource_link")
    custom = _claim(claims, "custom")
    place = Place(
        platform=platform.pk,
        deployment_id=_text(claims.get(_CLAIM + "deployment_id")),
        context_id=_text(context.get("id")),
        title=_text(context.get("title"))[:200],
        memberships_url=_text((claims.get(_ROSTER) or {}).get("context_memberships_url")),
        resource_link_id=_text(link.get("id")),
        lineitem_url=_text((claims.get(_GRADES) or {}).get("lineitem")),
        assignment=_key(custom.get(ASSIGNMENT)),
    )
    is_staff = any(_is_staff(role) for role in roles if isinstance(role, str))
    return Launch(platform=platform, identity=identity, is_staff=is_staff, place=place)


def linked_course_of(place: Place) -> LinkedCourse | None:
    """Return the link between the platform's course and ours; ``None`` before there is one."""
    return (
        LinkedCourse.objects.filter(
            platform=place.platform,
            deployment_id=place.deployment_id,
            context_id=place.context_id,
        )
        .select_related("course", "platform")
        .first()
    )


def assignment_of(place: Place, linked: LinkedCourse) -> Assignment | None:
    """Return the assignment that a link opens; ``None`` for the course itself.

    An assignment of another course counts as none: people who edit links there could name any.
    """
    if place.assignment is not None:
        return Assignment.objects.filter(pk=place.assignment, course=linked.course_id).first()
    known = LinkedAssignment.objects.filter(
        linked_course=linked, resource_link_id=place.resource_link_id
    )
    row = known.select_related("assignment__course").first()
    return row.assignment if row is not None else None


def _claim(claims: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = claims.get(_CLAIM + name)
    return value if isinstance(value, dict) else {}


def _is_staff(role: str) -> bool:
    """Return whether a role is of teachers in the course itself, not of the university."""
    is_of_course = role.startswith(_MEMBERSHIP) or role in _STAFF
    return is_of_course and not words_of_role(role).isdisjoint(_STAFF)


def words_of_role(role: str) -> set[str]:
    """Return the principal role in a course, and an instructor's sub-role (LTI 1.3, A.2.3).

    They are written ``membership#Learner`` and ``membership/Instructor#TeachingAssistant``.
    """
    if not role.startswith(_MEMBERSHIP):
        return {role.replace("/", "#").rpartition("#")[2]}
    principal, _, further = role.removeprefix(_MEMBERSHIP).lstrip("/#").partition("#")
    return {principal, further} if principal == "Instructor" else {principal}


def _name(claims: Mapping[str, Any]) -> str:
    parts = (_text(claims.get("given_name")), _text(claims.get("family_name")))
    name = _text(claims.get("name")) or " ".join(part for part in parts if part)
    return (name or _text(claims.get("email")).partition("@")[0])[:80]


def _key(value: object) -> int | None:
    text = _text(value)
    return int(text) if text.isdecimal() and len(text) < 18 else None


def _text(value: object) -> str:
    return str(value) if isinstance(value, str | int) else ""
