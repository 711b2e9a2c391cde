"""Who else asks graders for games: tournaments. Evaluations do without this.

The queue, its leases and the look for lost messages are one machinery for all batches. What differs
(what exactly is asked for, what a report leads to) is said by an ``Asker``. It is registered when
the site starts, so that this app knows of no other that builds on it.
"""

from datetime import datetime, timedelta
from typing import Protocol

from grader.core.records import BatchReport, BatchRequest
from webapp.evaluations.models import Batch

__all__ = ["Asker", "of", "record", "register"]


class Asker(Protocol):
    """Whatever batches without an evaluation belong to."""

    def request_of(self, batch: Batch) -> BatchRequest:
        """What a grader is asked for."""

    def lease(self, batch: Batch) -> timedelta:
        """How long the batch may be silent."""

    def expire(self, batch: Batch, *, at: datetime) -> bool:
        """Its lease has run out; False if a report came in between."""

    def record(self, report: BatchReport, *, at: datetime) -> bool:
        """Take in a report that is of no evaluation; whether somebody waited for it."""


_tournaments: list[Asker] = []


def register(asker: Asker) -> None:
    """Let tournaments' batches be looked after by this one."""
    _tournaments[:] = [asker]


def of(batch: Batch) -> Asker | None:
    """Who answers for the batch; ``None`` for an evaluation's."""
    return _tournaments[0] if batch.tournament_id is not None else None


def record(report: BatchReport, *, at: datetime) -> bool:
    """Give the report to whoever waits for it; False if nobody does."""
    return any(asker.record(report, at=at) for asker in _tournaments)
