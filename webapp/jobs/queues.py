"""The queues in which work waits for graders."""

from enum import StrEnum

__all__ = ["Queue"]


class Queue(StrEnum):
    """A queue by its name at the broker."""

    SMOKE = "smoke"
    """On a lane of its own, so that an upload is tested at once."""
    PRACTICE = "practice"
    """Served when no graded games wait."""
    GRADED = "graded"
    """Graded evaluations and tournaments."""
    AUDITS = "audits"
    """Served when no games wait that somebody asked for: an audit never delays one."""
    LIVE = "live"
    """On a lane of its own: single turns of agents that play with people."""
    LADDER = "ladder"
    """Served last: the games of ladders, which nobody waits for."""
