"""Put a course into the archive, where nothing in it changes, and take it out again."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from grader.core.errors import RecordError
from grader.core.words import counted
from webapp.base.errors import Refused
from webapp.contests.ladders.models import Ladder
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.contests.tournaments.models import Tournament
from webapp.flow.lifecycle.checks import check_course_rows
from webapp.grading.evaluations.models import Evaluation, GradingRun, Status
from webapp.grading.similarity.models import Comparison
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.models import Course
from webapp.teaching.courses.permissions import require_instructor


@transaction.atomic
def archive_course(
    *, course: Course, by: User, reason: str = "", at: datetime | None = None
) -> None:
    """Archive the course; games of people with agents, and of drafts, end.

    Raises NotAllowed; Refused if it is archived already, and while something is being played.
    """
    require_instructor(by, course, to_look=True)
    now, course = at or timezone.now(), _locked(course)
    if course.archived_at is not None:
        raise Refused("This course is archived already.")
    if reasons := obstacles(course):
        raise Refused(f"Not yet: {'; '.join(reasons)}.")
    games = HumanGame.objects.open().filter(assignment__course=course)
    games.update(status=GameStatus.LEFT, ended_at=now)
    for evaluation in Evaluation.with_tries.open().filter(assignment__course=course):
        if evaluation.advance(Status.CANCELLED):  # a try: evaluations that count were obstacles
            evaluation.jobs.cancel()
    Course.objects.filter(pk=course.pk).update(archived_at=now)
    record(ActKind.COURSE_ARCHIVED, by=by, course=course, reason=reason, at=now)


@transaction.atomic
def unarchive_course(
    *, course: Course, by: User, reason: str = "", at: datetime | None = None
) -> None:
    """Take the course out of the archive. Deleted data is not restored.

    Raises NotAllowed; Refused if it is not archived, or exceeds what this site allows.
    """
    require_instructor(by, course, to_look=True)
    course = _locked(course)
    if course.archived_at is None:
        raise Refused("This course is not archived.")
    try:
        check_course_rows(course)
    except RecordError as error:
        raise Refused(
            f"This course cannot be reopened: it has what this site does not allow ({error})."
            " Copy it instead, or ask the operator."
        ) from error
    Course.objects.filter(pk=course.pk).update(archived_at=None)
    record(ActKind.COURSE_REOPENED, by=by, course=course, reason=reason, at=at or timezone.now())


def obstacles(course: Course) -> list[str]:
    """Return the obstacles to archiving the course, as sentences."""
    of_course = {"assignment__course": course}
    evaluations = Evaluation.objects.open().filter(**of_course).count()
    tournaments = Tournament.objects.filter(status__in=("queued", "playing"), **of_course).count()
    ladders = Ladder.objects.open().filter(**of_course).count()
    runs = GradingRun.objects.filter(finished_at__isnull=True, **of_course).count()
    comparisons = Comparison.objects.filter(finished_at__isnull=True, **of_course).count()
    counts = (
        (evaluations, "evaluation", "being played: wait, or cancel"),
        (tournaments, "tournament", "not over: wait, or stop"),
        (ladders, "ladder", "open: first close"),
    )
    found = [_obstacle(number, noun, words) for number, noun, words in counts if number]
    if comparisons:
        found.append("sources are being compared: wait until that is done")
    if runs:
        found.append("the grading of all teams still starts evaluations: wait until that is done")
    return found


def _obstacle(number: int, noun: str, words: str) -> str:
    is_one = number == 1
    are, them = ("is", "it") if is_one else ("are", "them")
    return f"{counted(number, noun)} {are} {words} {them}"


def _locked(course: Course) -> Course:
    """Lock the course: no other process archives or deletes it meanwhile."""
    return Course.objects.select_for_update(no_key=True).get(pk=course.pk)
