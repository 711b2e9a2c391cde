"""Usual reports: more games of batches that are being played, and nothing else.

Most reports are. Several that wait are recorded in one transaction, with as many queries as one
takes. What each report may claim is checked as for any other (``webapp.grading.jobs.recording``).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from grader.core.errors import RecordError
from grader.core.records import BatchPhase, BatchReport
from webapp.grading.jobs.claims import require_leave
from webapp.grading.jobs.leases import renew
from webapp.grading.jobs.models import OWNERS, Job, JobStatus
from webapp.grading.jobs.owners import GamesOwner, games_owner_of
from webapp.grading.jobs.recording import checked

__all__ = ["Reported", "add_games"]

_READ: Final = (
    *("uuid", "payload", "attempt", "losses", "status", "lease_until", "claimed_by"),
    *(f"{owner}_id" for owner in OWNERS),
    *(f"evaluation__{field}" for field in ("uuid", "assignment", "kind", "interface")),
    *(f"evaluation__{field}" for field in ("interface_options", "sha256", "opponents", "spec")),
    *(f"evaluation__{field}" for field in ("keeps_prints", "n_games", "status", "games_done")),
    *(f"evaluation__{field}" for field in ("faults", "stop_index", "ms_per_game")),
    *(f"evaluation__assignment__{field}" for field in ("secret", "practice_secret")),
)
"""The columns that a usual report needs: to read all takes a fifth of its processor time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A report, and the public key of the grader that sent it."""

    report: BatchReport
    key: str
    text: str
    """The report as it came."""


# See webapp/decisions/recording-several-reports.md
def add_games(reported: Sequence[Reported], *, at: datetime) -> list[Reported]:
    """Record those that only bring more games; return all others, in their order.

    A report of which something is wrong is among these, and so is a second one of the same batch.
    """
    jobs = _jobs_of(reported)
    chosen = {job.pk: (job, one) for job, one in reversed(list(_playing(reported, jobs)))}
    by_owner: defaultdict[GamesOwner[Any], list[tuple[Job, Reported]]] = defaultdict(list)
    for job, one in chosen.values():
        if owner := games_owner_of(job):
            by_owner[owner].append((job, one))
    done: set[int] = set()
    for owner, pairs in by_owner.items():
        done |= _add(owner, pairs)
    added = {id(one) for pk, (_, one) in chosen.items() if pk in done}
    renew([job for pk, (job, _) in chosen.items() if pk in done], at=at)
    return [one for one in reported if id(one) not in added]


def _jobs_of(reported: Iterable[Reported]) -> dict[str, Job]:
    """Return the jobs of usual reports by their names. One query, or none."""
    names = {one.report.batch for one in reported if _is_usual(one.report)}
    uuids = [uuid for name in names if (uuid := _uuid(name))]
    rows = Job.objects.select_related("evaluation__assignment").only(*_READ).filter(uuid__in=uuids)
    return {str(job.uuid): job for job in rows} if uuids else {}


def _is_usual(report: BatchReport) -> bool:
    return report.phase == BatchPhase.PLAYING and bool(report.results) and not report.prints


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _playing(reported: Iterable[Reported], jobs: dict[str, Job]) -> Iterator[tuple[Job, Reported]]:
    """Yield those of jobs that this grader plays already."""
    for one in reported:
        job = jobs.get(one.report.batch)
        if (
            job is not None
            and _is_usual(one.report)
            and job.status == JobStatus.PLAYING
            and job.claimed_by == one.key
            and job.lease_until is not None
        ):
            yield job, one


def _add(owner: GamesOwner[Any], pairs: Sequence[tuple[Job, Reported]]) -> set[int]:
    """Check and add games of one kind of owner; return the keys of the jobs that have them."""
    games = [(job, {result.index for result in one.report.results}) for job, one in pairs]
    unrecorded = owner.unrecorded_of(games)
    reports = []
    for job, one in pairs:
        indices = unrecorded.get(job.pk)
        if not indices or str(job.owner.uuid) != one.report.evaluation:
            continue
        try:
            require_leave(job, one.report, key=one.key, digest=owner.digest_of(job))
            reports.append((job, checked(one.report, owner.request_of(job), indices)))
        except RecordError:  # said when it is recorded alone
            continue
    return owner.add(reports) if reports else set()
