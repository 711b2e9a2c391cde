"""The history of each upload: its evaluations, and whether one is still to come."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.utils import timezone

from webapp.courses.models import Assignment, Team
from webapp.evaluations.models import Evaluation, Kind, Status
from webapp.submissions.models import Submission, SubmissionStatus
from webapp.submissions.selectors import counted_submission


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionRow:
    """A submission and the latest evaluation of each kind, whatever their status."""

    submission: Submission
    smoke: Evaluation | None
    practice: Evaluation | None
    graded: Evaluation | None
    is_counted: bool

    @property
    def is_under_way(self) -> bool:
        """True while one of its evaluations is queued or playing."""
        runs = (self.smoke, self.practice, self.graded)
        return any(run is not None and run.is_open for run in runs)


def history(team: Team) -> list[SubmissionRow]:
    """A team's submissions, the newest first. Three queries."""
    submissions = team.submissions.select_related("uploaded_by").order_by("-number")
    return _rows(team, list(submissions))


def row_of(submission: Submission) -> SubmissionRow:
    """Return the row of one submission in its team's history. Two queries."""
    (row,) = _rows(submission.team, [submission])
    for evaluation in (row.smoke, row.practice, row.graded):
        if evaluation is not None:  # known already; pages ask each of them for both
            evaluation.submission = submission
            evaluation.assignment = submission.team.assignment
    return row


def _rows(team: Team, submissions: Sequence[Submission]) -> list[SubmissionRow]:
    latest = latest_evaluations(submissions)
    counted = counted_submission(team)
    return [
        SubmissionRow(
            submission=submission,
            smoke=latest.get((submission.pk, Kind.SMOKE)),
            practice=latest.get((submission.pk, Kind.PRACTICE)),
            graded=latest.get((submission.pk, Kind.GRADED)),
            is_counted=submission == counted,
        )
        for submission in submissions
    ]


def latest_evaluations(submissions: Sequence[Submission]) -> dict[tuple[int, str], Evaluation]:
    """By submission id and kind the evaluation requested last. One query."""
    evaluations = Evaluation.objects.filter(submission__in=submissions).order_by("requested_at")
    return {
        (evaluation.submission_id, evaluation.kind): evaluation
        for evaluation in evaluations
        if evaluation.submission_id is not None
    }


def submissions_in_test(assignment: Assignment) -> dict[int, Submission]:
    """Per team (its id) the latest upload in time whose smoke test is under way. One query.

    It may count yet. Not in it: one whose test failed or was cancelled, for nothing comes of that
    by itself.
    """
    in_time = Submission.objects.filter(team__assignment=assignment).in_time()
    under_way = in_time.exclude(status__in=(SubmissionStatus.READY, SubmissionStatus.REJECTED))
    smoke = Evaluation.objects.open().filter(kind=Kind.SMOKE, submission=OuterRef("pk"))
    return {
        submission.team_id: submission
        for submission in under_way.filter(Exists(smoke)).order_by("number")
    }


def practice_left(team: Team, *, at: datetime | None = None) -> int:
    """How often the team may ask for practice again today.

    What follows an upload by itself does not count, nor what staff asked for, nor what our machines
    gave up or staff cancelled.
    """
    begins, ends = team.assignment.course.day_of(at or timezone.now())
    asked = Evaluation.objects.filter(
        submission__team=team,
        kind=Kind.PRACTICE,
        requested_by__memberships__team=team,
        requested_at__gte=begins,
        requested_at__lt=ends,
    ).exclude(status__in=(Status.FAILED, Status.CANCELLED))
    return max(0, team.assignment.practice_per_day - asked.count())
