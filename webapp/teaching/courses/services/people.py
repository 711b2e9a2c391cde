"""Change people of a course, one or many at once: role, section, leaving, coming back.

If a change is refused for one of them, nothing changes. Work and grades are kept.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import NO_REASON, Refused
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.auditlog.services import act, record, record_all
from webapp.teaching.courses.locks import lock_course
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Role, Section
from webapp.teaching.courses.permissions import require_instructor
from webapp.teaching.courses.services.staff import secure_staff


@transaction.atomic
def change_people(
    *,
    course: Course,
    by: User,
    enrolments: Sequence[Enrolment],
    role: Role | None = None,
    section: Section | None = None,
    no_section: bool = False,
    sections: Sequence[Section] = (),
    state: EnrolmentState | None = None,
    reason: str = "",
    at: datetime | None = None,
) -> int:
    """Give these people a role, a section (or none), or a state; return how many that changed.

    ``sections``: several, instead of one. Raises NotAllowed; Refused where a role or a state would
    change without a reason, for people or a section of another course, and if no instructor were
    left.
    """
    require_instructor(by, course)
    lock_course(course)
    enrolments = _as_they_are_now(course, enrolments)
    wanted = sections or ([] if section is None else [section])
    if (role is not None or state is not None) and not reason.strip():
        raise Refused(NO_REASON)
    acts, now = list[Act](), at or timezone.now()
    write = _writer(course, by, reason, now, acts)
    if role is not None:
        write(ActKind.ROLE_CHANGED, "role", enrolments, role)
    if wanted or no_section:
        acts += put_into_sections(
            course, [(each, wanted) for each in enrolments], by=by, reason=reason, at=now
        )
    if state is not None:
        write(ActKind.STATE_CHANGED, "state", enrolments, state)
    require_instructor_left(course)
    record_all(acts)
    secure_staff(course=course, people=_with_new_rights(acts), by=by, at=now)
    return len({row.person_id for row in acts})


def _with_new_rights(acts: Sequence[Act]) -> list[int | None]:
    kinds = {ActKind.ROLE_CHANGED.name_kept, ActKind.STATE_CHANGED.name_kept}
    return [row.person_id for row in acts if row.kind in kinds]


def _as_they_are_now(course: Course, enrolments: Sequence[Enrolment]) -> list[Enrolment]:
    """Read the rows again, under the lock: another member of staff may have changed them.

    Raises Refused for people of another course.
    """
    if any(enrolment.course_id != course.pk for enrolment in enrolments):
        raise Refused("Some of these people are not in this course.")
    keys = [enrolment.pk for enrolment in enrolments]
    return list(course.enrolments.filter(pk__in=keys).with_sections())


def put_into_sections(
    course: Course,
    wanted: Sequence[tuple[Enrolment, Sequence[Section]]],
    *,
    by: User,
    reason: str,
    at: datetime,
) -> list[Act]:
    """Put each person into exactly these sections, the first one first; return acts to record.

    The caller holds the lock of the course, under which the people were read. Raises Refused for
    sections of another course.
    """
    if any(section.course_id != course.pk for _, sections in wanted for section in sections):
        raise Refused("This section belongs to another course.")
    changed = [(place, some) for place, some in wanted if set(place.sections) != set(some)]
    acts = [
        act(
            ActKind.SECTION_CHANGED,
            by=by,
            course=course,
            person=place.user_id,
            before={"section": place.section_words or None},
            after={"section": ", ".join(section.name for section in sections) or None},
            reason=reason,
            at=at,
        )
        for place, sections in changed
    ]
    further = Enrolment.more_sections.through
    further.objects.filter(enrolment__in=[place.pk for place, _ in changed]).delete()
    for place, sections in changed:
        place.section = next(iter(sections), None)
    Enrolment.objects.bulk_update([place for place, _ in changed], ["section"], 200)
    further.objects.bulk_create(
        further(enrolment_id=place.pk, section_id=section.pk)
        for place, sections in changed
        for section in sections[1:]
    )
    return acts


def _writer(
    course: Course, by: User, reason: str, at: datetime, acts: list[Act]
) -> Callable[[ActKind, str, Sequence[Enrolment], Role | EnrolmentState], None]:
    """Return a function that writes one field of many rows, and adds an act for each change."""

    def write(
        kind: ActKind,
        field: str,
        places: Sequence[Enrolment],
        value: Role | EnrolmentState,
    ) -> None:
        changed = [enrolment for enrolment in places if getattr(enrolment, field) != value]
        acts.extend(
            act(
                kind,
                by=by,
                course=course,
                person=enrolment.user_id,
                before={field: str(getattr(enrolment, field))},
                after={field: str(value)},
                reason=reason,
                at=at,
            )
            for enrolment in changed
        )
        Enrolment.objects.filter(pk__in=[enrolment.pk for enrolment in changed]).update(
            **{field: value}
        )

    return write


def require_instructor_left(course: Course) -> None:
    """Raise Refused if nobody is an instructor of the course any more."""
    if not course.enrolments.active().filter(role=Role.INSTRUCTOR).exists():
        raise Refused(
            "The course would have no instructor left. Make another person an instructor first."
        )


@transaction.atomic
def set_looks_after(
    *, enrolment: Enrolment, by: User, sections: Sequence[Section], at: datetime | None = None
) -> None:
    """Set the sections that an assistant or grader is responsible for.

    Raises NotAllowed; Refused for others, and for sections of another course.
    """
    course = enrolment.course
    require_instructor(by, course)
    lock_course(course)
    if enrolment.role not in (Role.ASSISTANT, Role.GRADER):
        raise Refused("Only assistants and graders can be assigned sections.")
    if any(section.course_id != course.pk for section in sections):
        raise Refused("This section belongs to another course.")
    before = ", ".join(enrolment.looks_after.values_list("name", flat=True))
    enrolment.looks_after.set(sections)
    record(
        ActKind.LOOKS_AFTER_CHANGED,
        by=by,
        course=course,
        person=enrolment.user_id,
        before={"sections": before},
        after={"sections": ", ".join(section.name for section in sections)},
        at=at,
    )
