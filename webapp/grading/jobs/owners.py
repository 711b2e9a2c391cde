"""The owners of jobs: evaluations, tournaments, audits, ladders and people's games.

A ``JobOwner`` says what differs between them. The pipeline registers the owners when the site
starts, so this app knows none of the apps above it.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast

from django.db import models

from grader.audit import AuditRequest
from grader.core.live import SeatRequest
from grader.core.records import BatchReport, BatchRequest
from webapp.grading.jobs.models import Job, Sending
from webapp.grading.jobs.runs import Run, Status

logger = logging.getLogger(__name__)

Request: TypeAlias = BatchRequest | AuditRequest | SeatRequest
Row = TypeVar("Row", bound=models.Model)
RunRow = TypeVar("RunRow", bound=Run)
Owner = TypeVar("Owner", bound="JobOwner[Any]")


class JobOwner(ABC, Generic[Row]):
    """The behaviour of one kind of owner: how its jobs are requested, sent again, followed up."""

    field: ClassVar[str]
    related: ClassVar[tuple[str, ...]] = ()
    """Foreign keys of the owner's row that are read with it."""
    is_lost_as_failed: ClassVar[bool] = False
    """True if a job that got lost counts as a failed attempt."""

    def row_of(self, job: Job) -> Row:
        """Return the row that a job belongs to. Raises LookupError for another owner's."""
        row = getattr(job, self.field)
        if row is None:
            raise LookupError(f"{job} is of no {self.field}")
        return cast("Row", row)

    def lock(self, job: Job) -> bool:
        """Lock the owner's row until the transaction ends; return whether it takes results.

        To be called before the job's row is changed: a fixed order of locks.
        """
        setattr(job, self.field, self.locked(self.row_of(job)))
        return self.takes_results(self.row_of(job))

    def locked(self, row: Row) -> Row:
        return locked(row, *self.related)

    @abstractmethod
    def takes_results(self, row: Row) -> bool:
        """Return whether results are still recorded."""

    @abstractmethod
    def request_of(self, job: Job) -> Request:
        """Make the request for a grader. Made for each use: the row holds no secret."""

    @abstractmethod
    def slack_seconds(self, job: Job) -> float:
        """Return how long a grader may be silent about the job, beyond ``LEASE_SECONDS``."""

    @abstractmethod
    def missing_games(self, job: Job) -> int:
        """Count the job's games that are needed and not recorded."""

    @abstractmethod
    def send_again(self, job: Job, sending: Sending, *, reason: str) -> None:
        """Send the rest of a failed or lost job again, in a new job."""

    @abstractmethod
    def fail(self, job: Job, *, reason: str, at: datetime) -> None:
        """Fail the owner: the job has failed or got lost too often."""

    @abstractmethod
    def go_on(self, job: Job, *, closed: bool, at: datetime) -> None:
        """Continue after a report, or after a lease. ``closed``: the job was closed by it."""


class GamesOwner(JobOwner[Row]):
    @abstractmethod
    def request_of(self, job: Job) -> BatchRequest:
        """Make the request for some games."""

    def digest_of(self, job: Job) -> str:
        """Return the digest of the request for some games."""
        return self.request_of(job).digest()

    @abstractmethod
    def unrecorded_games(self, job: Job) -> Collection[int]:
        """Return the indices of the job's games without a row; none if no results are taken.

        Only these are replayed, so that a flood of reports cannot keep the site busy.
        """

    @abstractmethod
    def insert(self, job: Job, report: BatchReport) -> None:
        """Insert rows for the report's games, all or none; existing ones stay.

        Raises SystemFault if a result is too large to be stored.
        """

    def unrecorded_of(self, games: Sequence[tuple[Job, Collection[int]]]) -> dict[int, set[int]]:
        """Return which of these games have no row, by the key of the job.

        Left out are jobs to which no games can be added together with those of others.
        """
        del games
        return {}

    def add(self, reports: Sequence[tuple[Job, BatchReport]]) -> set[int]:
        """Add games, in one transaction; return the keys of the jobs that have them now.

        The reports have been checked, and are of jobs in ``unrecorded_of``.
        """
        del reports
        return set()

    @abstractmethod
    def begin(self, job: Job, *, at: datetime) -> None:
        """Move the owner to playing, if this is the first report."""

    def may_decline(self, job: Job, key: str) -> bool:
        """Return whether the grader may leave the job to others: it may lack a packaged game."""
        del key
        return bool(self.request_of(job).game_version)

    @abstractmethod
    def note_builds(self, job: Job, report: BatchReport, *, at: datetime) -> None:
        """Record how building the agents went."""

    def is_complete(self, job: Job, report: BatchReport) -> bool:
        """Return whether nothing more is expected of the job after this report."""
        del report
        return not self.missing_games(job)


class RunOwner(GamesOwner[RunRow]):
    def begin(self, job: Job, *, at: datetime) -> None:
        self.row_of(job).begin(at=at)

    def fail(self, job: Job, *, reason: str, at: datetime) -> None:
        del at
        run = self.row_of(job)
        logger.error("%s %s failed: %s", self.field, run.uuid, reason)
        run.advance(Status.FAILED, system_fault=reason)
        Job.objects.filter(**{self.field: run}).cancel()


def locked(row: Row, *related: str) -> Row:
    """Read a row again and lock it until the transaction ends; SQLite locks the database.

    ``related`` names foreign keys that are read with it.
    """
    rows = type(row)._base_manager.select_for_update(of=("self",), no_key=True)
    return (rows.select_related(*related) if related else rows).get(pk=row.pk)


_owners: dict[str, JobOwner[Any]] = {}


def register(*owners: JobOwner[Any]) -> None:
    """Register the owners of jobs."""
    _owners.update((owner.field, owner) for owner in owners)


def registered(kind: type[Owner]) -> list[Owner]:
    """Return the owners of this kind."""
    return [owner for owner in _owners.values() if isinstance(owner, kind)]


def owner_of(job: Job) -> JobOwner[Any]:
    """Return the owner of a job."""
    return _owners[job.owner_field]


def games_owner_of(job: Job) -> GamesOwner[Any] | None:
    """Return the owner of a batch of games; ``None`` for other jobs."""
    owner = owner_of(job)
    return owner if isinstance(owner, GamesOwner) else None
