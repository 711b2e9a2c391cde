"""The Celery tasks of this app."""

import logging
from datetime import timedelta
from typing import Final

from django.utils import timezone

from grader.core.errors import SystemFault
from webapp.base.celery import PRUNE, app
from webapp.flow.lifecycle import pruning, receiving
from webapp.flow.lifecycle.batches import BatchDeadline
from webapp.flow.lifecycle.clearing import remove_expired

logger = logging.getLogger(__name__)

SECONDS: Final = 5.0
"""Maximum time that other work waits for it; the rest goes to the end of their queue."""
YOUNG: Final = timedelta(days=1)
"""An artefact of this age may belong to an upload whose row is about to be written."""


@app.task(name=PRUNE)
def prune() -> None:
    """Remove expired data, then artefacts that no row names.

    The clock sends it once a day; it sends itself again until all is done.
    """
    deadline = BatchDeadline(SECONDS)
    remove_expired(deadline, at=timezone.now())
    if deadline.is_over or _prune_store():
        app.send_task(PRUNE)


@app.task(name="webapp.go_on_importing")
def go_on_importing() -> None:
    """Import the next course file that was sent on a page."""
    receiving.go_on_importing(at=timezone.now())


def _prune_store() -> int:
    """Return how many artefacts are left to remove; a store that fails has time until tomorrow."""
    try:
        return pruning.prune(older_than=YOUNG, seconds=SECONDS).left
    except SystemFault as fault:
        logger.warning("the artefact store is not pruned today: %s", fault)
        return 0
