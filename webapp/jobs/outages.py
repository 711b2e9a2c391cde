"""While the database is away, a report waits: dropped, it would cost its batch an attempt.

It waits in the worker that took it. So the reports behind it stay in the queue, and the periodic
task behind those: nothing that came in is ever taken for silence.
"""

import logging
import time
from collections.abc import Callable, Iterator
from typing import Final

from django.db import InterfaceError, OperationalError, connection

__all__ = ["outlast"]

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS: Final = 0.25
LONGEST_PAUSE_SECONDS: Final = 20.0
PATIENCE_SECONDS: Final = 1500.0
"""Well within the time after which the broker gives a message to another worker."""


def outlast(action: Callable[[], None]) -> None:
    """Do it as soon as the database lets us; it must be one that can be repeated.

    Raises OperationalError or InterfaceError when it has been away for too long.
    """
    for pause in _pauses():
        try:
            return action()
        except (OperationalError, InterfaceError) as error:
            logger.warning("the database is away, next try in %g s: %s", pause, error)
        connection.close()  # of no use any more; the next query opens another
        time.sleep(pause)
    return action()


def _pauses() -> Iterator[float]:
    waited, pause = 0.0, FIRST_PAUSE_SECONDS
    while waited < PATIENCE_SECONDS:
        yield pause
        waited += pause
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
