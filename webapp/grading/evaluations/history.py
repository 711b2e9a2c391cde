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
    earlier: tuple[Evaluation, ...] = ()

    @property
    def runs(self) -> list[Evaluation]:
        return [run for run in (self.graded, self.practice, self.smoke) if run is not None]

    @property
    def may_be_chosen(self) -> bool:
        ready = self.submission.status == SubmissionStatus.READY
        return ready and self.lateness.counts and not self.is_counted

    @property
    def is_under_way(self) -> bool:
        return any(run.is_open for run in self.runs)


def history(
    team: Team, resolution: Resolution | None = None, *, viewer: Person
) -> list[SubmissionRow]:
    """Return a team's submissions as this user may see them, the newest first.

    At most four queries, and those of ``resolution_of``.
    """
    submissions = team.submissions.select_related("uploaded_by").order_by("-number")
    rows = _rows(resolution or resolution_of(team), list(submissions))
    return _without_held(rows, team, viewer)


def row_of(submission: Submission, *, viewer: Person) -> SubmissionRow:
    """Return the row of one submission, as this user may see it. A fixed number of queries."""
    rows = _rows(resolution_of(submission.team), [submission])
    (row,) = _without_held(rows, submission.team, viewer)
    for run in (*row.runs, *row.earlier):  # known already; pages ask each of them for both
        run.submission = submission
        run.assignment = submission.team.assignment
    return row


def _without_held(rows: list[SubmissionRow], team: Team, viewer: Person) -> list[SubmissionRow]:
    if sees_grade(viewer, team):
        return rows
    return [
        replace(
            row, graded=None, earlier=tuple(run for run in row.earlier if run.kind != Kind.GRADED)
        )
        for row in rows
    ]


def _rows(resolution: Resolution, submissions: Sequence[Submission]) -> list[SubmissionRow]:
    runs: dict[int, list[Evaluation]] = {submission.pk: [] for submission in submissions}
    # The newest first, by their keys, here and elsewhere: clocks may be wrong.
    for run in Evaluation.objects.filter(submission__in=submissions).order_by("-pk"):
        runs[run.submission_id or 0].append(run)
    counted = None if resolution.counted is None else resolution.counted.pk
    return [
        _row(
            submission,
            resolution.deadline,
            runs[submission.pk],
            is_counted=submission.pk == counted,
        )
        for submission in submissions
    ]


def _row(
    submission: Submission, deadline: Deadline, runs: Sequence[Evaluation], *, is_counted: bool
) -> SubmissionRow:
    latest: dict[str, Evaluation] = {}
    for run in runs:
        latest.setdefault(run.kind, run)
    return SubmissionRow(
        submission=submission,
        smoke=latest.get(Kind.SMOKE),
        practice=latest.get(Kind.PRACTICE),
        graded=latest.get(Kind.GRADED),
        earlier=tuple(run for run in runs if run is not latest[run.kind]),
        is_counted=is_counted,
        deadline=deadline,
        lateness=deadline.lateness(submission.uploaded_at),
    )


def practice_is_over(submission: Submission, ends_at: datetime, now: datetime) -> bool:
    """Return whether the team may practise with this upload no more, its time being over.

    Where the best practice decides what counts, another run of an early enough upload would be
    another choice.
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

    Automatic ones, those that staff asked for or cancelled, and failures of ours cost nothing.
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
