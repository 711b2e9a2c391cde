"""The staff's view of an assignment: every team, what it uploaded, and how it is graded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from webapp.accounts.models import User
from webapp.courses.deadlines import Candidate, Resolution
from webapp.courses.models import Assignment, Membership, Team
from webapp.courses.resolution import resolve_assignment, resolve_teams
from webapp.evaluations.history import submissions_in_test
from webapp.evaluations.models import Evaluation, Kind, Status
from webapp.gradebook.models import Grade
from webapp.submissions.models import Submission
from webapp.submissions.selectors import briefly_counted, latest_of

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
_LONG_OF_UPLOADS: Final = ("messages", "notes", "build_log")


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
    """A later upload than that one, in time, which will count if its smoke test goes well."""
    graded: Evaluation | None
    """Its latest graded evaluation, in any status."""
    grade: Grade | None

    practice: Evaluation | None
    """The finished practice of the submission that counts."""
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
    """Return the assignment's teams by name; those with the words in their name or a member's."""
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
    chosen = teams_like(assignment)
    if teams is not None:
        chosen = chosen.filter(pk__in=teams)
    keys = chosen.order_by().values("pk")
    uploads = _uploads(keys)
    settled = (
        resolve_assignment(assignment).teams
        if teams is None
        else resolve_teams(assignment, list(teams))
    )
    counted = briefly_counted(settled.values())
    latest = latest_of(chosen)
    testing = submissions_in_test(assignment, settled)
    graded = _latest_graded(keys)
    practice = _practice_of(counted.values())
    grades = _current_grades(keys)
    return [
        TeamOverview(
            team=team,
            settled=settled[team.pk],
            members=tuple(team.users.all()),
            submissions=uploads.get(team.pk, 0),
            latest=latest.get(team.pk),
            counted=counted.get(team.pk),
            testing=_if_later(testing.get(team.pk), counted.get(team.pk)),
            graded=graded.get(team.pk),
            practice=practice.get(team.pk),
            grade=grades.get(team.pk),
        )
        for team in _with_users(chosen, assignment)
    ]


def _with_users(teams: QuerySet[Team], assignment: Assignment) -> Iterator[Team]:
    """Yield teams with their users and this assignment: not one for each, with its course."""
    for team in teams.prefetch_related("users"):
        team.assignment = assignment
        yield team


def _uploads(teams: QuerySet[Team, Any]) -> dict[int, int]:
    submissions = Submission.objects.filter(team__in=teams).order_by()
    return dict(submissions.values_list("team").annotate(count=Count("pk")))


def _if_later(
    testing: Submission | None, counted: Submission | Candidate | None
) -> Submission | None:
    if testing is None or counted is None or testing.number > counted.number:
        return testing
    return None


def _practice_of(submissions: Iterable[Submission]) -> dict[int, Evaluation]:
    """Return the last finished practice of these submissions, by team."""
    keys = [submission.pk for submission in submissions]
    runs = Evaluation.objects.filter(
        submission__in=keys, kind=Kind.PRACTICE, status=Status.FINISHED
    ).order_by("requested_at", "pk")
    fields = ("uuid", "mean", "high", "submission__team_id")
    chosen = runs.select_related("submission").only("submission", *fields)
    return {run.submission.team_id: run for run in chosen if run.submission is not None}


def _latest_graded(teams: QuerySet[Team, Any]) -> dict[int, Evaluation]:
    last = (
        Evaluation.objects.filter(submission__team=OuterRef("pk"), kind=Kind.GRADED)
        .order_by("-requested_at", "-pk")
        .values("pk")[:1]
    )
    chosen = teams.annotate(last=Subquery(last)).values("last")
    evaluations = Evaluation.objects.filter(pk__in=chosen).select_related("submission")
    return {
        evaluation.submission.team_id: evaluation
        for evaluation in evaluations.defer(*LONG_COLUMNS, *_of("submission", _LONG_OF_UPLOADS))
        if evaluation.submission is not None
    }


def _current_grades(teams: QuerySet[Team, Any]) -> dict[int, Grade]:
    grades = Grade.objects.filter(team__in=teams, is_current=True)
    unused = (
        "scheme",
        *_of("evaluation", LONG_COLUMNS),
        *_of("evaluation__submission", _LONG_OF_UPLOADS),
    )
    brief = grades.select_related("evaluation__submission").defer(*unused)
    return {grade.team_id: grade for grade in brief}


def _of(relation: str, columns: Sequence[str]) -> list[str]:
    return [f"{relation}__{column}" for column in columns]
