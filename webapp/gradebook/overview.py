"""The staff's view of an assignment: every team, what it uploaded, and how it is graded."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from webapp.accounts.models import User
from webapp.courses.deadlines import Candidate, Resolution
from webapp.courses.models import Assignment, Membership, Team
from webapp.courses.resolution import resolve_assignment, resolve_teams
from webapp.evaluations.history import submissions_in_test
from webapp.evaluations.models import Evaluation, Kind, Status
from webapp.gradebook.models import Grade
from webapp.submissions.models import Submission
from webapp.submissions.selectors import in_brief

__all__ = [
    "LONG_COLUMNS",
    "TeamOverview",
    "TeamToGrade",
    "staff_overview",
    "teams_like",
    "teams_to_grade",
]

LONG_COLUMNS: Final = ("spec", "histogram", "opponents", "insights", "against", "turn_ms")
"""JSON of an evaluation that tables do not show. To read it takes longer than all the rest."""
_OF_RUN: Final = (
    *("uuid", "status", "kind", "verdict", "n_games", "games_done", "faults", "lost"),
    *("high", "won", "submission_id"),
)
_OF_GRADE: Final = (
    "team_id", "evaluation_id", "mean", "points", "full_points", "penalty_percent",
)  # fmt: skip
"""Columns that the table shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamOverview:
    """One team."""

    team: Team
    members: tuple[User, ...]
    submissions: int
    """The number of its uploads."""
    latest: Submission | None
    counted: Submission | None
    testing: Submission | None
    """A later upload, early enough, which will count if its smoke test goes well."""
    graded: Evaluation | None
    """Its latest graded evaluation, in any status."""
    grade: Grade | None

    practice: float | None
    """The mean of the last finished practice of the submission that counts."""
    settled: Resolution
    """Its due date, and how late the submission is that counts."""

    @property
    def due_at(self) -> datetime:
        """The team's due date, with all extensions."""
        return self.settled.deadline.due_at

    @property
    def ends_at(self) -> datetime:
        """The time from which no upload of the team counts."""
        return self.settled.deadline.ends_at

    @property
    def is_graded(self) -> bool:
        """True if its grade rests on the submission that counts."""
        if self.counted is None or self.grade is None:
            return False
        return self.grade.evaluation.submission_id == self.counted.pk


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamToGrade:
    """A team before all are graded: names and numbers alone, for a thousand of them at once."""

    name: str
    settled: Resolution
    testing: Submission | None
    """As in ``TeamOverview``."""
    was_requested: bool
    """True if a graded evaluation was requested before, even if it failed."""
    graded_submission: int | None
    """The key of the submission that its grade rests on."""

    @property
    def counted(self) -> Candidate | None:
        """The upload that counts."""
        return self.settled.counted

    @property
    def ends_at(self) -> datetime:
        """The time from which no upload of the team counts."""
        return self.settled.deadline.ends_at

    @property
    def is_graded(self) -> bool:
        """True if its grade rests on the submission that counts."""
        return self.counted is not None and self.counted.pk == self.graded_submission


def teams_to_grade(assignment: Assignment, team: Team | None = None) -> list[TeamToGrade]:
    """Return all teams in the order of names, or this one. Four queries, and the deadlines'."""
    teams = teams_like(assignment) if team is None else Team.objects.filter(pk=team.pk)
    settled = (
        resolve_assignment(assignment).teams
        if team is None
        else resolve_teams(assignment, [team.pk])
    )
    testing = submissions_in_test(assignment, settled)
    keys = teams.order_by().values("pk")
    requested = Evaluation.objects.filter(kind=Kind.GRADED, submission__team__in=keys)
    with_request = set(requested.values_list("submission__team_id", flat=True))
    grades = Grade.objects.filter(team__in=keys, is_current=True)
    graded = dict(grades.values_list("team_id", "evaluation__submission_id"))
    return [
        TeamToGrade(
            name=name,
            settled=settled[pk],
            testing=_if_later(testing.get(pk), settled[pk].counted),
            was_requested=pk in with_request,
            graded_submission=graded.get(pk),
        )
        for pk, name in teams.values_list("pk", "name")
    ]


