"""Sections of a course: a tutorial, a lab group."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import NO_REASON, Refused
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record, record_all
from webapp.teaching.courses.locks import lock_all
from webapp.teaching.courses.models import Course, Section
from webapp.teaching.courses.permissions import require_instructor
from webapp.teaching.courses.services.people import put_into_sections


@transaction.atomic
def create_section(*, course: Course, by: User, name: str) -> Section:
    """A new part of the course. Raises NotAllowed, ValidationError (no name, or taken)."""
    require_instructor(by, course)
    section = Section(course=course, name=name.strip())
    section.full_clean()
    section.save()
    record(ActKind.SECTION_CREATED, by=by, course=course, thing=section)
    return section


@transaction.atomic
def rename_section(*, section: Section, by: User, name: str) -> None:
    """Give a section another name. Raises NotAllowed, ValidationError (no name, or taken)."""
    require_instructor(by, section.course)
    before, section.name = section.name, name.strip()
    section.full_clean()
    section.save(update_fields=["name"])
    record(
        ActKind.SECTION_RENAMED,
        by=by,
        course=section.course,
        thing=before,
        before={"name": before},
        after={"name": section.name},
    )


@transaction.atomic
def delete_section(
    *,
    section: Section,
    by: User,
    reason: str,
    into: Section | None = None,
    at: datetime | None = None,
) -> int:
    """Delete a section; return how many people were in it. They move to ``into``, or to none.

    Its own dates go with it: other dates hold for its students then (``pipeline.change_dates``).
    So do the releases of grades to it.
    Raises NotAllowed; Refused without a reason, for a section of another course, and where it has
    dates of its own in an assignment whose secret has been revealed.
    """
    course = section.course
    require_instructor(by, course)
    lock_all(course)  # whoever gives the section dates in one of them holds its lock
    if not reason.strip():
        raise Refused(NO_REASON)
    if into == section:
        raise Refused("Choose another section for its people, or none.")
    _require_open_dates(section)
    lost = _lost_with(section)
    moved = _move_people(section, into, by, f"{section} was deleted: {reason}", at)
    record(
        ActKind.SECTION_DELETED,
        by=by,
        course=course,
        thing=section,
        before={"people": moved, **lost},
        after={"people": 0, "moved to": into and into.name},
        reason=reason,
        at=at,
    )
    section.delete()
    return moved


def _lost_with(section: Section) -> dict[str, object]:
    dated = section.dates.select_related("assignment")
    shown = section.releases.select_related("assignment")
    return {
        "own dates in": ", ".join(str(row.assignment) for row in dated),
        "grades released in": ", ".join(str(row.assignment) for row in shown),
    }


def _move_people(
    section: Section, into: Section | None, by: User, reason: str, at: datetime | None
) -> int:
    people = section.course.enrolments.in_sections([section]).with_sections()
    instead = [] if into is None else [into]
    wanted = [
        (place, [*dict.fromkeys(_replaced(place.sections, section, instead))]) for place in people
    ]
    record_all(
        put_into_sections(section.course, wanted, by=by, reason=reason, at=at or timezone.now())
    )
    return len(wanted)


def _replaced(
    sections: Sequence[Section], section: Section, instead: Sequence[Section]
) -> Iterator[Section]:
    for each in sections:
        yield from instead if each == section else [each]


def _require_open_dates(section: Section) -> None:
    fixed = section.dates.filter(assignment__secret_revealed_at__isnull=False).first()
    if fixed is not None:
        raise Refused(
            f"{section} has a due date of its own in {fixed.assignment}, whose secret is revealed:"
            " dates can no longer change. You can rename the section."
        )
