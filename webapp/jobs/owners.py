"""The owners of jobs: evaluations, tournaments, audits, ladders and people's games.

Sending, claims, leases, recording and retries are the same for all jobs. A ``JobOwner`` says what
differs: what exactly a grader is asked for, and what a report leads to. The pipeline registers the
owners when the site starts, so this app knows none of the apps above it.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final, TypeAlias

from grader.audit import AuditRequest
from grader.core.live import SeatRequest
from grader.core.records import BatchReport, BatchRequest
from webapp.jobs.models import Job

__all__ = ["GamesOwner", "JobOwner", "Request", "games_owner_of", "owner_of", "register"]

Request: TypeAlias = BatchRequest | AuditRequest | SeatRequest


class JobOwner(ABC):
    """How the jobs of one kind of owner are requested, retried and followed up."""

    @abstractmethod
    def request_of(self, job: Job) -> Request:
        """Make the request for a grader. It is made for each use: no secret lies in the row."""

    @abstractmethod
    def slack_seconds(self, job: Job) -> float:
        """Return how long a grader may be silent about the job, beyond ``LEASE_SECONDS``."""

    @abstractmethod
    def lock(self, job: Job) -> bool:
        """Lock the owner's row until the transaction ends; return whether it takes results.

        ``job.owner`` is read again. To be called before the job's row is changed: a fixed order
        of locks.
        """

    @abstractmethod
    def missing_games(self, job: Job) -> int:
        """Count the job's games that are needed and not recorded."""

    @abstractmethod
    def retry(
        self, job: Job, *, reason: str, at: datetime, send_after: datetime, lost: bool
    ) -> None:
        """Send the rest of a failed or ``lost`` job again, or fail the owner (``next_try``)."""

    @abstractmethod
    def go_on(self, job: Job, *, closed: bool, at: datetime) -> None:
        """Continue after a report, or after a lease. ``closed``: the job was closed by it."""


class GamesOwner(JobOwner):
    """An owner whose jobs are batches of games."""

    @abstractmethod
    def request_of(self, job: Job) -> BatchRequest:
        """Make the request for some games."""

    @abstractmethod
    def unrecorded_games(self, job: Job) -> Collection[int]:
        """Return the indices of the job's games without a row; none if no results are taken.

        Only these are replayed, so that a flood of reports cannot keep the site busy.
        """

    @abstractmethod
    def insert(self, job: Job, report: BatchReport) -> None:
        """Insert rows for the report's games: all of them, or none. Those that exist stay.

        Raises SystemFault if a result is too large to be stored.
        """

    @abstractmethod
    def begin(self, job: Job, *, at: datetime) -> None:
        """Move the owner to playing, if this is the first report."""

    def may_decline(self, job: Job, key: str) -> bool:
        """Return whether the grader with this public key may leave the job to others."""
        del job, key
        return False

    @abstractmethod
    def note_builds(self, job: Job, report: BatchReport, *, at: datetime) -> None:
        """Record how building the agents went."""

    def is_complete(self, job: Job, report: BatchReport) -> bool:
        """Return whether nothing more is expected of the job after this report."""
        del report
        return not self.missing_games(job)


_KINDS: Final = ("evaluation", "tournament", "audit", "ladder", "human_game")
_owners: dict[str, JobOwner] = {}


def register(owners: Mapping[str, JobOwner]) -> None:
    """Register the owners of jobs, by the field of a job that points at their rows."""
    _owners.update(owners)


def owner_of(job: Job) -> JobOwner:
    """Return the owner of a job."""
    return next(_owners[kind] for kind in _KINDS if getattr(job, f"{kind}_id") is not None)


def games_owner_of(job: Job) -> GamesOwner | None:
    """Return the owner of a batch of games; ``None`` for the job of an audit."""
    owner = owner_of(job)
    return owner if isinstance(owner, GamesOwner) else None
