"""Claims: a batch belongs to the first admitted grader that reports on it.

A grader that an attacker has taken over can so report games of its own batches only. What was
played must be what was sent: whoever holds the broker's login can change a request before an honest
grader takes it.
"""

import logging
from uuid import UUID

from grader.core.errors import RecordError
from grader.core.records import BatchReport, digest
from webapp.evaluations.models import Batch
from webapp.evaluations.models.batch import BatchQuerySet
from webapp.evaluations.services import batches
from webapp.graders.models import GraderKey
from webapp.jobs import broker

__all__ = ["admit_graders", "claim", "require_leave"]

logger = logging.getLogger(__name__)


def require_leave(report: BatchReport, *, key: str) -> None:
    """Check that the grader with this public key may report of the batch, and played what it asks.

    Raises RecordError if not. A batch that is not there is nobody's.
    """
    batch = _batch(report).select_related("evaluation__assignment", "tournament").first()
    if batch is None:
        return
    if batch.claimed_by not in ("", key):
        raise _taken(report)
    if report.request != digest(batches.request_of(batch)):
        raise RecordError(f"batch {report.batch} was played by another request than was sent")


def claim(report: BatchReport, *, key: str) -> None:
    """Bind the report's batch to the grader with this public key.

    Does nothing if the batch is unknown: recording ignores such a report. Raises RecordError if
    another grader has the batch, or if its id is malformed.
    """
    batch = _batch(report)
    batch.filter(claimed_by="").update(claimed_by=key)  # conditional: only one grader wins
    if batch.exclude(claimed_by=key).exists():
        raise _taken(report)


def _batch(report: BatchReport) -> BatchQuerySet:
    try:
        return Batch.objects.filter(uuid=UUID(report.batch))
    except ValueError as error:
        raise RecordError(f"a report with a malformed id: {error}") from error


def _taken(report: BatchReport) -> RecordError:
    return RecordError(f"batch {report.batch} is played by another grader")


def admit_graders() -> None:
    """Tell the broker which graders may take work; the periodic task repeats it."""
    keys = _admitted_keys()
    try:
        broker.admit(sorted(keys))
        for key in keys - _admitted_keys():  # dismissed while they were admitted anew
            broker.dismiss(key)
    except broker.BrokerError as error:
        logger.warning("the broker is away: %s", error)


def _admitted_keys() -> set[str]:
    return set(GraderKey.objects.admitted().values_list("public_key", flat=True))
