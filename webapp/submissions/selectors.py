"""Queries about submissions; above all, which one counts."""

from datetime import datetime

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from webapp.artefacts import store
from webapp.courses.models import Assignment, Team
from webapp.submissions.models import Submission, SubmissionQuerySet


def counted_submissions(assignment: Assignment) -> dict[int, Submission]:
    """By team (its id) the submission that counts. One query."""
    return counted_of(Team.objects.filter(assignment=assignment))


def counted_submission(team: Team) -> Submission | None:
    """The submission of this team that counts. One query."""
    return counted_of(Team.objects.filter(pk=team.pk)).get(team.pk)


def counted_of(teams: QuerySet[Team]) -> dict[int, Submission]:
    """By team (its id) the submission that counts: one row a team, however often it uploaded.

    One query.
    """
    return _last_each(counted_key("pk"), teams)


def counted_key(team: str) -> Subquery:
    """Return the key of the submission that counts, of the team in this column of an outer query.

    It is the latest ready one by the team's deadline. The only place that decides it.
    """
    return _last_key(Submission.objects.eligible(), team)


def latest_of(teams: QuerySet[Team]) -> dict[int, Submission]:
    """By team (its id) its last upload. One query."""
    return _last_each(_last_key(Submission.objects.all(), "pk"), teams)


def _last_key(submissions: SubmissionQuerySet, team: str) -> Subquery:
    return Subquery(submissions.filter(team=OuterRef(team)).order_by("-number").values("pk")[:1])


def _last_each(key: Subquery, teams: QuerySet[Team]) -> dict[int, Submission]:
    chosen = teams.order_by().annotate(last=key).values("last")
    found = Submission.objects.filter(pk__in=chosen).select_related("team__assignment__course")
    return {submission.team_id: submission for submission in found}


def uploads_left(team: Team, *, at: datetime | None = None) -> int:
    """How many more uploads the team may make today, a day of the course's time zone."""
    begins, ends = team.assignment.course.day_of(at or timezone.now())
    today = team.submissions.filter(uploaded_at__gte=begins, uploaded_at__lt=ends).count()
    return max(0, team.assignment.uploads_per_day - today)


def archive(submission: Submission) -> bytes:
    """The stored zip. Raises SystemFault if the store does not have it."""
    return store().get(submission.sha256)
