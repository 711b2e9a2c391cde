"""Keep a report while the database is down: without it, its batch would lose an attempt.

The report waits in the worker that took it. The reports behind it stay in the queue, and so does
the periodic task behind them, which therefore never takes them for silence.
"""

import logging
import time
from collections.abc import Callable, Iterator
from typing import Final

from django.db import InterfaceError, OperationalError, connection

__all__ = ["retry_while_database_is_down"]

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS: Final = 0.25
LONGEST_PAUSE_SECONDS: Final = 20.0
PATIENCE_SECONDS: Final = 1500.0
"""Well within the time after which the broker gives a message to another worker."""


# See webapp/decisions/database-outages.md
def retry_while_database_is_down(action: Callable[[], None]) -> None:
    """Run an action that can be repeated, and again while the database is down.

    Raises OperationalError or InterfaceError when it has been down for too long.
    """
    for pause in _pauses():
        try:
            return action()
        except (OperationalError, InterfaceError) as error:
            logger.warning("the database is down, next try in %g s: %s", pause, error)
        connection.close()  # of no use any more; the next query opens another
        time.sleep(pause)
    return action()


def _pauses() -> Iterator[float]:
    waited, pause = 0.0, FIRST_PAUSE_SECONDS
    while waited < PATIENCE_SECONDS:
        yield pause
        waited += pause
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