def teams_like(assignment: Assignment, words: str = "") -> QuerySet[Team]:
    """Return the assignment's teams by name, filtered by words in their name or a member's."""
    teams = Team.objects.filter(assignment=assignment).order_by("name", "pk")
    if not words:
        return teams
    members = Membership.objects.filter(team=OuterRef("pk")).filter(
        Q(user__display_name__icontains=words) | Q(user__email__icontains=words)
    )
    return teams.filter(Q(name__icontains=words) | Q(alias__icontains=words) | Exists(members))


def staff_overview(
    assignment: Assignment, teams: Sequence[int] | None = None
) -> list[TeamOverview]:
    """Return all teams in the order of names, or those with these keys. For staff only.

    A fixed number of queries.
    """
    rows, settled = _settled(assignment, teams)
    counted = {team: one.counted.pk for team, one in settled.items() if one.counted is not None}
    uploads = in_brief({*counted.values(), *(row.last_upload for row in rows)})
    testing = submissions_in_test(assignment, settled)
    practice = _practice_of(counted.values())
    grades = _current_grades([row.pk for row in rows])
    runs = _runs({*(row.last_run for row in rows), *(one.evaluation_id for one in grades.values())})
    for grade in grades.values():
        grade.evaluation = runs[grade.evaluation_id]
    return [
        TeamOverview(
            team=row,
            settled=settled[row.pk],
            members=tuple(row.users.all()),
            submissions=row.uploads,
            latest=uploads.get(row.last_upload),
            counted=uploads.get(counted.get(row.pk)),
            testing=_if_later(testing.get(row.pk), settled[row.pk].counted),
            graded=runs.get(row.last_run),
            practice=practice.get(counted.get(row.pk)),
            grade=grades.get(row.pk),
        )
        for row in rows
    ]


def _settled(
    assignment: Assignment, keys: Sequence[int] | None
) -> tuple[list[Any], Mapping[int, Resolution]]:
    """Return all teams, or those with these keys, and what is settled for each."""
    chosen = teams_like(assignment)
    if keys is None:
        settled = resolve_assignment(assignment).teams
    else:
        chosen, settled = chosen.filter(pk__in=keys), resolve_teams(assignment, keys)
    rows = list(_with_latest(chosen))
    for row in rows:
        row.assignment = assignment  # not one for each, with its course
    return rows, settled


def _with_latest(teams: QuerySet[Team]) -> QuerySet[Team, Any]:
    """Read teams with their users, the number of their uploads, and the keys of the latest upload
    and of the latest graded evaluation."""
    uploads = Submission.objects.filter(team=OuterRef("pk"))
    runs = Evaluation.objects.filter(submission__team=OuterRef("pk"), kind=Kind.GRADED)
    number = uploads.order_by().values("team").annotate(number=Count("pk")).values("number")
    people = User.objects.only("display_name")
    return teams.prefetch_related(Prefetch("users", people)).annotate(
        uploads=Coalesce(Subquery(number), 0),
        last_upload=Subquery(uploads.order_by("-number").values("pk")[:1]),
        last_run=Subquery(runs.order_by("-pk").values("pk")[:1]),
    )


def _if_later(
    testing: Submission | None, counted: Submission | Candidate | None
) -> Submission | None:
    if testing is None or counted is None or testing.number > counted.number:
        return testing
    return None


def _practice_of(submissions: Iterable[int]) -> dict[int | None, float | None]:
    """Return by submission the mean of its last finished practice."""
    runs = Evaluation.objects.filter(
        submission__in=list(submissions), kind=Kind.PRACTICE, status=Status.FINISHED
    )
    means = runs.order_by("pk").values_list("submission_id", "mean")
    return dict(means)


def _runs(keys: Iterable[int | None]) -> dict[int | None, Evaluation]:
    """Return evaluations with the number of their submission, by key."""
    runs = Evaluation.objects.filter(pk__in=[key for key in keys if key is not None])
    brief = runs.select_related("submission").only(*_OF_RUN, "submission__number")
    return {run.pk: run for run in brief}


def _current_grades(teams: Sequence[int]) -> dict[int, Grade]:
    grades = Grade.objects.filter(team__in=teams, is_current=True).only(*_OF_GRADE)
    return {grade.team_id: grade for grade in grades}
