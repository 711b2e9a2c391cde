"""Who sends jobs to graders: evaluations, tournaments and audits.

The queue, its leases and the look for lost messages are one machinery for all jobs. What differs
(what exactly is asked for, what a report leads to) is said by a ``JobOwner``. The pipeline
registers them when the site starts, so that this app knows of none that builds on it.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final, TypeAlias

from grader.audit import AuditRequest
from grader.core.records import BatchReport, BatchRequest
from webapp.jobs.models import Job

__all__ = ["GamesOwner", "JobOwner", "Request", "games_owner_of", "owner_of", "register"]

Request: TypeAlias = BatchRequest | AuditRequest


class JobOwner(ABC):
    """What the machinery asks of whatever jobs belong to."""

    @abstractmethod
    def request_of(self, job: Job) -> Request:
        """What a grader is asked for; made anew each time, so no secret lies in the job's row."""

    @abstractmethod
    def slack_seconds(self, job: Job) -> float:
        """How long an honest grader may be silent about the job, beyond ``LEASE_SECONDS``."""

    @abstractmethod
    def lock(self, job: Job) -> bool:
        """Let nobody else act on the owner until the transaction ends; whether it takes results.

        The job's owner is as it is now. To be called before the job is locked.
        """

    @abstractmethod
    def missing_games(self, job: Job) -> int:
        """How many of the job's games are needed and not recorded."""

    @abstractmethod
    def retry(self, job: Job, *, reason: str, at: datetime, send_after: datetime) -> None:
        """Have sent again what a job left that was given up, or fail after the last attempt."""

    @abstractmethod
    def go_on(self, job: Job, *, closed: bool, at: datetime) -> None:
        """Do what is next after a report, or after the lease. ``closed``: by it, just now."""


class GamesOwner(JobOwner):
    """An owner whose jobs are batches of games."""

    @abstractmethod
    def request_of(self, job: Job) -> BatchRequest:
        """The games a grader is asked for."""

    @abstractmethod
    def unrecorded_games(self, job: Job) -> Collection[int]:
        """The indices of the job's games that are not recorded; none if no results are taken.

        Only these are replayed, so that a flood of reports cannot keep the site busy.
        """

    @abstractmethod
    def insert(self, job: Job, report: BatchReport) -> None:
        """Record the report's games that are not there yet: all of them, or none.

        Raises SystemFault if a result is too large to be stored.
        """

    @abstractmethod
    def begin(self, job: Job, *, at: datetime) -> None:
        """Note that games are being played."""

    @abstractmethod
    def note_builds(self, job: Job, report: BatchReport, *, at: datetime) -> None:
        """Note how building the agents went."""

    def read(self, job: Job, report: BatchReport) -> BatchReport:
        """The report as it is to be understood."""
        del job
        return report

    def is_complete(self, job: Job, report: BatchReport) -> bool:
        """Whether nothing more is to be expected of the job after this report."""
        del report
        return not self.missing_games(job)


_KINDS: Final = ("evaluation", "tournament", "audit")
_owners: dict[str, JobOwner] = {}


def register(owners: Mapping[str, JobOwner]) -> None:
    """Say who answers for jobs, by the name of the job's field that points at their owner."""
    _owners.update(owners)


def owner_of(job: Job) -> JobOwner:
    """Who answers for the job."""
    return next(_owners[kind] for kind in _KINDS if getattr(job, f"{kind}_id") is not None)


def games_owner_of(job: Job) -> GamesOwner | None:
    """Who answers for the games of a job; ``None`` for an audit's."""
    owner = owner_of(job)
    return owner if isinstance(owner, GamesOwner) else None
