"""Hold the grades of an assignment, and release them: to everybody, or to a section."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment, GradeRelease, Section
from webapp.teaching.courses.permissions import require_instructor


@transaction.atomic
def release_grades(
    *, assignment: Assignment, by: User, section: Section | None = None, at: datetime | None = None
) -> None:
    """Let students see the grades of the assignment, or those of one section.

    Raises NotAllowed; Refused where they see them already, or for a section of another course.
    """
    require_instructor(by, assignment.course)
    lock(assignment)
    _require_unreleased(assignment, section)
    whose, now = audience(section), at or timezone.now()
    GradeRelease.objects.create(
        assignment=assignment, section=section, released_by=by, released_at=now
    )
    _record(ActKind.GRADES_RELEASED, assignment, by, before=None, after=whose, at=now)


@transaction.atomic
def hold_grades(
    *, assignment: Assignment, by: User, reason: str, at: datetime | None = None
) -> None:
    """Hide the grades of the assignment from students until they are released (again).

    Every release is taken back, those of sections too: from then on nobody sees anything. The audit
    log keeps whom they were released to.

    Raises NotAllowed; Refused without a reason, or if nobody sees them.
    """
    require_instructor(by, assignment.course)
    lock(assignment)
    if not reason.strip():
        raise Refused("Give a reason: it is kept in the audit log.")
    before = released_to(assignment)
    if not before:
        raise Refused("No student sees these grades: there is nothing to hide.")
    assignment.releases.all().delete()
    assignment.holds_grades = True
    assignment.save(update_fields=["holds_grades"])
    _record(ActKind.GRADES_HELD, assignment, by, before=before, after=None, reason=reason, at=at)


def released_to(assignment: Assignment) -> str:
    """Return a text on who may see the grades; empty if no student may. At most one query."""
    if not assignment.holds_grades:
        return "everybody"
    releases = list(assignment.releases.select_related("section").order_by("section__name"))
    if any(release.section is None for release in releases):
        return "everybody"
    return ", ".join(f"section {release.section}" for release in releases)


@transaction.atomic
def take_back_release(
    *, release: GradeRelease, by: User, reason: str, at: datetime | None = None
) -> None:
    """Hide grades again that one release shows; other releases stay. Raises NotAllowed."""
    assignment = release.assignment
    require_instructor(by, assignment.course)
    lock(assignment)
    release.delete()
    whose = audience(release.section)
    _record(ActKind.GRADES_HELD, assignment, by, before=whose, after=None, reason=reason, at=at)


def audience(section: Section | None) -> str:
    """Return whom a release shows the grades to."""
    return "everybody" if section is None else f"section {section}"


def _require_unreleased(assignment: Assignment, section: Section | None) -> None:
    if section is not None and section.course_id != assignment.course_id:
        raise Refused("This section belongs to another course.")
    known = assignment.releases.all()
    if not assignment.holds_grades or known.filter(section__isnull=True).exists():
        raise Refused("Everybody sees these grades already.")
    if known.filter(section=section).exists():
        raise Refused(f"The grades of {audience(section)} are released already.")


def _record(
    kind: ActKind, assignment: Assignment, by: User, *, before: object, after: object, **more: Any
) -> None:
    """Record whom the grades were and are released to; ``more``: reason and time."""
    record(
        kind,
        by=by,
        thing=assignment,
        before={"released to": before},
        after={"released to": after},
        **more,
    )
