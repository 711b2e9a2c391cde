"""The history of each upload: its evaluations, and whether one is still to come."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone

from webapp.grading.evaluations.models import Evaluation, Kind, Status
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.teaching.courses.deadlines import Deadline, DeadlineRule, Lateness, Resolution
from webapp.teaching.courses.models import Team
from webapp.teaching.courses.permissions import Person
from webapp.teaching.courses.releases import sees_grade
from webapp.teaching.courses.resolution import resolution_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionRow:
    """A submission and the latest evaluation of each kind, in any status."""

    submission: Submission
    smoke: Evaluation | None
    practice: Evaluation | None
    graded: Evaluation | None
    is_counted: bool
    deadline: Deadline
    """The team's."""
    lateness: Lateness

    @property
    def may_be_chosen(self) -> bool:
        """Return whether it could count in the place of another one."""
        ready = self.submission.status == SubmissionStatus.READY
        return ready and self.lateness.counts and not self.is_counted

    @property
    def is_under_way(self) -> bool:
        """True while one of its evaluations is queued or playing."""
        runs = (self.smoke, self.practice, self.graded)
        return any(run is not None and run.is_open for run in runs)


def history(
    team: Team, settled: Resolution | None = None, *, viewer: Person
) -> list[SubmissionRow]:
    """A team's submissions as this user may see them, the newest first.

    At most four queries, and those of ``resolution_of``.
    """
    submissions = team.submissions.select_related("uploaded_by").order_by("-number")
    rows = _rows(settled or resolution_of(team), list(submissions))
    return _without_held(rows, team, viewer)


def row_of(submission: Submission, *, viewer: Person) -> SubmissionRow:
    """Return the row of one submission in its team's history, as this user may see it.

    A fixed number of queries.
    """
    rows = _rows(resolution_of(submission.team), [submission])
    (row,) = _without_held(rows, submission.team, viewer)
    for evaluation in (row.smoke, row.practice, row.graded):
        if evaluation is not None:  # known already; pages ask each of them for both
            evaluation.submission = submission
            evaluation.assignment = submission.team.assignment
    return row


def _without_held(rows: list[SubmissionRow], team: Team, viewer: Person) -> list[SubmissionRow]:
    if sees_grade(viewer, team):
        return rows
    return [replace(row, graded=None) for row in rows]


def _rows(settled: Resolution, submissions: Sequence[Submission]) -> list[SubmissionRow]:
    latest = latest_evaluations(submissions)
    counted = None if settled.counted is None else settled.counted.pk
    return [
        SubmissionRow(
            submission=submission,
            smoke=latest.get((submission.pk, Kind.SMOKE)),
            practice=latest.get((submission.pk, Kind.PRACTICE)),
            graded=latest.get((submission.pk, Kind.GRADED)),
            is_counted=submission.pk == counted,
            deadline=settled.deadline,
            lateness=settled.deadline.lateness(submission.uploaded_at),
        )
        for submission in submissions
    ]


def latest_evaluations(submissions: Sequence[Submission]) -> dict[tuple[int, str], Evaluation]:
    """By submission id and kind the evaluation requested last. One query.

    By their keys, here and elsewhere: clocks may be wrong.
    """
    evaluations = Evaluation.objects.filter(submission__in=submissions).order_by("pk")
    return {
        (evaluation.submission_id, evaluation.kind): evaluation
        for evaluation in evaluations
        if evaluation.submission_id is not None
    }


def practice_is_over(submission: Submission, ends_at: datetime, now: datetime) -> bool:
    """Return whether the team may practise with this upload no more, its time being over.

    Where the best practice decides what counts, another run of an upload that was early enough
    would be another choice. One that has no result yet still gets it.
    """
    assignment = submission.team.assignment
    if now <= ends_at:
        return False
    if not assignment.practice_after_due:
        return True
    decides = DeadlineRule(assignment.counts).is_by_practice and submission.uploaded_at <= ends_at
    results = submission.evaluations.filter(kind=Kind.PRACTICE, status=Status.FINISHED)
    return decides and results.exists()


def practice_left(team: Team, *, at: datetime | None = None) -> int:
    """Count the practice evaluations that the team may still request today.

    Not counted: those that follow an upload by themselves, that staff asked for or cancelled, or
    that our machines gave up.
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
