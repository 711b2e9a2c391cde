"""Errors with one row, which another version may have written: logged, so that others go on."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError

logger = logging.getLogger(__name__)


@contextmanager
def errors_logged(failure: str, *names: object) -> Iterator[None]:
    """Log an error instead of raising it; the message has a ``%s`` for each name.

    Write within in a transaction of its own. Raises OperationalError and InterfaceError: a database
    that is busy or down concerns every row.
    """
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        logger.exception(failure, *names)
