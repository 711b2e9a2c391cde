"""Ends people's games before their time, and deletes old ones."""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils import timezone

from webapp.base.errors import NotAllowed, Refused
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.grading.jobs.models import Job
from webapp.people.accounts.models import User
from webapp.teaching.courses.permissions import require_unarchived

IDLE_AFTER: Final = timedelta(minutes=20)
"""The time after which a game ends whose person does not act."""
UNANSWERED_AFTER: Final = timedelta(days=1)
"""The time after which a game ends that no grader goes on with."""
KEPT: Final = timedelta(days=30)
"""The time for which a game is kept after its end."""


def require_own(game: HumanGame, user: User) -> None:
    """Raise NotAllowed unless it is this person's game."""
    if game.person_id != user.pk:
        raise NotAllowed("This is another person's game.")


def leave(*, game: HumanGame, by: User, at: datetime | None = None) -> None:
    """End a game at its person's wish. Raises NotAllowed, and Refused if it is over."""
    require_own(game, by)
    require_unarchived(game.assignment.course)
    if not game.advance(GameStatus.LEFT, ended_at=at or timezone.now()):
        raise Refused("This game is over.")


def end_idle_games(*, at: datetime | None = None) -> int:
    """End games that nobody goes on with and return their number; delete old ones.

    A game that waits for a grader is not idle: the graders may be away or paused.
    """
    now = at or timezone.now()
    HumanGame.objects.filter(ended_at__lt=now - KEPT).delete()
    going_on = HumanGame.objects.open()
    waits = Exists(Job.objects.open().filter(human_game=OuterRef("pk")))
    idle = going_on.filter(~waits, acted_at__lt=now - IDLE_AFTER)
    unanswered = going_on.filter(acted_at__lt=now - UNANSWERED_AFTER)
    ended = idle.update(status=GameStatus.IDLE, ended_at=now) + unanswered.update(
        status=GameStatus.FAILED, ended_at=now, system_fault="No grader was available for a day."
    )
    Job.objects.filter(human_game__ended_at__isnull=False).cancel()
    return ended
