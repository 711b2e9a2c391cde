"""Reads what staff are shown of the work of teams on assignments, a column at a time.

A column is read when a row first asks for it, for all rows in one query.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Final, NamedTuple

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from webapp.grading.evaluations.models import Evaluation, Kind, Status
from webapp.grading.gradebook.faults import IS_FAULTY, flagged_teams
from webapp.grading.gradebook.models import Grade, ManualPoints
from webapp.grading.gradebook.points import manual_points
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.grading.submissions.selectors import untested_since
from webapp.people.accounts.models import User
from webapp.teaching.courses.deadlines import Resolution
from webapp.teaching.courses.models import Assignment, Membership, Team
from webapp.teaching.courses.releases import held_by_assignment
from webapp.teaching.courses.resolution import Resolutions, resolve_many, resolve_users

# The other columns of an evaluation are long: reading them takes longer than all the rest.
_OF_RUN: Final = (
    *("uuid", "status", "kind", "verdict", "interface", "n_games", "games_done"),
    *("won", "high", "standard_error", "lost", "faults", "submission_id"),
)
_OF_GRADE: Final = (
    *("team_id", "mean", "points", "full_points", "penalty_percent", "graded_at", "is_current"),
    *("changed_by__display_name", "evaluation__submission__number"),
    *("evaluation__submission__uploaded_at", *(f"evaluation__{column}" for column in _OF_RUN)),
)


class Uploads(NamedTuple):
    n_all: int = 0
    n_rejected: int = 0
    latest: int | None = None
    latest_number: int = 0
    latest_rejected: int | None = None

    @property
    def ends_rejected(self) -> bool:
        return self.latest is not None and self.latest == self.latest_rejected


class Games(NamedTuple):
    lost: int | None
    number: int
    is_faulty: bool


class Columns:
    """The work on some assignments: of these users, of these teams of one assignment, or of all."""

    def __init__(
        self,
        assignments: Iterable[Assignment],
        *,
        users: Collection[int] | None = None,
        teams: Collection[int] | None = None,
        by_assignment: Mapping[int, Resolutions] | None = None,
        has_runs: bool = True,
        at: datetime | None = None,
    ) -> None:
        """``by_assignment``: resolutions that are known. ``has_runs``: read evaluations too."""
        self.assignments = {assignment.pk: assignment for assignment in assignments}
        self.now = at or timezone.now()
        self._users = users
        self._keys = teams
        self._has_runs = has_runs
        if by_assignment is not None:
            self.by_assignment = by_assignment

    @cached_property
    def by_assignment(self) -> Mapping[int, Resolutions]:
        """Dates, lateness and counted uploads, by assignment. At most eight queries."""
        assignments = list(self.assignments.values())
        if self._keys is not None:
            return {each.pk: resolve_users(each, (), self._keys) for each in assignments}
        return resolve_many(assignments, self._users)

    @cached_property
    def resolutions(self) -> dict[int, Resolution]:
        """Dates, lateness and counted uploads, by team."""
        return {pk: one for every in self.by_assignment.values() for pk, one in every.teams.items()}

    @cached_property
    def teams(self) -> dict[int, Team]:
        """Teams by their keys, in the order of names."""
        teams = {team.pk: team for team in self.chosen.order_by("name", "pk")}
        for team in teams.values():
            team.assignment = self.assignments[team.assignment_id]  # not one for each
        return teams

    @cached_property
    def team_of(self) -> dict[tuple[int, int], Team]:
        """Teams by assignment and user."""
        members = Membership.objects.filter(assignment__in=self.assignments)
        if self._users is not None:
            members = members.filter(user__in=self._users)
        rows = members.select_related("team")
        return {(row.assignment_id, row.user_id): row.team for row in rows}

    @cached_property
    def members(self) -> dict[int, tuple[User, ...]]:
        """By team, in the order in which they came."""
        people: dict[int, tuple[User, ...]] = {}
        rows = Membership.objects.filter(team__in=self.chosen).select_related("user").order_by("pk")
        for row in rows.only("team_id", "user__display_name"):
            people[row.team_id] = (*people.get(row.team_id, ()), row.user)
        return people

    @cached_property
    def uploads(self) -> dict[int, Uploads]:
        """By team."""
        rows = Submission.objects.filter(team__in=self.chosen).order_by().values_list("team")
        rejected = Q(status=SubmissionStatus.REJECTED)
        figures = rows.annotate(
            n_all=Count("pk"),
            n_rejected=Count("pk", filter=rejected),
            latest=Max("pk"),
            latest_number=Max("number"),
            latest_rejected=Max("pk", filter=rejected),
        )
        return {team: Uploads(*some) for team, *some in figures}

    @cached_property
    def testing(self) -> dict[int, Submission]:
        """By team the latest early enough upload in its first test, if newer than what counts."""
        tests = Evaluation.objects.open().filter(assignment__in=self.assignments, kind=Kind.SMOKE)
        uploaded = Submission.objects.filter(pk__in=tests.values("submission"))
        judged = (SubmissionStatus.READY, SubmissionStatus.REJECTED)
        return {
            submission.team_id: submission
            for submission in uploaded.exclude(status__in=judged).order_by("number")
            if (resolution := self.resolutions.get(submission.team_id)) is not None
            and submission.uploaded_at <= resolution.deadline.ends_at
            and (resolution.counted is None or submission.number > resolution.counted.number)
        }

    @cached_property
    def untested(self) -> dict[tuple[int, int], datetime]:
        """The time of the first upload that no test has judged, by assignment and user."""
        return untested_since(list(self.assignments.values()), self._users)

    @cached_property
    def practice(self) -> dict[int | None, float | None]:
        """The mean of the last finished practice, by counted submission."""
        counted = [one.counted.pk for one in self.resolutions.values() if one.counted is not None]
        finished = Evaluation.objects.filter(kind=Kind.PRACTICE, status=Status.FINISHED)
        runs = finished.filter(submission__in=counted, submission__team__in=self.chosen)
        return dict(runs.order_by("pk").values_list("submission_id", "mean"))

    @cached_property
    def runs(self) -> dict[int, Evaluation]:
        """By team its latest graded evaluation, in any status."""
        graded = Evaluation.objects.filter(kind=Kind.GRADED, submission__team=OuterRef("pk"))
        # By their keys: clocks may be wrong.
        last = Subquery(graded.order_by("-pk").values("pk")[:1])
        runs = Evaluation.objects.filter(pk__in=self.chosen.annotate(last=last).values("last"))
        columns = ("submission__number", "submission__team_id", *_OF_RUN)
        return {
            run.submission.team_id: run
            for run in runs.select_related("submission").only(*columns)
            if run.submission is not None
        }

    @cached_property
    def grades(self) -> dict[int, list[Grade]]:
        """By team its grades, in the order of the model; the present ones alone without runs."""
        grades = Grade.objects.filter(team__in=self.chosen)
        if self._has_runs:
            grades = grades.select_related("evaluation__submission", "changed_by").only(*_OF_GRADE)
        else:
            columns = ("team_id", "points", "penalty_percent", "graded_at", "is_current")
            grades = grades.filter(is_current=True).only(*columns)
        made: dict[int, list[Grade]] = {}
        for grade in grades:
            made.setdefault(grade.team_id, []).append(grade)
        return made

    @cached_property
    def by_hand(self) -> Mapping[tuple[int, int], tuple[ManualPoints, ...]]:
        """Points by hand that hold, by assignment and user."""
        return manual_points(list(self.assignments.values()), self._users)

    @cached_property
    def held(self) -> dict[int, frozenset[int]]:
        """By assignment the users from whom their points are hidden."""
        return held_by_assignment(list(self.assignments.values()), self._users)

    @cached_property
    def games(self) -> dict[int, Games]:
        """By graded team."""
        grades = Grade.objects.filter(team__in=self.chosen, is_current=True)
        columns = ("team", "evaluation__lost", "evaluation__n_games", "is_faulty")
        rows = grades.annotate(is_faulty=IS_FAULTY).values_list(*columns)
        return {team: Games(*figures) for team, *figures in rows}

    @cached_property
    def flagged(self) -> frozenset[int]:
        return frozenset(key for each in self.assignments.values() for key in flagged_teams(each))

    @cached_property
    def chosen(self) -> QuerySet[Team, Any]:
        teams = Team.objects.filter(assignment__in=self.assignments)
        if self._keys is not None:
            return teams.filter(pk__in=self._keys)
        if self._users is None:
            return teams
        members = Membership.objects.filter(assignment__in=self.assignments, user__in=self._users)
        return teams.filter(pk__in=members.values("team"))
