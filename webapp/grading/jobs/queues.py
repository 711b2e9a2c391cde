"""The queues in which work waits for graders."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Queue(StrEnum):
    """A kind of work by its urgency. Most are queues of the same name at the broker."""

    SMOKE = "smoke"
    """Served before all others by every grader, so that an upload is tested immediately."""
    PRACTICE = "practice"
    """Waits on the site behind graded games, and has its share of the graders all the same."""
    GRADED = "graded"
    AUDITS = "audits"
    """Served when no requested games wait: an audit never delays one."""
    LIVE = "live"
    """On a lane of its own: single turns of agents that play with people."""
    LADDER = "ladder"
    """Served last: the games of ladders, for which nobody waits."""


_SHARED: Final[Mapping[Queue, Queue]] = {Queue.PRACTICE: Queue.GRADED}

BROKER_QUEUES: Final[Mapping[Queue, tuple[Queue, ...]]] = {
    Queue.LIVE: (Queue.LIVE,),
    Queue.SMOKE: (Queue.SMOKE,),
    Queue.GRADED: (Queue.GRADED, Queue.PRACTICE),
    Queue.AUDITS: (Queue.AUDITS,),
    Queue.LADDER: (Queue.LADDER,),
}
"""The broker's queues, the most urgent first, and the work that is sent to each."""


def broker_queue(queue: str) -> Queue:
    """Return the broker's queue to which this work is sent."""
    return _SHARED.get(Queue(queue), Queue(queue))
