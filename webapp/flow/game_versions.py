"""Another version of an assignment's game, with which all teams are graded again.

No board ever mixes two versions: what was played with the earlier one stops counting at once.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from grader.core.errors import GraderError
from grader.core.games import game_named
from grader.core.games.versions import version_of
from webapp.base.errors import Refused
from webapp.contests.tournaments.models import Tournament
from webapp.grading.evaluations.models import Evaluation, GradingRun, Kind, Status
from webapp.grading.evaluations.services import start_grading
from webapp.grading.jobs.models import Job
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.deadlines import DeadlineRule
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment, GameFolder
from webapp.teaching.courses.permissions import require_instructor


def other_versions(assignment: Assignment) -> dict[str, str]:
    """Return the games that the assignment can go on with, by name, in words.

    The installed version of a packaged game; of an uploaded one the course's other folders.
    """
    game = type(assignment.rules)
    if game.folder:
        own_name = assignment.game.rpartition("_")[0]
        others = GameFolder.objects.filter(
            course=assignment.course_id, status=GameFolder.Status.PASSED
        )
        return {
            each.name: f"{each.title}, uploaded {each.uploaded_at:%Y-%m-%d} ({each.sha256[:8]})"
            for each in others.exclude(name=assignment.game)
            if each.name.rpartition("_")[0] == own_name
        }
    installed = version_of(game)
    if not game.is_installed or installed == assignment.game_version:
        return {}
    return {assignment.game: f"{game.title} {installed}"}


def grade_again(
    *, assignment: Assignment, by: User, game: str, at: datetime | None = None
) -> GradingRun | None:
    """Go on with another version of the game, and grade all teams again; ``None`` if none was.

    Grades stay until a team's games with the new version are played. Raises NotAllowed; Refused
    while a contest is open or teams are being graded, or if the new version does not have these
    rules. Then nothing has changed.
    """
    require_instructor(by, assignment.course)
    with transaction.atomic():
        lock(assignment)
        _require_possible(assignment, game)
        has_graded = Evaluation.objects.filter(assignment=assignment, kind=Kind.GRADED).exists()
        _take(assignment, by, game, at or timezone.now())
        # In the same transaction: a version that was taken without its grading stays ungraded.
        return start_grading(assignment=assignment, by=by, at=at) if has_graded else None


def _require_possible(assignment: Assignment, game: str) -> None:
    if game not in other_versions(assignment):
        raise Refused("There is no such version of this game.")
    if assignment.ladders.filter(closed_at__isnull=True).exists():
        raise Refused("Close the ladder first: its table would mix two versions of the game.")
    if any(not each.is_over for each in Tournament.objects.filter(assignment=assignment)):
        raise Refused("A tournament is being played: its table would mix two versions of the game.")


def _take(assignment: Assignment, by: User, game: str, at: datetime) -> None:
    before = _words(assignment)
    assignment.game = game
    try:
        assignment.game_version = version_of(game_named(game))
        assignment.full_clean()
    except (GraderError, ValueError) as error:
        raise Refused(f"The new version does not have the assignment’s rules: {error}") from error
    assignment.save(update_fields=["game", "game_version"])
    runs = Evaluation.with_tries.filter(assignment=assignment)
    for run in runs.filter(status__in=(Status.QUEUED, Status.PLAYING, Status.FAILED)):
        run.advance(Status.CANCELLED, finished_at=at)
        Job.objects.filter(evaluation=run).cancel()
    if DeadlineRule(assignment.counts).is_by_practice:
        runs = runs.exclude(kind=Kind.PRACTICE)  # practice chooses the upload that counts
    runs.update(is_current=False)
    record(
        ActKind.ASSIGNMENT_CHANGED,
        by=by,
        thing=assignment,
        before=before,
        after=_words(assignment),
        at=at,
    )


def _words(assignment: Assignment) -> dict[str, Any]:
    return {"game": f"{assignment.game} {assignment.game_version}"}
