"""Queries about submissions; above all, which one counts."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from webapp.artefacts import store
from webapp.courses.deadlines import Resolution
from webapp.courses.models import Assignment, Team
from webapp.courses.resolution import resolution_of, resolve_assignment
from webapp.submissions.models import Submission

_BRIEF: Final = ("team_id", "number", "status")
"""Columns for tables: others of an upload are long."""


def counted_submissions(assignment: Assignment) -> dict[int, Submission]:
    """Per team (its id) the submission that counts, as ``courses.deadlines`` settles it."""
    return submissions_of(resolve_assignment(assignment).teams.values())


def counted_submission(team: Team) -> Submission | None:
    """The submission of this team that counts."""
    return submissions_of([resolution_of(team)]).get(team.pk)


def submissions_of(resolutions: Iterable[Resolution]) -> dict[int, Submission]:
    """Per team (its id) the submission that counts there. One query."""
    keys = [resolution.counted.pk for resolution in resolutions if resolution.counted is not None]
    submissions = Submission.objects.filter(pk__in=keys).select_related("team__assignment__course")
    return {submission.team_id: submission for submission in submissions.order_by("team_id")}


def briefly_counted(resolutions: Iterable[Resolution]) -> dict[int, Submission]:
    """Per team (its id) the number and the status of that submission. One query."""
    keys = [resolution.counted.pk for resolution in resolutions if resolution.counted is not None]
    submissions = Submission.objects.filter(pk__in=keys).only(*_BRIEF)
    return {submission.team_id: submission for submission in submissions}


def latest_of(teams: QuerySet[Team]) -> dict[int, Submission]:
    """By team (its id) the number and the status of its last upload. One query."""
    last = Submission.objects.filter(team=OuterRef("pk")).order_by("-number").values("pk")[:1]
    chosen = teams.order_by().annotate(last=Subquery(last)).values("last")
    submissions = Submission.objects.filter(pk__in=chosen).only(*_BRIEF)
    return {submission.team_id: submission for submission in submissions}


def uploads_left(team: Team, *, at: datetime | None = None) -> int:
    """Count the uploads that the team may still make today, a day of the course's time zone."""
    begins, ends = team.assignment.course.day_of(at or timezone.now())
    today = team.submissions.filter(uploaded_at__gte=begins, uploaded_at__lt=ends).count()
    return max(0, team.assignment.uploads_per_day - today)


def archive(submission: Submission) -> bytes:
    """The stored zip. Raises SystemFault if the store does not have it."""
    return store().get(submission.sha256)
