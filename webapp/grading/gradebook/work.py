"""The work of teams on assignments, which pages, exports and grading read alike. For staff only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Final, TypeVar

from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.columns import Columns, Uploads
from webapp.grading.gradebook.faults import is_mostly_lost
from webapp.grading.gradebook.models import Grade
from webapp.grading.gradebook.points import Points
from webapp.grading.gradebook.students import students_without_team, teams_like
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.deadlines import Candidate, Cause, Resolution
from webapp.teaching.courses.models import Assignment, EnrolmentState, Membership, Role, Team

_MORE_TIME: Final = frozenset({Cause.ACCOMMODATION, Cause.EXTENSION, Cause.TEAM_EXTENSION})
_Value = TypeVar("_Value")


class Need(StrEnum):
    """A reason for staff to check a row; the value is the word in the page's address."""

    CHECK = "check"
    """Many faults, most games lost, a flag; once its time is over, also no accepted upload."""
    NO_UPLOAD = "no-upload"
    EXTENSION = "extensions"
    """More time than others in its section."""
    NOT_GRADED = "not-graded"
    FAULTS = "faults"
    """Many of its graded games ended with a fault."""
    LOST = "lost"
    FLAGGED = "flagged"
    REJECTED = "rejected"
    """Its time for uploads is over, and none of them was accepted."""


class GradeStatus(StrEnum):
    """Why there is a grade, or none."""

    GRADED = "graded"
    """The grade rests on the submission that counts."""
    OUTDATED = "outdated"
    """The grade rests on another submission: the graded evaluation must be run again."""
    NOT_GRADED = "not graded"
    """There is a submission that counts, and no finished graded evaluation yet."""
    TESTING = "still being tested"
    """Nothing counts yet; an upload that was early enough is in its smoke test."""
    NOTHING_COUNTS = "no counted submission"
    """Something was uploaded, but nothing was ready by the deadline as it is now."""
    NOT_SUBMITTED = "not submitted"


@dataclass(frozen=True, kw_only=True, eq=False)
class TeamWork:
    """The work of a team; with ``user``, as it is that student's, who may have no team."""

    _columns: Columns = field(repr=False)
    assignment: Assignment
    team: Team | None = None
    user: int | None = None
    name: str = ""
    """The team's, or that of a student without a team."""

    @property
    def members(self) -> tuple[User, ...]:
        return self._of_team(self._columns.members, ())

    @cached_property
    def resolution(self) -> Resolution:
        every = self._columns.by_assignment[self.assignment.pk]
        if self.team is None:
            return every.of(self.user)
        return every.teams.get(self.team.pk, every.default)  # it may have been made a moment ago

    @property
    def due_at(self) -> datetime:
        return self.resolution.deadline.due_at

    @property
    def ends_at(self) -> datetime:
        return self.resolution.deadline.ends_at

    @property
    def is_over(self) -> bool:
        return self._columns.now > self.ends_at

    @property
    def is_overdue(self) -> bool:
        """True once an upload costs a penalty, or no longer counts."""
        return self._columns.now > self.resolution.deadline.free_until

    @property
    def is_extended(self) -> bool:
        """True with more time than others in the section."""
        return any(step.cause in _MORE_TIME for step in self.resolution.deadline.steps)

    @property
    def has_more_time(self) -> bool:
        """True while it may still upload on time, and most others may not."""
        return self.is_extended and self.due_at > self._columns.now > self.assignment.due_at

    @property
    def is_missing(self) -> bool:
        """True if time is over, and no upload counts or may yet."""
        untested = self._columns.untested.get((self.assignment.pk, self.user or 0))
        return self.resolution.is_missed_at(self._columns.now, untested)

    @property
    def counted(self) -> Candidate | None:
        return self.resolution.counted

    @property
    def uploads(self) -> Uploads:
        return self._of_team(self._columns.uploads, Uploads())

    @property
    def testing(self) -> Submission | None:
        """A later upload, early enough, which will count if its smoke test goes well."""
        return self._of_team(self._columns.testing, None)

    @property
    def practice(self) -> float | None:
        return None if self.counted is None else self._columns.practice.get(self.counted.pk)

    @property
    def run(self) -> Evaluation | None:
        return self._of_team(self._columns.runs, None)

    @cached_property
    def grade(self) -> Grade | None:
        return next((grade for grade in self._grades if grade.is_current), None)

    @property
    def earlier(self) -> list[Grade]:
        """Earlier grades, and those that a better one kept from counting; newest first."""
        return [grade for grade in self._grades if not grade.is_current]

    @property
    def evaluation(self) -> Evaluation | None:
        return None if self.grade is None else self.grade.evaluation

    @property
    def is_graded(self) -> bool:
        return self.status is GradeStatus.GRADED

    @property
    def points(self) -> Points:
        key = (self.assignment.pk, self.user or 0)
        is_held = self.user in self._columns.held[self.assignment.pk]
        by_hand = self._columns.by_hand.get(key, ())
        return Points(grade=self.grade, manual=by_hand, is_held=is_held)

    @property
    def status(self) -> GradeStatus:
        if self.counted is None:
            if self.testing is not None:
                return GradeStatus.TESTING
            has_uploads = self.uploads.n_all > 0
            return GradeStatus.NOTHING_COUNTS if has_uploads else GradeStatus.NOT_SUBMITTED
        if self.grade is None:
            return GradeStatus.NOT_GRADED
        is_same = self.grade.evaluation.submission_id == self.counted.pk
        return GradeStatus.GRADED if is_same else GradeStatus.OUTDATED

    @cached_property
    def needs(self) -> frozenset[Need]:
        columns, key = self._columns, None if self.team is None else self.team.pk
        games = columns.games.get(key or 0)
        needs = set()
        if games is not None and games.is_faulty:
            needs.add(Need.FAULTS)
        if games is not None and is_mostly_lost(games.lost, games.number):
            needs.add(Need.LOST)
        if key in columns.flagged:
            needs.add(Need.FLAGGED)
        uploads = self.uploads
        has_nothing = uploads.n_all == uploads.n_rejected and self.is_overdue
        if has_nothing or needs:
            needs.add(Need.CHECK)
        if has_nothing and uploads.n_all:
            needs.add(Need.REJECTED)
        if not uploads.n_all:
            needs.add(Need.NO_UPLOAD)
        if games is None:
            needs.add(Need.NOT_GRADED)
        if self.is_extended:
            needs.add(Need.EXTENSION)
        return frozenset(needs)

    @property
    def _grades(self) -> Sequence[Grade]:
        return self._of_team(self._columns.grades, ())

    def _of_team(self, column: Mapping[int, _Value], default: _Value) -> _Value:
        return default if self.team is None else column.get(self.team.pk, default)


