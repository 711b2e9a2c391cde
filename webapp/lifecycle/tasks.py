"""The Celery task of this app."""

from django.utils import timezone

from webapp.celery import PRUNE, RESULTS_QUEUE, app
from webapp.lifecycle.batches import Deadline
from webapp.lifecycle.daily import throw_away

SECONDS = 5.0
"""Reports wait at most as long; what is left goes to the end of their queue."""


@app.task(name=PRUNE)
def prune() -> None:
    """Throw away what is due. The clock sends it once a day; it sends itself until all is done."""
    deadline = Deadline(SECONDS)
    throw_away(deadline, at=timezone.now())
    if deadline.is_over:
        app.send_task(PRUNE, queue=RESULTS_QUEUE)
