"""Errors with one row: logged, so that the rows after it have their turn.

Another version of the site may have written a row that this one cannot read.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError

logger = logging.getLogger(__name__)


@contextmanager
def errors_logged(failure: str, *names: object) -> Iterator[None]:
    """Log an error instead of raising it; the message has a ``%s`` for each name.

    What is written within must be written in a transaction of its own. Raises OperationalError and
    InterfaceError: a database that is busy or down concerns every row.
    """
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        logger.exception(failure, *names)
