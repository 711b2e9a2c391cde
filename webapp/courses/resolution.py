"""Reads what ``courses.deadlines`` needs to settle due dates, penalties and counted uploads.

Everything that shows or uses a deadline asks here. Late days make the assignments of a course
depend on one another: they are used by those that are due first.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db.models import Q

from webapp.courses.deadlines import (
    Candidate,
    Deadlines,
    Resolution,
    Rule,
    Student,
    Terms,
    settle,
)
from webapp.courses.models import Assignment, Enrolment, Extension, Role, SectionDates, Team
from webapp.courses.permissions import Person

__all__ = [
    "Resolutions",
    "resolution_for",
    "resolution_of",
    "resolve_assignment",
    "resolve_assignments",
    "resolve_for",
    "resolve_many",
    "resolve_teams",
    "resolve_users",
]

_READY: Final = "ready"
"""The status of submissions that may count, which an upper layer declares."""
_NONE: Final[frozenset[int]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolutions:
    """The dates and counted uploads of one assignment."""

    teams: Mapping[int, Resolution]
    """By the team's key."""
    students: Mapping[int, Resolution]
    """By the user's key: through their team if they have one."""
    usual: Resolution
    """The resolution without section or grants: of staff, and before anyone is enrolled."""

    def of(self, user_id: int | None) -> Resolution:
        """The user's."""
        return self.usual if user_id is None else self.students.get(user_id, self.usual)

    @property
    def last_ends_at(self) -> datetime:
        """The last moment at which an upload can count."""
        everybody = (self.usual, *self.teams.values(), *self.students.values())
        return max(student.deadline.ends_at for student in everybody)


def resolve_assignment(assignment: Assignment) -> Resolutions:
    """Settle everything for every team and student. At most eight queries."""
    return _settle([assignment], None)[assignment.pk]


def resolve_assignments(assignments: Sequence[Assignment]) -> dict[int, Resolutions]:
    """Settle everything for everybody, by the assignment's key. At most eight queries."""
    return _settle(assignments, None) if assignments else {}


def resolve_for(user: Person, assignments: Iterable[Assignment]) -> dict[int, Resolutions]:
    """Settle everything for one user, by the assignment's key. At most eight queries."""
    wanted = list(assignments)
    return _settle(wanted, {user.pk} if user.pk else set()) if wanted else {}


def resolve_users(
    assignment: Assignment, users: Iterable[int], teams: Iterable[int] = ()
) -> Resolutions:
    """Settle everything for these users, their teams, and these. At most eight queries."""
    return _settle([assignment], set(users), frozenset(teams))[assignment.pk]


def resolve_many(assignments: Sequence[Assignment], users: Iterable[int]) -> dict[int, Resolutions]:
    """Settle everything for these users, by the assignment's key. At most eight queries."""
    return _settle(assignments, set(users)) if assignments else {}


def resolution_for(user: Person, assignment: Assignment) -> Resolution:
    """Settle everything for this user: with their team, or alone while they have none."""
    return resolve_for(user, [assignment])[assignment.pk].of(user.pk)


def resolution_of(team: Team) -> Resolution:
    """Settle everything for this team. At most eight queries."""
    return resolve_teams(team.assignment, [team.pk])[team.pk]


def resolve_teams(assignment: Assignment, teams: Iterable[int]) -> Mapping[int, Resolution]:
    """Settle everything for these teams, by their keys. At most eight queries."""
    keys = frozenset(teams)
    settled = _settle([assignment], set(), keys)[assignment.pk].teams
    return {key: settled[key] for key in keys}


@dataclass(slots=True, kw_only=True)
class _TeamRow:
    pk: int
    assignment_id: int
    extended_due_at: datetime | None
    members: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A student's enrolment."""

    name: str
    section_id: int | None
    time_percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """All rows that decide, by their keys."""

    assignments: Sequence[Assignment]
    teams: Mapping[int, Sequence[_TeamRow]]
    """By assignment."""
    places: Mapping[tuple[int, int], _Place]
    """By course and user."""
    sections: Mapping[tuple[int, int], Terms]
    """By assignment and section."""
    extensions: Mapping[tuple[int, int], datetime | None]
    """By assignment and user."""
    uploads: Mapping[int, Sequence[Candidate]]
    """By team."""
    chosen: Mapping[int, int]
    """By team."""