class Work(Columns):
    """The work of teams and of students without one, as rows of these columns."""

    def rows(self) -> list[TeamWork]:
        """Return the teams by name."""
        return [self._row(team) for team in self.teams.values()]

    def of(self, assignment: Assignment, user: int) -> TeamWork:
        """Return the work of a user: their team's, with their own points."""
        team = self.team_of.get((assignment.pk, user))
        return TeamWork(_columns=self, assignment=assignment, team=team, user=user)

    def roster(self, words: str = "", section: str = "") -> list[TeamWork]:
        """Return the teams of the one assignment, and students without one, by name.

        ``words``: in a name or address. ``section``: a section's key, or ``none``.
        """
        if not words and not section:
            return self._roster
        (assignment,) = self.assignments.values()
        teams = set(teams_like(assignment, words, section).values_list("pk", flat=True))
        students = students_without_team(assignment, words, section)
        users = set(students.values_list("user_id", flat=True))
        return [
            row
            for row in self._roster
            if (row.user in users if row.team is None else row.team.pk in teams)
        ]

    def alone(self, rows: Sequence[TeamWork]) -> list[TeamWork]:
        """Return these rows with columns that are read for their teams alone."""
        keys = [row.team.pk for row in rows if row.team is not None]
        work = Work(
            self.assignments.values(), teams=keys, by_assignment=self.by_assignment, at=self.now
        )
        return [replace(row, _columns=work) for row in rows]

    def n_graded_students(self) -> int:
        """Count the students with a grade of what counts. Two queries and the dates'."""
        (assignment,) = self.assignments.values()
        current = Grade.objects.filter(team__in=self.chosen, is_current=True)
        graded = {
            team
            for team, submission in current.values_list("team", "evaluation__submission")
            if (counted := self.resolutions[team].counted) is not None and counted.pk == submission
        }
        members = Membership.objects.filter(
            assignment=assignment,
            user__enrolments__course=assignment.course_id,
            user__enrolments__role=Role.STUDENT,
            user__enrolments__state__in=[EnrolmentState.ACTIVE, EnrolmentState.WITHDRAWN],
        )
        return sum(team in graded for team in members.values_list("team_id", flat=True))

    @cached_property
    def _roster(self) -> list[TeamWork]:
        (assignment,) = self.assignments.values()
        rows = self.rows()
        students = students_without_team(assignment).values_list("user_id", "user__display_name")
        rows += [
            TeamWork(_columns=self, assignment=assignment, user=user, name=name)
            for user, name in students
        ]
        return sorted(rows, key=lambda row: (row.name.casefold(), row.user or 0))

    def _row(self, team: Team) -> TeamWork:
        return TeamWork(_columns=self, assignment=team.assignment, team=team, name=team.name)
