"""Sends reports to the site; waits for a broker that is away or takes no writes.

Kombu's own retries are for a lost connection: they end at the second error, even where it
reconnects, and do not pause before.
"""

import logging
import time
from functools import partial
from typing import Final

import redis
from celery import Celery
from kombu.exceptions import OperationalError

RESULTS_QUEUE: Final = "results"
_REPORT_SECONDS: Final = 240.0
"""A report is tried again for this long, while a broker restarts or has no memory left. After that
the batch's lease expires, and the site sends its missing games again."""
_PAUSE_SECONDS: Final = 2.0
_RETRY: Final = {"max_retries": 2, "interval_start": 0.2, "interval_step": 0.5}
"""Kombu's retries of each try."""

logger = logging.getLogger(__name__)


def send_report(app: Celery, task: str, signed: str, *, queue: str, once: bool = False) -> None:
    """Send a signed report. ``once``: do not try again later. Raises OperationalError."""
    # Not declared: that counts the messages in each of a queue's lists, which a login may not.
    send = partial(
        app.send_task, task, args=[signed], declare=(), retry=True, retry_policy=dict(_RETRY)
    )
    deadline = time.monotonic() + (0.0 if once else _REPORT_SECONDS)
    while True:
        try:
            send(queue=queue)
        except OperationalError as error:
            if _is_forbidden(error) or time.monotonic() >= deadline:
                raise
            logger.warning("could not send a report: %s; next try in %g s", error, _PAUSE_SECONDS)
        else:
            return
        time.sleep(_PAUSE_SECONDS)


def _is_forbidden(error: OperationalError) -> bool:
    return isinstance(error.__cause__, redis.exceptions.NoPermissionError)
