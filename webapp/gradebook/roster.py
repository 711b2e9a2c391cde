"""Rows of the staff's page of an assignment: its teams, students without one, and what each needs.

Names and keys alone, for thousands of rows; ``overview`` reads the rest of those that are shown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from webapp.courses.models import (
    Assignment,
    Enrolment,
    Extension,
    Membership,
    Role,
    Team,
    in_one_of,
)
from webapp.gradebook.faults import IS_FAULTY, flagged_teams
from webapp.gradebook.models import Grade
from webapp.gradebook.overview import teams_like
from webapp.submissions.models import Submission, SubmissionStatus

__all__ = [
    "MOSTLY_LOST",
    "NO_SECTION",
    "Need",
    "RosterRow",
    "is_mostly_lost",
    "roster_of",
    "running_extensions",
]

NO_SECTION: Final = "none"
"""The filter for people without a section."""
_LONGEST_KEY: Final = 18
"""Digits that every database takes for a key."""
MOSTLY_LOST: Final = 2
"""Staff check a grade if at least one in this many games was lost."""


class Need(StrEnum):
    """A reason for staff to check a row; the value is the word in the page's address."""

    CHECK = "check"
    """Many faults, most games lost, a flag; after the deadline also no upload, or none accepted."""
    NO_UPLOAD = "no-upload"
    """Nothing uploaded."""
    EXTENSION = "extensions"
    """More time than the others."""
    NOT_GRADED = "not-graded"
    """No grade yet."""
    FAULTS = "faults"
    """Many of its graded games ended with a fault."""
    LOST = "lost"
    """Most of its graded games were lost."""
    FLAGGED = "flagged"
    """A replay audit flagged its graded games, or games of a tournament."""
    REJECTED = "rejected"
    """The time for uploads is over, and none of them was accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterRow:
    """A team, or a student who is in none."""

    name: str
    team: int | None = None
    student: int | None = None
    """The user's key; ``None`` for a team."""
    needs: frozenset[Need]


def roster_of(
    assignment: Assignment, *, is_closed: bool, words: str = "", section: str = ""
) -> list[RosterRow]:
    """Return the rows by name. Seven queries.

    ``is_closed``: the time for uploads is over, but for extensions. ``words``: in the name of a
    team, of a member, or in their address. ``section``: a section's key, or ``none``.
    """
    facts = _Facts.of(assignment, is_closed=is_closed)
    teams = _teams(assignment, words, section).values_list("pk", "name")
    rows = [RosterRow(name=name, team=pk, needs=frozenset(facts.of_team(pk))) for pk, name in teams]
    students = _without_team(assignment, words, section)
    rows += [
        RosterRow(name=name, student=pk, needs=frozenset(facts.of_student(pk)))
        for pk, name in students.values_list("user_id", "user__display_name")
    ]
    return sorted(rows, key=lambda row: (row.name.casefold(), row.team or 0, row.student or 0))


def is_mostly_lost(lost: int | None, games: int) -> bool:
    """Return whether at least one of ``MOSTLY_LOST`` games was lost."""
    return bool(lost) and (lost or 0) * MOSTLY_LOST >= games


def _in_section(enrolments: QuerySet[Enrolment], section: str) -> QuerySet[Enrolment]:
    if section == NO_SECTION:
        return enrolments.filter(section__isnull=True)
    is_key = section.isdecimal() and len(section) <= _LONGEST_KEY
    return enrolments.filter(in_one_of(section=section)) if is_key else enrolments.none()


def _teams(assignment: Assignment, words: str, section: str) -> QuerySet[Team]:
    teams = teams_like(assignment, words)
    if not section:
        return teams
    here = assignment.course.enrolments.filter(user__memberships__team=OuterRef("pk"))
    return teams.filter(Exists(_in_section(here, section)))


