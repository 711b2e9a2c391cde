"""Queries about submissions; above all, which one counts."""

from datetime import datetime

from django.utils import timezone

from webapp.artefacts import store
from webapp.courses.models import Assignment, Team
from webapp.submissions.models import Submission, SubmissionQuerySet


def counted_submissions(assignment: Assignment) -> dict[int, Submission]:
    """Per team (its id) the submission that counts: the latest ready one by its deadline.

    The only place that decides it. One query.
    """
    return _latest_each(Submission.objects.filter(team__assignment=assignment))


def counted_submission(team: Team) -> Submission | None:
    """The submission of this team that counts. One query."""
    return _latest_each(Submission.objects.filter(team=team)).get(team.pk)


def _latest_each(submissions: SubmissionQuerySet) -> dict[int, Submission]:
    eligible = submissions.eligible().select_related("team__assignment__course")
    return {submission.team_id: submission for submission in eligible.order_by("number")}


def uploads_left(team: Team, *, at: datetime | None = None) -> int:
    """How many more uploads the team may make today, a day of the course's time zone."""
    begins, ends = team.assignment.course.day_of(at or timezone.now())
    today = team.submissions.filter(uploaded_at__gte=begins, uploaded_at__lt=ends).count()
    return max(0, team.assignment.uploads_per_day - today)


def archive(submission: Submission) -> bytes:
    """The stored zip. Raises SystemFault if the store does not have it."""
    return store().get(submission.sha256)
