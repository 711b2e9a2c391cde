"""Which grader plays a batch: the first admitted one that reports of it, and no other.

So a grader that was taken over can report games of its own batches only.
"""

import logging
from uuid import UUID

from grader.core.errors import RecordError
from grader.core.records import BatchReport
from webapp.evaluations import broker
from webapp.evaluations.models import Batch
from webapp.graders.models import GraderKey

__all__ = ["admit_graders", "claim"]

logger = logging.getLogger(__name__)


def claim(report: BatchReport, *, key: str) -> None:
    """Bind the report's batch to the grader with this public key.

    Raises RecordError if another one has it. A batch that is not there is nobody's.
    """
    try:
        batch = Batch.objects.filter(uuid=UUID(report.batch))
    except ValueError as error:
        raise RecordError(f"a report with a malformed id: {error}") from error
    batch.filter(claimed_by="").update(claimed_by=key)
    if batch.exclude(claimed_by=key).exists():
        raise RecordError(f"batch {report.batch} is played by another grader")


def admit_graders() -> None:
    """Leave word at the broker which graders may take work; it is said again and again."""
    keys = list(GraderKey.objects.admitted().values_list("public_key", flat=True))
    try:
        broker.admit(keys)
    except broker.BrokerError as error:
        logger.warning("the broker is away: %s", error)
