"""The staff's view of an assignment: every team, what it uploaded, and how it is graded."""

from dataclasses import dataclass
from datetime import datetime

from webapp.accounts.models import User
from webapp.courses.models import Assignment, Team
from webapp.evaluations.history import submissions_in_test
from webapp.evaluations.models import Evaluation, Kind
from webapp.gradebook.models import Grade
from webapp.submissions.models import Submission
from webapp.submissions.selectors import counted_submissions


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamOverview:
    """One team."""

    team: Team
    members: tuple[User, ...]
    submissions: int
    """How many uploads it has made."""
    latest: Submission | None
    counted: Submission | None
    testing: Submission | None
    """A later upload than that one, in time, which will count if its smoke test goes well."""
    graded: Evaluation | None
    """The graded evaluation of its that was requested last, whatever its status."""
    grade: Grade | None

    @property
    def due_at(self) -> datetime:
        """The team's effective deadline."""
        return self.team.due_at

    @property
    def is_graded(self) -> bool:
        """True if its grade rests on the submission that counts."""
        if self.counted is None or self.grade is None:
            return False
        return self.grade.evaluation.submission_id == self.counted.pk


def staff_overview(assignment: Assignment) -> list[TeamOverview]:
    """Every team in the order of names. Seven queries. For staff only."""
    teams = (
        Team.objects.filter(assignment=assignment)
        .select_related("assignment__course")
        .prefetch_related("users")
        .order_by("name")
    )
    uploads: dict[int, list[Submission]] = {}
    for submission in Submission.objects.filter(team__assignment=assignment).order_by("number"):
        uploads.setdefault(submission.team_id, []).append(submission)
    counted = counted_submissions(assignment)
    testing = submissions_in_test(assignment)
    graded = _latest_graded(assignment)
    current = Grade.objects.filter(team__assignment=assignment, is_current=True)
    grades = {grade.team_id: grade for grade in current.select_related("evaluation__submission")}
    return [
        TeamOverview(
            team=team,
            members=tuple(team.users.all()),
            submissions=len(uploads.get(team.pk, ())),
            latest=uploads[team.pk][-1] if team.pk in uploads else None,
            counted=counted.get(team.pk),
            testing=_if_later(testing.get(team.pk), counted.get(team.pk)),
            graded=graded.get(team.pk),
            grade=grades.get(team.pk),
        )
        for team in teams
    ]


def _if_later(testing: Submission | None, counted: Submission | None) -> Submission | None:
    if testing is None or counted is None or testing.number > counted.number:
        return testing
    return None


def _latest_graded(assignment: Assignment) -> dict[int, Evaluation]:
    evaluations = Evaluation.objects.filter(
        assignment=assignment, kind=Kind.GRADED, submission__isnull=False
    ).select_related("submission")
    return {
        evaluation.submission.team_id: evaluation
        for evaluation in evaluations.order_by("requested_at", "pk")
        if evaluation.submission is not None
    }
