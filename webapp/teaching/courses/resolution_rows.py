"""Reads the rows that decide due dates, penalties and counted uploads of assignments."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db.models import Q

from webapp.teaching.courses.deadlines import Candidate, Terms
from webapp.teaching.courses.models import (
    Assignment,
    Enrolment,
    Extension,
    Role,
    SectionDates,
    Team,
)
from webapp.teaching.courses.work import work

_NONE: Final[frozenset[int]] = frozenset()


@dataclass(slots=True, kw_only=True)
class TeamRow:
    """A team with the keys of its members."""

    pk: int
    assignment_id: int
    extended_due_at: datetime | None
    members: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoursePlace:
    """A student's enrolment."""

    name: str
    section_ids: tuple[int, ...]
    time_percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """All rows that decide, by their keys."""

    assignments: Sequence[Assignment]
    teams: Mapping[int, Sequence[TeamRow]]
    """By assignment."""
    places: Mapping[tuple[int, int], CoursePlace]
    """By course and user."""
    sections: Mapping[tuple[int, int], Terms]
    """By assignment and section."""
    extensions: Mapping[tuple[int, int], datetime | None]
    """By assignment and user."""
    uploads: Mapping[int, Sequence[Candidate]]
    """By team, those of which one may count."""
    chosen: Mapping[int, int]
    """By team."""


def read_rows(
    wanted: Sequence[Assignment],
    users: set[int] | None,
    keys: frozenset[int],
) -> Rows:
    """Read the rows of these assignments, for these users and teams (``keys``), or for all.

    At most eight queries.
    """
    assignments = _with_rivals(wanted)
    if users is None:
        teams, people = _teams(assignments), None
    elif any(assignment.course.late_days for assignment in wanted):
        teams, people = _connected(_teams(assignments), users, keys)
    else:
        teams = _teams(assignments, users=users, keys=keys)
        people = users.union(*(row.members for row in teams))
    places = _places(assignments, people)
    sections = _sections(assignments, places)
    return Rows(
        assignments=assignments,
        teams=_by_assignment(teams),
        places=places,
        sections=sections,
        extensions=_extensions(assignments, people),
        uploads=work().candidates(
            assignments,
            {assignment.pk: _in_time_for_all(assignment, sections) for assignment in assignments},
            None if people is None else [row.pk for row in teams],
        ),
        chosen=work().chosen(assignments),
    )


def _with_rivals(wanted: Sequence[Assignment]) -> list[Assignment]:
    """These assignments, and those of their courses that late days may be used for as well."""
    courses = {assignment.course_id for assignment in wanted if assignment.course.late_days}
    rivals: list[Assignment] = []
    if courses:
        allows = Q(max_late_days__gt=0) | Q(section_dates__max_late_days__gt=0)
        allowing = Assignment.objects.filter(allows, course__in=courses)
        rivals = list(allowing.select_related("course").distinct())
    known = {assignment.pk for assignment in wanted}
    return [*wanted, *(rival for rival in rivals if rival.pk not in known)]


def _teams(
    assignments: Sequence[Assignment],
    *,
    users: set[int] | None = None,
    keys: frozenset[int] = _NONE,
) -> list[TeamRow]:
    """Teams with their members; of these users only, and these, if they are given."""
    teams = Team.objects.filter(assignment__in=assignments)
    if users is not None:
        teams = teams.filter(Q(pk__in=keys) | _has_member(users))
    names = ("pk", "assignment_id", "extended_due_at", "memberships__user_id")
    rows: dict[int, TeamRow] = {}
    for pk, of, extended, member in teams.order_by("memberships__pk").values_list(*names):
        row = rows.setdefault(pk, TeamRow(pk=pk, assignment_id=of, extended_due_at=extended))
        if member is not None:
            row.members.append(member)
    return list(rows.values())


def _has_member(users: set[int]) -> Q:
    """The teams of these users. Their other members are read all the same."""
    return Q(pk__in=Team.objects.filter(memberships__user__in=users)) if users else Q(pk__in=[])


def _connected(
    teams: Sequence[TeamRow], users: set[int], keys: frozenset[int]
) -> tuple[list[TeamRow], set[int]]:
    """Return teams and people whose late days affect each other: partners, their partners, and so
    on."""
    people = users.union(*(row.members for row in teams if row.pk in keys))
    size = -1
    while size != len(people):
        size = len(people)
        people = people.union(*(row.members for row in teams if people.intersection(row.members)))
    connected = [row for row in teams if row.pk in keys or people.intersection(row.members)]
    return connected, people


def _by_assignment(teams: Iterable[TeamRow]) -> dict[int, list[TeamRow]]:
    grouped: dict[int, list[TeamRow]] = defaultdict(list)
    for row in teams:
        grouped[row.assignment_id].append(row)
    return grouped


def _places(
    assignments: Iterable[Assignment], people: set[int] | None
) -> dict[tuple[int, int], CoursePlace]:
    """Enrolments of these people as students; of all students where everybody is asked for."""
    courses = {assignment.course_id for assignment in assignments}
    enrolments = Enrolment.objects.filter(course__in=courses, role=Role.STUDENT)
    if people is not None:
        enrolments = enrolments.filter(user__in=people)
    names = ("course_id", "user_id", "user__display_name", "time_percent", "section_id")
    places: dict[tuple[int, int], CoursePlace] = {}
    rows = enrolments.order_by("pk").values_list(*names, "more_sections")
    for course, user, name, percent, *sections in rows:  # a row for each further section
        known = places.get((course, user))
        ids = (*(known.section_ids if known else ()), *(pk for pk in sections if pk is not None))
        places[course, user] = CoursePlace(
            name=name, section_ids=tuple(dict.fromkeys(ids)), time_percent=percent
        )
    return places


def _sections(
    assignments: Iterable[Assignment], places: Mapping[tuple[int, int], CoursePlace]
) -> dict[tuple[int, int], Terms]:
    if not any(enrolment.section_ids for enrolment in places.values()):
        return {}
    dates = SectionDates.objects.filter(assignment__in=assignments)
    return {
        (section_dates.assignment_id, section_dates.section_id): section_dates.terms()
        for section_dates in dates.select_related("assignment__course", "section")
    }


def _extensions(
    assignments: Iterable[Assignment], people: set[int] | None
) -> dict[tuple[int, int], datetime | None]:
    """The latest decision about each student, in the order of their keys: clocks may be wrong."""
    extensions = Extension.objects.filter(assignment__in=assignments, user__isnull=False)
    if people is not None:
        extensions = extensions.filter(user__in=people)
    rows = extensions.order_by("pk").values_list("assignment_id", "user_id", "due_at")
    return {(assignment, user): due for assignment, user, due in rows if user is not None}


def _in_time_for_all(assignment: Assignment, sections: Mapping[tuple[int, int], Terms]) -> datetime:
    """Return a moment before which no time for uploads ends: all but sections can only add."""
    ends = [terms.due_at for (of, _), terms in sections.items() if of == assignment.pk]
    if assignment.secret_revealed_at is not None:
        ends.append(assignment.secret_revealed_at)
    return min([assignment.due_at, *ends])
