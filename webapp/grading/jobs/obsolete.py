"""Passes over messages that are obsolete, by the broker's time."""

import logging
from typing import Any

from celery import Task

logger = logging.getLogger(__name__)


class SiteTask(Task):  # type: ignore[type-arg]  # Celery makes each task a class of its own
    """A task of the site, which does nothing for a message that is obsolete."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if is_obsolete(self.request):
            logger.info("passed over %s, which is obsolete", self.name)
            return None
        return super().__call__(*args, **kwargs)


def is_obsolete(request: Any) -> bool:
    """Return whether a task's message is obsolete; False while the broker is away."""
    from webapp.grading.jobs import broker  # it needs the app, whose tasks are of the class above

    obsolete_at = request.get(broker.OBSOLETE_AT)
    if obsolete_at is None:
        return False
    try:
        return broker.now() > float(obsolete_at)
    except broker.BrokerError as error:
        logger.warning("the broker is away, %s may be obsolete: %s", request.task, error)
        return False
