"""Queries about submissions; above all, which one counts."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.utils import timezone

from grader.core.records import AgentRef
from webapp.base.artefacts import store
from webapp.base.errors import Refused
from webapp.base.interfaces import options_of
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.teaching.courses.deadlines import Resolution
from webapp.teaching.courses.models import Assignment, Team
from webapp.teaching.courses.resolution import resolution_of, resolve_assignment


def counted_submissions(assignment: Assignment) -> dict[int, Submission]:
    """Return the submission that counts by team."""
    return submissions_of(resolve_assignment(assignment).teams.values())


def counted_submission(team: Team) -> Submission | None:
    """The submission of this team that counts."""
    return submissions_of([resolution_of(team)]).get(team.pk)


def submissions_of(resolutions: Iterable[Resolution]) -> dict[int, Submission]:
    """Return the submission that counts by team. One query."""
    keys = [resolution.counted.pk for resolution in resolutions if resolution.counted is not None]
    submissions = Submission.objects.filter(pk__in=keys).select_related("team__assignment__course")
    return {submission.team_id: submission for submission in submissions.order_by("team_id")}


def untested_since(
    assignments: Collection[Assignment], users: Collection[int] | None = None
) -> dict[tuple[int, int], datetime]:
    """Return the time of the first upload that no test has judged, by assignment and user.

    Of these users, or of all. One query.
    """
    judged = (SubmissionStatus.READY, SubmissionStatus.REJECTED)
    uploads = Submission.objects.filter(team__assignment__in=assignments)
    if users is not None:
        uploads = uploads.filter(team__memberships__user__in=users)
    keys = ("team__assignment_id", "team__memberships__user_id", "uploaded_at")
    rows = uploads.exclude(status__in=judged).order_by("-uploaded_at").values_list(*keys)
    return {(assignment, user): at for assignment, user, at in rows}


def uploads_left(team: Team, *, at: datetime | None = None) -> int:
    """Count the uploads that the team may still make today, a day of the course's time zone."""
    begins, ends = team.assignment.course.day_of(at or timezone.now())
    today = team.submissions.filter(uploaded_at__gte=begins, uploaded_at__lt=ends).count()
    return max(0, team.assignment.uploads_per_day - today)


def archive(submission: Submission) -> bytes:
    """Return the stored zip. Raises Refused if it was removed, SystemFault if the store lacks it.

    Every reader of uploads calls it: a digest alone is no permission to read.
    """
    require_sources(submission)
    return store().get(submission.sha256)


def agent_of(submission: Submission, switched_on: Iterable[str]) -> AgentRef:
    """Return the program as graders know it. Raises Refused if its sources were removed."""
    require_sources(submission)
    return AgentRef(
        interface=submission.interface,
        sha256=submission.sha256,
        options=options_of(submission.interface, switched_on),
    )


def require_sources(submission: Submission) -> None:
    """Raise Refused if the sources were removed: nothing reads or plays the submission then."""
    if submission.sources_removed_at is not None:
        raise Refused(
            f"The sources of submission {submission.number} have been deleted, as the course"
            " decided: it can no longer be read or played."
        )
