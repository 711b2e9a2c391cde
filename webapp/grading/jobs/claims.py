"""Claims: a batch of games belongs to the first admitted grader that reports on it.

So a grader that was taken over can report only its own batches. The report must also match the
request: anyone with the broker's login can change one before an honest grader takes it.
"""

import logging

from grader.core.errors import RecordError
from grader.core.records import BatchReport
from webapp.grading.graders.models import GraderKey
from webapp.grading.jobs import broker
from webapp.grading.jobs.models import Job

logger = logging.getLogger(__name__)


def require_leave(job: Job, report: BatchReport, *, key: str, digest: str) -> None:
    """Check that this grader may report on the job, and played its request. Raises RecordError."""
    if job.claimed_by not in ("", key):
        raise _taken(report)
    if report.request != digest:
        raise RecordError(f"batch {report.batch} was played by another request than was sent")


# See webapp/decisions/signed-reports.md
def claim(job: Job, report: BatchReport, *, key: str) -> None:
    """Bind the job to the grader with this public key. Raises RecordError if another has it."""
    if job.claimed_by == key:  # for good: no claim is ever taken back
        return
    row = Job.objects.filter(pk=job.pk)
    won = row.filter(claimed_by="").update(claimed_by=key)  # conditional: only one grader wins
    if not won and row.exclude(claimed_by=key).exists():
        raise _taken(report)
    job.claimed_by = key


def _taken(report: BatchReport) -> RecordError:
    return RecordError(f"batch {report.batch} is played by another grader")


def admit_graders() -> None:
    """Tell the broker which graders may take work; the periodic task repeats it.

    Drained ones may not, and none may during a pause: also where the broker was away at that time,
    and where it happens while this admits them. Trims what graders set aside: they may not delete
    there.
    """
    keys = _working_keys()
    try:
        broker.trim_aside()
        broker.admit(sorted(keys))
        known = GraderKey.objects.values_list("public_key", flat=True)
        broker.dismiss(*(keys.union(known) - _working_keys()))
    except broker.BrokerError as error:
        logger.warning("the broker is away: %s", error)


def _working_keys() -> set[str]:
    return set(GraderKey.objects.taking_work().values_list("public_key", flat=True))
