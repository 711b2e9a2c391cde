"""The order in which waiting batches are sent to the broker, and how many at a time. Pure.

*Graded games* go before practice, which keeps a fifth of what is in flight. *Courses* take turns:
next is the one with the fewest batches in flight, and among equals the one that was served least
recently. *Teams* of a course have virtual clocks: a batch's turn comes when the team's earlier
batches would have been played if the team had one core of its own. *Deadlines* move a turn forward
by some minutes, and no further: they starve nobody.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from webapp.grading.jobs.queues import Queue

FLOOR: Final = 0.2
"""The share of batches in flight that practice keeps while graded games wait."""
TOGETHER_SECONDS: Final = 60.0
"""Work of a team that has one turn: a short evaluation is not torn apart."""
AHEAD_SECONDS: Final = 4.0
"""Seconds of work that the broker holds: more than it takes to learn that some was taken. All of it
is played before newer work, so it is kept small."""
LEAST_AHEAD: Final = 1
"""The fewest batches that the broker holds, however few graders there are. With two, the first game
of another course waits for one more batch on two cores: 45 s instead of 29 s."""
ROUNDS_AHEAD: Final = 3
"""The maximum number of batches for each slot, for batches that take next to no time."""
HEAD_STARTS: Final = ((3_600.0, 600.0), (24 * 3_600.0, 120.0))
"""Pairs of seconds: this long before a deadline (first), work precedes work that was requested that
much earlier (second)."""
_NOW: Final = 1e12
"""Later than all times that come in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseBacklog:
    """The work of one course in one queue."""

    queue: Queue
    course: int | None
    waiting: int
    """The number of batches that may be sent now; no more need be counted than are chosen."""
    in_flight: int = 0
    turn: float = 0.0
    """The turn of the first waiting batch. All times are in seconds since some moment."""
    served_at: float = -math.inf
    seconds: float = 15.0

    @property
    def key(self) -> "Key":
        return self.queue, self.course


Key: TypeAlias = tuple[Queue, int | None]


def turns(
    seconds: Sequence[float], *, asked_at: float, after: float = -math.inf, due_at: float = math.inf
) -> list[float]:
    """Return the turn of each batch of a team, given the ``seconds`` of a core that each takes.

    ``after``: the end of the team's earlier work by its virtual clock.
    """
    begin = max(asked_at - _head_start(due_at - asked_at), after)
    starts, spent = [], 0.0
    for needed in seconds:
        starts.append(begin + spent // TOGETHER_SECONDS * TOGETHER_SECONDS)
        spent += needed
    return starts


def _head_start(left: float) -> float:
    return next((start for within, start in HEAD_STARTS if 0 <= left <= within), 0.0)


def room(lines: Sequence[CourseBacklog], *, slots: int, held: int) -> int:
    """Return how many more batches the broker should hold, of which it holds ``held`` now."""
    waiting = sum(line.waiting for line in lines)
    if not waiting:
        return 0
    mean = sum(line.waiting * line.seconds for line in lines) / waiting
    depth = math.ceil(slots * AHEAD_SECONDS / max(mean, AHEAD_SECONDS / ROUNDS_AHEAD))
    return min(max(max(depth, LEAST_AHEAD) - held, 0), waiting)


# See webapp/decisions/queue-policy.md
def choose(lines: Iterable[CourseBacklog], count: int) -> list[Key]:
    """Return the line of each of the next ``count`` batches, all of one of the broker's queues."""
    left = {line.key: line for line in lines}
    chosen: list[Key] = []
    while len(chosen) < count and any(line.waiting for line in left.values()):
        queue = _next_queue(left.values())
        best = min(
            (line for line in left.values() if line.waiting and line.queue == queue), key=_rank
        )
        chosen.append(best.key)
        left[best.key] = _served(best, at=_NOW + len(chosen))
    return chosen


def _served(line: CourseBacklog, *, at: float) -> CourseBacklog:
    waiting, in_flight = line.waiting - 1, line.in_flight + 1
    return replace(line, waiting=waiting, in_flight=in_flight, served_at=at)


def _next_queue(lines: Collection[CourseBacklog]) -> Queue:
    """Return whether practice or graded games are next; only these two share a queue."""
    waiting = {line.queue for line in lines if line.waiting}
    if waiting != {Queue.PRACTICE, Queue.GRADED}:
        return min(waiting)
    in_flight = sum(line.in_flight for line in lines)
    practice = sum(line.in_flight for line in lines if line.queue == Queue.PRACTICE)
    return Queue.PRACTICE if practice < FLOOR * in_flight else Queue.GRADED


def _rank(line: CourseBacklog) -> tuple[float, ...]:
    return line.in_flight, line.served_at, line.turn, -1 if line.course is None else line.course


def idle_slots(*, slots: int, busy: int) -> int:
    """Return over how many slots new work is spread; ``busy``: batches that wait or are played.

    One if none is idle: each batch opens sandboxes of its own, for which others would wait.
    """
    return max(1, slots - busy)