def _without_team(assignment: Assignment, words: str, section: str) -> QuerySet[Enrolment]:
    in_team = Membership.objects.filter(assignment=assignment, user=OuterRef("user"))
    students = assignment.course.enrolments.active().filter(~Exists(in_team), role=Role.STUDENT)
    if words:
        students = students.filter(
            Q(user__display_name__icontains=words) | Q(user__email__icontains=words)
        )
    return _in_section(students, section) if section else students


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """Keys of teams and users with something to report."""

    uploads: Mapping[int, tuple[int, int]]
    """Uploads by team, and those of them that were rejected."""
    graded: frozenset[int]
    faulty: frozenset[int]
    lost: frozenset[int]
    flagged: frozenset[int]
    noted: frozenset[int]
    """Faulty, lost and flagged ones."""
    extended_teams: frozenset[int]
    extended_users: frozenset[int]
    is_closed: bool

    @classmethod
    def of(cls, assignment: Assignment, *, is_closed: bool) -> "_Facts":
        """Read them. Five queries."""
        grades = Grade.objects.filter(team__assignment=assignment, is_current=True)
        names = ("team", "evaluation__lost", "evaluation__n_games", "is_faulty")
        games = list(grades.annotate(is_faulty=IS_FAULTY).values_list(*names))
        teams, users = _extended(assignment)
        faulty = frozenset(team for team, *_, is_faulty in games if is_faulty)
        lost = frozenset(team for team, lost, number, _ in games if is_mostly_lost(lost, number))
        flagged = frozenset(flagged_teams(assignment))
        return cls(
            uploads=_uploads(assignment),
            graded=frozenset(team for team, *_ in games),
            faulty=faulty,
            lost=lost,
            flagged=flagged,
            noted=faulty | lost | flagged,
            extended_teams=teams,
            extended_users=users,
            is_closed=is_closed,
        )

    def of_team(self, team: int) -> Iterator[Need]:
        """Yield the tasks that a team gives its staff."""
        uploads, rejected = self.uploads.get(team, (0, 0))
        is_extended = team in self.extended_teams
        if team in self.faulty:
            yield Need.FAULTS
        if team in self.lost:
            yield Need.LOST
        if team in self.flagged:
            yield Need.FLAGGED
        has_nothing = uploads == rejected and self.is_closed and not is_extended
        if has_nothing and uploads:
            yield Need.REJECTED
        if has_nothing or team in self.noted:
            yield Need.CHECK
        if not uploads:
            yield Need.NO_UPLOAD
        if is_extended:
            yield Need.EXTENSION
        if team not in self.graded:
            yield Need.NOT_GRADED

    def of_student(self, user: int) -> Iterator[Need]:
        """Yield the tasks that a student without a team gives the staff."""
        yield Need.NO_UPLOAD
        yield Need.NOT_GRADED
        if user in self.extended_users:
            yield Need.EXTENSION
        elif self.is_closed:
            yield Need.CHECK


def _uploads(assignment: Assignment) -> dict[int, tuple[int, int]]:
    submissions = Submission.objects.filter(team__assignment=assignment).order_by()
    rejected = Count("pk", filter=Q(status=SubmissionStatus.REJECTED))
    rows = submissions.values_list("team").annotate(number=Count("pk"), rejected=rejected)
    return {team: (number, rejected) for team, number, rejected in rows}


def _extended(assignment: Assignment) -> tuple[frozenset[int], frozenset[int]]:
    """Return the teams and the users with more time; a student's extension is the team's, too."""
    users = frozenset(_granted(assignment, assignment.due_at))
    own = Q(memberships__user__in=users) | Q(extended_due_at__gt=assignment.due_at)
    teams = Team.objects.filter(own, assignment=assignment).order_by().values_list("pk", flat=True)
    return frozenset(teams), users


def _granted(assignment: Assignment, after: datetime) -> list[int]:
    """Return the users with an extension of their own that ends after this time."""
    grants = Extension.objects.filter(assignment=assignment, user__isnull=False)
    last = dict(grants.order_by("pk").values_list("user", "due_at"))
    return [user for user, due_at in last.items() if user and due_at and due_at > after]


def running_extensions(assignment: Assignment, at: datetime) -> int:
    """Count the extensions that still run after the due date. Two queries at most."""
    if at <= assignment.due_at:
        return 0
    teams = assignment.teams.filter(extended_due_at__gt=at).count()
    return teams + len(_granted(assignment, at))