def _settle(
    wanted: Sequence[Assignment], users: set[int] | None, keys: frozenset[int] = _NONE
) -> dict[int, Resolutions]:
    """Settle assignments in the order of their due dates, for these people or for all."""
    rows = _read(wanted, users, keys)
    purses = {assignment.course_id: assignment.course.late_days for assignment in rows.assignments}
    left = {(course, user): purses[course] for course, user in rows.places}
    settled = {}
    for assignment in sorted(
        rows.assignments, key=lambda assignment: (assignment.due_at, assignment.pk)
    ):
        settled[assignment.pk] = _settle_one(rows, assignment, left)
        for row in rows.teams.get(assignment.pk, ()):
            used = settled[assignment.pk].teams[row.pk].late_days
            for key in ((assignment.course_id, member) for member in row.members):
                left[key] = left.get(key, 0) - used
    return {assignment.pk: settled[assignment.pk] for assignment in wanted}


def _settle_one(
    rows: _Rows, assignment: Assignment, left: Mapping[tuple[int, int], int]
) -> Resolutions:
    terms, course = assignment.terms(), assignment.course_id
    closed_at = assignment.secret_revealed_at
    students = {
        user: _student(rows, assignment, terms, user, left[course, user])
        for (of, user) in rows.places
        if of == course
    }
    deadlines = Deadlines(terms, closed_at)
    teams = {
        row.pk: settle(
            deadlines.of(
                [students[user] for user in row.members if user in students], row.extended_due_at
            ),
            uploads=rows.uploads.get(row.pk, ()),
            rule=Rule(assignment.counts),
            chosen=rows.chosen.get(row.pk),
        )
        for row in rows.teams.get(assignment.pk, ())
    }
    in_teams = {
        user: teams[row.pk] for row in rows.teams.get(assignment.pk, ()) for user in row.members
    }
    alone = {
        user: settle(deadlines.of([student]))
        for user, student in students.items()
        if user not in in_teams
    }
    usual = settle(deadlines.of([]))
    return Resolutions(teams=teams, students=alone | in_teams, usual=usual)


def _student(
    rows: _Rows, assignment: Assignment, terms: Terms, user: int, late_days_left: int
) -> Student:
    enrolment = rows.places[assignment.course_id, user]
    own = terms
    if enrolment.section_id is not None:
        own = rows.sections.get((assignment.pk, enrolment.section_id), terms)
    return Student(
        name=enrolment.name,
        terms=own,
        time_percent=enrolment.time_percent,
        extended_due_at=rows.extensions.get((assignment.pk, user)),
        late_days_left=late_days_left,
    )


# --- Reading ------------------------------------------------------------------------------------


def _read(
    wanted: Sequence[Assignment],
    users: set[int] | None,
    keys: frozenset[int],
) -> _Rows:
    assignments = _with_rivals(wanted)
    if users is None:
        teams, people = _teams(assignments), None
    elif any(assignment.course.late_days for assignment in wanted):
        teams, people = _connected(_teams(assignments), users, keys)
    else:
        teams = _teams(assignments, users=users, keys=keys)
        people = users.union(*(row.members for row in teams))
    places = _places(assignments, people)
    return _Rows(
        assignments=assignments,
        teams=_by_assignment(teams),
        places=places,
        sections=_sections(assignments, places),
        extensions=_extensions(assignments, people),
        uploads=_uploads(assignments, None if people is None else teams),
        chosen=_chosen(assignments),
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
) -> list[_TeamRow]:
    """Teams with their members; of these users only, and these, if they are given."""
    teams = Team.objects.filter(assignment__in=assignments)
    if users is not None:
        wanted = Q(pk__in=keys)
        if users:
            wanted |= Q(pk__in=Team.objects.filter(memberships__user__in=users))
        teams = teams.filter(wanted)
    names = ("pk", "assignment_id", "extended_due_at", "memberships__user_id")
    rows: dict[int, _TeamRow] = {}
    for pk, of, extended, member in teams.order_by("memberships__pk").values_list(*names):
        row = rows.setdefault(pk, _TeamRow(pk=pk, assignment_id=of, extended_due_at=extended))
        if member is not None:
            row.members.append(member)
    return list(rows.values())


