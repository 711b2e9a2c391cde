"""Explains on pages why games wait. No decision depends on it."""

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, TypeAlias

from webapp.base.recent import recent
from webapp.grading.jobs.models import OWNERS, Job, JobStatus
from webapp.grading.jobs.queues import Queue

Owner: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    games_ahead: int
    """Games in the line of its course, in front of its own."""
    why: str
    """A sentence on who goes first, or shares the graders; may be empty."""


_NONE: Final = Wait(games_ahead=0, why="")


def wait_of(kind: str, pk: int) -> Wait:
    """Return why an owner of jobs waits, such as an "evaluation"."""
    return _waits().get((kind, pk), _NONE)


@recent
def _waits() -> dict[Owner, Wait]:
    """Return, by owner, why its first job waits. One query."""
    ahead: dict[Owner, tuple[str, int]] = {}
    games: Counter[tuple[str, int | None]] = Counter()
    courses: defaultdict[str, set[int | None]] = defaultdict(set)
    queued = Job.objects.filter(status=JobStatus.QUEUED).order_by("turn_at", "pk")
    for queue, course, n_games, *keys in queued.values_list("queue", "course", "n_games", *OWNERS):
        owner = next((kind, pk) for kind, pk in zip(OWNERS, keys, strict=True) if pk is not None)
        ahead.setdefault(owner, (queue, games[queue, course]))
        games[queue, course] += n_games
        courses[queue].add(course)
    return {
        owner: Wait(games_ahead=count, why=_why(queue, courses))
        for owner, (queue, count) in ahead.items()
    }


def _why(queue: str, courses: dict[str, set[int | None]]) -> str:
    if queue == Queue.SMOKE:
        return _shared(courses[queue], "First tests go before all other games.")
    if queue == Queue.PRACTICE and courses.get(Queue.GRADED):
        return "Graded games go first. Practice keeps a fifth of the graders."
    return _shared(courses[queue], "")


def _shared(courses: Collection[int | None], otherwise: str) -> str:
    if len(courses) < 2:
        return otherwise
    return f"{len(courses)} courses are waiting, and share the graders equally."
