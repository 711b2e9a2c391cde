"""Copy a course, or one assignment, to another term: the decisions of staff, nothing of students.

Secrets are new, so no deal of last year's is played again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.db import models, transaction
from django.utils import timezone

from grader.core.deals import commitment, practice_secret
from grader.core.games.versions import version_of
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.announcements.models import Announcement
from webapp.teaching.courses.defaults import default_scheme
from webapp.teaching.courses.models import (
    Assignment,
    Course,
    Enrolment,
    Role,
    Section,
    SectionDates,
)
from webapp.teaching.courses.models.course import new_code
from webapp.teaching.courses.models.dates import POLICY
from webapp.teaching.courses.permissions import require_course_maker, require_instructor
from webapp.teaching.courses.stored_schemes import scheme_json


@dataclass(frozen=True, slots=True)
class Shift:
    """Whole weeks, in a course's time zone."""

    weeks: int
    tz: ZoneInfo

    def moved(self, moment: datetime) -> datetime:
        """Return the moment some weeks later, with the same weekday and time on the clock.

        A time that the clock skips that day becomes one as much later.
        """
        local = moment.astimezone(self.tz)
        return (local + timedelta(weeks=self.weeks)).astimezone(UTC)  # on the clock, not elapsed


def shift_to(first: datetime, begins: date, tz: ZoneInfo) -> Shift:
    """Return the shift that takes the first date of a term into the week of another beginning."""
    old = first.astimezone(tz).date()
    return Shift((_monday(begins) - _monday(old)).days // 7, tz)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


_DATES: Final = frozenset({"opens_at", "due_at", "hard_end_at"})
_NEW: Final = frozenset(
    {
        *("id", "course", "assignment", "section", "slug", "created_at"),
        *("secret", "commitment", "practice_secret", "invite_code"),
        *("archived_at", "deleted_at", "has_plain_days", "game_version"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    sections: bool = True
    """The sections, and the dates that assignments have for them."""
    late_policy: bool = True
    """Grace, penalties and late days."""
    scheme: bool = True
    board_lines: bool = True
    announcements: bool = False


ALL_PARTS: Final = Parts()
_OF_PART: Final[Mapping[str, frozenset[str]]] = {
    "late_policy": POLICY | {"late_days"},
    "scheme": frozenset({"grading"}),
    "board_lines": frozenset({"board_lines"}),
}
"""Columns that are copied with a part only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyPlan:
    title: str
    slug: str
    term: str = ""
    begins: date
    """Dates move by whole weeks, so that the first of them is in this week."""
    parts: Parts = field(default=ALL_PARTS)


@transaction.atomic
def copy_course(*, course: Course, by: User, plan: CopyPlan) -> Course:
    """Copy a course for ``by``, who may create courses. Raises NotAllowed, ValidationError."""
    require_instructor(by, course, to_look=True)
    require_course_maker(by)
    own = {"title": plan.title.strip(), "slug": plan.slug, "term": plan.term.strip()}
    copy = Course(**(_values(course, None, plan.parts) | own), invite_code=new_code())
    copy.full_clean()
    copy.save()
    Enrolment.objects.create(course=copy, user=by, role=Role.INSTRUCTOR)
    record(ActKind.COURSE_COPIED, by=by, course=copy, thing=f"from {course.slug}")
    sections = _copy_sections(course, copy) if plan.parts.sections else {}
    if (first := first_date(course)) is not None:
        shift = shift_to(first, plan.begins, course.tz)
        for assignment in course.assignments.order_by("pk"):
            _copy_assignment(assignment, copy, shift, plan.parts, by, sections=sections)
    if plan.parts.announcements:
        _copy_announcements(course, copy, by)
    return copy


@transaction.atomic
def copy_assignment(
    *,
    assignment: Assignment,
    to: Course,
    by: User,
    slug: str,
    title: str,
    begins: date,
    parts: Parts = ALL_PARTS,
) -> Assignment:
    """Copy one assignment to a course; its opening moves to the week of ``begins``.

    Its sections' dates come along where the other course has sections of the same names. Raises
    NotAllowed, Refused, ValidationError.
    """
    require_instructor(by, assignment.course, to_look=True)
    require_instructor(by, to)
    shift = shift_to(assignment.opens_at, begins, assignment.course.tz)
    by_name = {section.name: section for section in to.sections.all()}
    sections = {
        section.pk: by_name[section.name]
        for section in assignment.course.sections.all()
        if section.name in by_name and parts.sections
    }
    return _copy_assignment(
        assignment, to, shift, parts, by, sections=sections, slug=slug, title=title.strip()
    )


def _copy_game_folder(assignment: Assignment, to: Course, by: User) -> None:
    """Give a course the folder of the assignment's game: equal files pass the same check."""
    folder = assignment.course.game_folders.filter(name=assignment.game).first()
    if folder is None or to.game_folders.filter(sha256=folder.sha256).exists():
        return
    folder.pk, folder.course, folder.check_id = None, to, uuid4()
    folder.uploaded_by, folder.uploaded_at = by, timezone.now()
    folder.save(force_insert=True)


def first_date(course: Course) -> datetime | None:
    """Return when the first assignment opens; ``None`` without assignments."""
    return course.assignments.aggregate(first=models.Min("opens_at"))["first"]  # type: ignore[no-any-return]


def planned_dates(
    assignments: Iterable[Assignment], begins: date
) -> list[tuple[Assignment, datetime, datetime]]:
    """Return for each assignment of a course when its copy opens and is due."""
    rows = list(assignments)
    if not rows:
        return []
    first = min(rows, key=lambda row: row.opens_at)
    shift = shift_to(first.opens_at, begins, first.course.tz)
    return [(row, shift.moved(row.opens_at), shift.moved(row.due_at)) for row in rows]


def _copy_assignment(
    assignment: Assignment,
    to: Course,
    shift: Shift,
    parts: Parts,
    by: User,
    *,
    sections: Mapping[int, Section],
    **own: Any,
) -> Assignment:
    values = _values(assignment, shift, parts) | {"slug": assignment.slug} | own
    copy = Assignment(**values, course=to)
    if not parts.scheme:
        copy.grading = scheme_json(default_scheme(copy.rules, copy.opponents))
    copy.commitment = commitment(bytes(copy.secret))
    _copy_game_folder(assignment, to, by)
    copy.full_clean()
    copy.game_version = version_of(type(copy.rules))
    copy.practice_secret = practice_secret(copy.rules.practice_blocks)
    copy.save()
    for dates in assignment.section_dates.all():
        if dates.section_id in sections:
            values = _values(dates, shift, parts)
            SectionDates.objects.create(
                **values, assignment=copy, section=sections[dates.section_id]
            )
    origin = f"from {assignment.course.slug}/{assignment.slug}"
    record(ActKind.ASSIGNMENT_COPIED, by=by, course=to, thing=copy, after={"copied": origin})
    return copy


def _values(row: models.Model, shift: Shift | None, parts: Parts) -> dict[str, Any]:
    left_out = {
        name for part, names in _OF_PART.items() if not getattr(parts, part) for name in names
    }
    values = {}
    for column in row._meta.concrete_fields:
        value = getattr(row, column.attname)
        if column.name in _NEW | left_out or column.is_relation:
            continue
        if isinstance(column, models.DateTimeField):
            if column.name not in _DATES or shift is None:
                continue
            value = value and shift.moved(value)
        values[column.name] = value
    return values


def _copy_sections(course: Course, copy: Course) -> dict[int, Section]:
    return {
        section.pk: Section.objects.create(course=copy, name=section.name)
        for section in course.sections.all()
    }


def _copy_announcements(course: Course, copy: Course, by: User) -> None:
    """Copy the texts, without e-mails; their date and author are those of the copy."""
    now = timezone.now()
    Announcement.objects.bulk_create(
        Announcement(course=copy, title=old.title, text=old.text, posted_by=by, posted_at=now)
        for old in course.announcements.order_by("posted_at", "pk")
    )
