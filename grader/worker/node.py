"""This Celery worker as a whole: its report, and whether it takes messages from its queues.

Celery's own commands for that need the broker. Here the worker's loop is asked directly, and again
until the consumers are in the wanted state.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final

import msgspec

from grader.broker.shared_clock import broker_time
from grader.core.games.versions import installed_versions
from grader.core.health import CheckOutcome, GraderReport
from grader.worker.cores import cores_from_environment
from sandbox.check import HostCheck
from sandbox.engine import has_image
from sandbox.errors import HostError
from sandbox.images import IMAGES, image_reference

_HAPPENED_CHARACTERS: Final = 500
_YES_OR_NO: Final = {"1": True, "true": True, "0": False, "false": False, "": False}


def is_scaled_from_environment() -> bool:
    """Return ``FIREBOX_SCALED``: whether this worker is started and ended as the load changes.

    Raises ValueError for a malformed value.
    """
    text = os.environ.get("FIREBOX_SCALED", "").strip().lower()
    if text not in _YES_OR_NO:
        raise ValueError(f"FIREBOX_SCALED={text}: it is true or false")
    return _YES_OR_NO[text]


class Node:
    """Becomes known in two steps, as Celery starts."""

    def __init__(self) -> None:
        self._worker: Any = None
        self._consumer: Any = None
        self._queues: tuple[str, ...] = ()
        self._missing = IMAGES

    def begin(self, worker: Any) -> None:
        """Celery's worker has its name and its queues."""
        self._worker = worker
        self._queues = tuple(worker.app.amqp.queues.consume_from)

    @property
    def queues(self) -> tuple[str, ...]:
        """Return the queues that the worker serves, also while it takes no work."""
        return self._queues

    def connect(self, consumer: Any) -> None:
        """Note Celery's consumer, which now has a connection and renews it by itself."""
        self._consumer = consumer

    def consume(self, takes_work: bool) -> None:  # noqa: FBT001 - the only argument
        """Consume from all queues, or from none. Returns at once; any thread may call it."""
        if self._consumer is not None:
            self._consumer.call_soon(self._turn, takes_work)

    def report(
        self, checks: Sequence[HostCheck], checked_at: datetime, *, is_leaving: bool = False
    ) -> GraderReport:
        """Return the report for the site."""
        return GraderReport(
            name=self._worker.hostname,
            version=version("firebox"),
            cores=cores_from_environment(),
            slots=self._worker.concurrency,
            queues=self.queues,
            image=image_reference(),
            runtime=os.environ.get("FIREBOX_RUNTIME", "").strip() or "runc",
            checks=tuple(_outcome(check) for check in checks),
            checked_at=checked_at,
            sent_at=datetime.now(UTC),
            broker_at=broker_time(self._worker.app),
            is_leaving=is_leaving,
            missing_images=self._look_for_images() or msgspec.UNSET,
            games=installed_versions() or msgspec.UNSET,
        )

    def _look_for_images(self) -> tuple[str, ...]:
        with suppress(HostError):  # Docker is away: what is known holds
            self._missing = tuple(
                name for name in self._missing if not has_image(image_reference(name))
            )
        return self._missing

    def _turn(self, takes_work: bool) -> None:  # noqa: FBT001 - as above
        """Start or stop consuming, in the worker's loop; without a connection, wait for a call."""
        consumers = self._consumer.task_consumer
        for queue in self._queues if consumers is not None else ():
            if takes_work and not consumers.consuming_from(queue):
                self._consumer.add_task_queue(queue)
            elif not takes_work and consumers.consuming_from(queue):
                self._consumer.cancel_task_queue(queue)


def _outcome(check: HostCheck) -> CheckOutcome:
    fields = asdict(check)
    return CheckOutcome(**(fields | {"happened": check.happened[:_HAPPENED_CHARACTERS]}))
