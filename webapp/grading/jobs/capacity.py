"""The capacity of graders by their reports: games at a time, and images that they have.

A report may be late, lost or false: it moves how finely work is cut, never a game or a point.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from django.utils import timezone

from grader.core.games.uploaded import UPLOADED
from webapp.grading.jobs import policy
from webapp.grading.jobs.models import Job
from webapp.grading.jobs.queues import BROKER_QUEUES, Queue, broker_queue

UNKNOWN_SLOTS = 2
"""The slots taken for granted while no grader is ready: those of a small one."""

Source = Callable[[datetime], Mapping[str, int]]
ImageSource = Callable[[datetime], Collection[str]]
GameSource = Callable[[datetime], Collection[tuple[str, str]] | None]
_sources: list[Source] = []
_image_sources: list[ImageSource] = []
_game_sources: list[GameSource] = []


def register(source: Source, missing: ImageSource, games: GameSource) -> None:
    """Register the slots of ready graders by queue, the images that none has, and their games."""
    _sources[:] = [source]
    _image_sources[:] = [missing]
    _game_sources[:] = [games]


def has_game(name: str, version: str, *, at: datetime | None = None) -> bool:
    """Return whether a ready grader has this version of a game from a package. One query.

    True without a ready grader. Uploaded games every grader fetches.
    """
    if name.startswith(UPLOADED):
        return True
    known = [games(at or timezone.now()) for games in _game_sources]
    return all(games is None or (name, version) in games for games in known)


def missing_images(*, at: datetime | None = None) -> frozenset[str]:
    """Return the runtimes whose images no ready grader has. One query."""
    now = at or timezone.now()
    return frozenset(name for missing in _image_sources for name in missing(now))


# See webapp/decisions/slots-of-graders.md
def slots(queue: Queue, *, at: datetime | None = None) -> int:
    """Return how many batches of this queue can be played at a time. One query."""
    reported = sum(source(at or timezone.now()).get(broker_queue(queue), 0) for source in _sources)
    return reported or UNKNOWN_SLOTS


def idle_slots(queue: Queue, *, at: datetime | None = None) -> int:
    """Return over how many slots new work of this queue is spread, however much waits."""
    queues, number = BROKER_QUEUES[broker_queue(queue)], slots(queue, at=at)
    in_flight = Job.objects.in_flight().filter(queue__in=queues).count()
    waiting = sum(Job.objects.unsent().filter(queue=each)[:number].count() for each in queues)
    return policy.idle_slots(slots=number, busy=in_flight + waiting)
