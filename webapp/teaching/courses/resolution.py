"""Resolves due dates, penalties and counted uploads: by ``courses.deadlines``, from the rows.

Everything that shows or uses a deadline asks here. Late days make the assignments of a course
depend on one another: they are used by those that are due first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from webapp.teaching.courses.deadlines import (
    DeadlineRule,
    Deadlines,
    Resolution,
    Student,
    Terms,
    resolve_by,
)
from webapp.teaching.courses.models import Assignment, Team
from webapp.teaching.courses.permissions import Person
from webapp.teaching.courses.resolution_rows import Rows, read_rows

_NONE: Final[frozenset[int]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolutions:
    """The dates and counted uploads of one assignment."""

    teams: Mapping[int, Resolution]
    """By the team's key."""
    students: Mapping[int, Resolution]
    """By the user's key: through their team if they have one."""
    default: Resolution
    """The resolution without section or grants: of staff, and before anyone is enrolled."""

    def of(self, user_id: int | None) -> Resolution:
        """The user's."""
        return self.default if user_id is None else self.students.get(user_id, self.default)

    @property
    def last_ends_at(self) -> datetime:
        """The last moment at which an upload can count."""
        everybody = (self.default, *self.teams.values(), *self.students.values())
        return max(student.deadline.ends_at for student in everybody)


def resolve_assignment(assignment: Assignment) -> Resolutions:
    """Return the resolutions of every team and student. At most eight queries."""
    return _resolve([assignment], None)[assignment.pk]


def resolve_for(user: Person, assignments: Iterable[Assignment]) -> dict[int, Resolutions]:
    """Return one user's resolutions by the assignment's key. At most eight queries."""
    return resolve_many(list(assignments), [user.pk] if user.pk else [])


def resolve_users(
    assignment: Assignment, users: Iterable[int], teams: Iterable[int] = ()
) -> Resolutions:
    """Return the resolutions of these users, their teams, and these. At most eight queries."""
    return _resolve([assignment], set(users), frozenset(teams))[assignment.pk]


def resolve_many(
    assignments: Sequence[Assignment], users: Iterable[int] | None = None
) -> dict[int, Resolutions]:
    """Return resolutions of these users, or all, by the assignment's key. At most eight queries."""
    return _resolve(assignments, None if users is None else set(users)) if assignments else {}


def resolution_for(user: Person, assignment: Assignment) -> Resolution:
    """Return this user's resolution: that of their team, or alone while they have none."""
    return resolve_for(user, [assignment])[assignment.pk].of(user.pk)


def resolution_of(team: Team) -> Resolution:
    """Return the resolution of this team. At most eight queries."""
    return resolve_teams(team.assignment, [team.pk])[team.pk]


def resolve_teams(assignment: Assignment, teams: Iterable[int]) -> Mapping[int, Resolution]:
    """Return the resolutions of these teams by their keys. At most eight queries."""
    keys = frozenset(teams)
    resolutions = _resolve([assignment], set(), keys)[assignment.pk].teams
    return {key: resolutions[key] for key in keys}


def _resolve(
    wanted: Sequence[Assignment], users: set[int] | None, keys: frozenset[int] = _NONE
) -> dict[int, Resolutions]:
    """Resolve assignments in the order of their due dates, for these people or for all."""
    rows = read_rows(wanted, users, keys)
    granted = {assignment.course_id: assignment.course.late_days for assignment in rows.assignments}
    left = {(course, user): granted[course] for course, user in rows.places}
    resolutions = {}
    for assignment in sorted(
        rows.assignments, key=lambda assignment: (assignment.due_at, assignment.pk)
    ):
        resolutions[assignment.pk] = _resolve_one(rows, assignment, left)
        for row in rows.teams.get(assignment.pk, ()):
            used = resolutions[assignment.pk].teams[row.pk].late_days
            for key in ((assignment.course_id, member) for member in row.members):
                left[key] = left.get(key, 0) - used
    return {assignment.pk: resolutions[assignment.pk] for assignment in wanted}


def _resolve_one(
    rows: Rows, assignment: Assignment, left: Mapping[tuple[int, int], int]
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
        row.pk: resolve_by(
            deadlines.of(
                [students[user] for user in row.members if user in students], row.extended_due_at
            ),
            uploads=rows.uploads.get(row.pk, ()),
            rule=DeadlineRule(assignment.counts),
            chosen=rows.chosen.get(row.pk),
        )
        for row in rows.teams.get(assignment.pk, ())
    }
    in_teams = {
        user: teams[row.pk] for row in rows.teams.get(assignment.pk, ()) for user in row.members
    }
    alone = {
        user: resolve_by(deadlines.of([student]))
        for user, student in students.items()
        if user not in in_teams
    }
    default = resolve_by(deadlines.of([]))
    return Resolutions(teams=teams, students=alone | in_teams, default=default)


def _student(
    rows: Rows, assignment: Assignment, terms: Terms, user: int, late_days_left: int
) -> Student:
    enrolment = rows.places[assignment.course_id, user]
    of_sections = [rows.sections.get((assignment.pk, pk), terms) for pk in enrolment.section_ids]
    own = max(of_sections, key=lambda each: each.due_at, default=terms)  # the later one
    return Student(
        name=enrolment.name,
        terms=own,
        time_percent=enrolment.time_percent,
        extended_due_at=rows.extensions.get((assignment.pk, user)),
        late_days_left=late_days_left,
    )
