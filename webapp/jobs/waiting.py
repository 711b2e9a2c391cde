"""How many games are queued before somebody's own. Pages show it; nothing depends on it."""

from collections import Counter
from typing import TypeAlias

from webapp.jobs.models import OWNERS, Job, JobStatus
from webapp.jobs.queues import Queue
from webapp.recent import recent

__all__ = ["games_ahead_of_evaluation", "games_ahead_of_tournament"]

Owner: TypeAlias = tuple[str, int]


def games_ahead_of_evaluation(pk: int) -> int:
    """Count the games queued before an evaluation's first waiting job; 0 if none waits."""
    return _games_ahead().get(("evaluation", pk), 0)


def games_ahead_of_tournament(pk: int) -> int:
    """Count the games queued before a tournament's first waiting job; 0 if none waits."""
    return _games_ahead().get(("tournament", pk), 0)


@recent
def _games_ahead() -> dict[Owner, int]:
    """By owner, the games ahead of its first job. One query.

    Practice waits for all graded games, for graders serve those first.
    """
    ahead: dict[Owner, tuple[str, int]] = {}
    games: Counter[str] = Counter()
    queued = Job.objects.filter(status=JobStatus.QUEUED).order_by("pk")
    for queue, n_games, *keys in queued.values_list("queue", "n_games", *OWNERS):
        owner = next((kind, pk) for kind, pk in zip(OWNERS, keys, strict=True) if pk is not None)
        ahead.setdefault(owner, (queue, games[queue]))
        games[queue] += n_games
    return {
        owner: count + (games[Queue.GRADED] if queue == Queue.PRACTICE else 0)
        for owner, (queue, count) in ahead.items()
    }