def _connected(
    teams: Sequence[_TeamRow], users: set[int], keys: frozenset[int]
) -> tuple[list[_TeamRow], set[int]]:
    """Return teams and people whose late days affect each other: partners, their partners, and so
    on."""
    people = users.union(*(row.members for row in teams if row.pk in keys))
    size = -1
    while size != len(people):
        size = len(people)
        people = people.union(*(row.members for row in teams if people.intersection(row.members)))
    connected = [row for row in teams if row.pk in keys or people.intersection(row.members)]
    return connected, people


def _by_assignment(teams: Iterable[_TeamRow]) -> dict[int, list[_TeamRow]]:
    grouped: dict[int, list[_TeamRow]] = defaultdict(list)
    for row in teams:
        grouped[row.assignment_id].append(row)
    return grouped


def _places(
    assignments: Iterable[Assignment], people: set[int] | None
) -> dict[tuple[int, int], _Place]:
    """Enrolments of these people as students; of all students where everybody is asked for."""
    courses = {assignment.course_id for assignment in assignments}
    enrolments = Enrolment.objects.filter(course__in=courses, role=Role.STUDENT)
    if people is not None:
        enrolments = enrolments.filter(user__in=people)
    names = ("course_id", "user_id", "user__display_name", "section_id", "time_percent")
    return {
        (course, user): _Place(name=name, section_id=section, time_percent=percent)
        for course, user, name, section, percent in enrolments.order_by("pk").values_list(*names)
    }


def _sections(
    assignments: Iterable[Assignment], places: Mapping[tuple[int, int], _Place]
) -> dict[tuple[int, int], Terms]:
    if all(enrolment.section_id is None for enrolment in places.values()):
        return {}
    dates = SectionDates.objects.filter(assignment__in=assignments)
    return {
        (section_dates.assignment_id, section_dates.section_id): section_dates.terms()
        for section_dates in dates.select_related("assignment", "section")
    }


def _extensions(
    assignments: Iterable[Assignment], people: set[int] | None
) -> dict[tuple[int, int], datetime | None]:
    """The latest decision about each student."""
    extensions = Extension.objects.filter(assignment__in=assignments, user__isnull=False)
    if people is not None:
        extensions = extensions.filter(user__in=people)
    rows = extensions.order_by("granted_at", "pk").values_list("assignment_id", "user_id", "due_at")
    return {(assignment, user): due for assignment, user, due in rows if user is not None}


def _uploads(
    assignments: Sequence[Assignment], teams: Iterable[_TeamRow] | None
) -> dict[int, list[Candidate]]:
    """Accepted uploads of these teams; of all of the assignments where none are given."""
    ready = Team.objects.filter(assignment__in=assignments, submissions__status=_READY)
    if teams is not None:
        ready = ready.filter(pk__in=[row.pk for row in teams])
    practice = _practice(assignments)
    names = ("pk", "submissions__pk", "submissions__number", "submissions__uploaded_at")
    uploads: dict[int, list[Candidate]] = defaultdict(list)
    for team, pk, number, at in ready.values_list(*names):
        mean = practice.get(pk)
        uploads[team].append(Candidate(pk=pk, number=number, uploaded_at=at, practice=mean))
    return uploads


def _practice(assignments: Iterable[Assignment]) -> dict[int, float]:
    """By submission its mean in practice, negated where few points win, if means decide."""
    signs = {
        assignment.pk: -1.0 if assignment.rules.lower_is_better else 1.0
        for assignment in assignments
        if assignment.counts == Rule.BEST
    }
    if not signs:
        return {}
    means = Assignment.objects.filter(
        pk__in=signs,
        evaluations__kind="practice",
        evaluations__is_current=True,
        evaluations__submission__isnull=False,
    )
    rows = means.values_list("pk", "evaluations__submission_id", "evaluations__mean")
    return {of: signs[pk] * mean for pk, of, mean in rows if mean is not None}


def _chosen(assignments: Iterable[Assignment]) -> dict[int, int]:
    """By team the submission that it chose last, where teams choose."""
    asking = [assignment for assignment in assignments if assignment.counts == Rule.CHOICE]
    if not asking:
        return {}
    chosen = Team.objects.filter(assignment__in=asking, choices__isnull=False)
    return dict(chosen.order_by("choices__pk").values_list("pk", "choices__submission_id"))
