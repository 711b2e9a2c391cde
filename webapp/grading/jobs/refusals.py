"""Reports that are refused: set aside for operators to see, and no error of the task's."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from grader.core.errors import RecordError, RulesError
from webapp.base.celery import RESULTS_QUEUE
from webapp.grading.jobs import broker

logger = logging.getLogger(__name__)


# See webapp/decisions/malformed-messages.md
@contextmanager
def refusals_kept(report_json: str) -> Iterator[None]:
    """Set a report aside that cannot be read, or contradicts the rules or its request."""
    try:
        yield
    except (RecordError, RulesError) as error:
        logger.warning("a report was refused: %s", error)
        try:
            broker.set_aside(RESULTS_QUEUE, report_json, str(error))
        except broker.BrokerError:
            logger.exception("and could not be set aside")
