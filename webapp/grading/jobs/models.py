"""A job: a unit of work that is queued, sent to graders, and done by one of them."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, Final, Protocol, Self

from django.db import models
from django.db.models import Q

from webapp.base.transitions import Advancing
from webapp.grading.jobs.queues import Queue

MAX_ATTEMPTS: Final = 3
"""Failures of the same work after which its owner fails. Recorded games reset the count."""
# See webapp/decisions/failed-attempts.md
MAX_LOSSES: Final = 20
"""Losses of the same work, with its grader or the broker. A loss is no failed attempt,
but work that ends every machine that takes it must stop."""


class JobStatus(models.TextChoices):
    """The stage in the pipeline."""

    QUEUED = "queued", "queued"
    """To be sent (``sent_at`` is empty), or sent without a report yet."""
    PLAYING = "playing", "playing"
    FINISHED = "finished", "finished"
    FAILED = "failed", "failed"
    """A SystemFault, or its lease ran out; a later job plays the missing games, if any."""
    CANCELLED = "cancelled", "cancelled"


TRANSITIONS: Final[Mapping[str, tuple[JobStatus, ...]]] = {
    JobStatus.QUEUED: (
        JobStatus.PLAYING,
        JobStatus.FINISHED,
        JobStatus.FAILED,
        JobStatus.CANCELLED,
    ),
    JobStatus.PLAYING: (JobStatus.FINISHED, JobStatus.FAILED, JobStatus.CANCELLED),
    JobStatus.FINISHED: (),
    JobStatus.FAILED: (),
    JobStatus.CANCELLED: (),
}

OPEN: Final = (JobStatus.QUEUED, JobStatus.PLAYING)
"""Statuses in which reports are expected."""


class Owner(Protocol):
    """The row that a job belongs to."""

    @property
    def uuid(self) -> uuid.UUID:
        """The name by which graders know it."""

    @property
    def is_open(self) -> bool:
        """True if it still waits for its jobs."""


OWNERS: Final = (
    "evaluation", "tournament", "audit", "tournament_audit", "ladder", "human_game"
)  # fmt: skip
"""The fields of a job that point at its owner: one of them is set."""


LONGEST_PAUSE: Final = timedelta(minutes=2)
"""No job waits longer to be sent again."""


def after(pause: timedelta, *, at: datetime) -> datetime | None:
    """Return the time after a pause; ``None`` without one.

    Raises ValueError for a pause that ``JobQuerySet.due`` would take for a clock that was fast.
    """
    if pause > LONGEST_PAUSE:
        raise ValueError(f"a pause of {pause}, longer than any")
    return at + pause if pause else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """The time at which work is sent, and its failures and losses before."""

    at: datetime
    pause: timedelta = timedelta()
    """The wait before it is sent, ``LONGEST_PAUSE`` at most."""
    attempt: int = 1
    losses: int = 0
    turn_at: datetime | None = None
    """Kept by work that is sent again; ``None``: it is given one."""
    is_retry: bool = False

    @property
    def columns(self) -> dict[str, Any]:
        return {
            "created_at": self.at,
            "send_after": after(self.pause, at=self.at),
            "attempt": self.attempt,
            "losses": self.losses,
            "turn_at": self.turn_at,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Requester:
    """The course and team for which work is done: they decide when its turn comes."""

    course: int
    team: int | None = None
    """``None`` if no single team owns the work."""
    due_at: datetime | None = None


class JobQuerySet(models.QuerySet["Job"]):
    """Jobs, filtered by their state."""

    def open(self) -> Self:
        """Jobs that still wait for reports."""
        return self.filter(status__in=OPEN)

    def due(self, at: datetime) -> Self:
        """Jobs that may be sent now, or were postponed by a clock that was fast."""
        waited = Q(send_after__isnull=True) | Q(send_after__lte=at)
        waited |= Q(send_after__gt=at + LONGEST_PAUSE)
        return self.unsent().filter(waited)

    def unsent(self) -> Self:
        """Jobs that no broker has taken, in the order of the index ``job_waiting``."""
        waiting = self.filter(status=JobStatus.QUEUED, sent_at__isnull=True)
        return waiting.order_by("course_id", "turn_at", "pk")

    def in_flight(self) -> Self:
        """Jobs that a broker or a grader has."""
        return self.open().filter(sent_at__isnull=False)

    def unheard(self) -> Self:
        """Jobs that a broker took and no grader has reported on, in the order of sending.

        Among them closed ones whose message still lay in its queue at the last look.
        """
        left_behind = Q(lease_until__isnull=True) & ~Q(status__in=OPEN)
        return self.filter(
            Q(status=JobStatus.QUEUED) | left_behind, sent_at__isnull=False
        ).order_by("sent_at", "pk")

    def with_owners(self) -> Self:
        """Fetch the rows that a request is made from, in the same query."""
        return self.select_related(
            "evaluation__assignment",
            "tournament",
            "audit__evaluation__assignment",
            "tournament_audit__participant__tournament__assignment",
            "ladder",
            "human_game",
        )

    def cancel(self) -> int:
        """Cancel the open jobs; return the count."""
        return self.open().update(status=JobStatus.CANCELLED)


def one_of(*names: str) -> Q:
    """Return the condition that exactly one of these foreign keys is set."""
    return reduce(
        or_, (Q(**{f"{other}__isnull": other != name for other in names}) for name in names)
    )


# See webapp/decisions/one-table-of-jobs.md
class Job(Advancing):
    """Some work of one evaluation, tournament, audit, ladder or person's game, sent once."""

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    queue = models.CharField(max_length=10, choices=[(queue.value, queue.value) for queue in Queue])
    evaluation = models.ForeignKey(
        "evaluations.Evaluation", models.CASCADE, null=True, blank=True, related_name="jobs"
    )
    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, null=True, blank=True, related_name="jobs"
    )
    audit = models.ForeignKey(
        "evaluations.Audit", models.CASCADE, null=True, blank=True, related_name="jobs"
    )
    tournament_audit = models.ForeignKey(
        "tournaments.TournamentAudit", models.CASCADE, null=True, blank=True, related_name="jobs"
    )
    ladder = models.ForeignKey(
        "ladders.Ladder", models.CASCADE, null=True, blank=True, related_name="jobs"
    )
    human_game = models.ForeignKey(
        "playing.HumanGame", models.CASCADE, null=True, blank=True, related_name="jobs"
    )
    payload = models.JSONField(default=dict, blank=True)
    """The part of its owner's work that this is, as its owner writes and reads it. No secret."""
    n_games = models.PositiveIntegerField()
    course = models.ForeignKey(
        "courses.Course", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    team = models.ForeignKey(
        "courses.Team", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    """``None`` if no single team's agent plays."""
    seconds = models.FloatField(default=0)
    """Estimated core seconds."""
    turn_at = models.DateTimeField(null=True, blank=True)
    """Its place in the line of its course: see ``policy``."""
    attempt = models.PositiveSmallIntegerField(default=1)
    """The number of failures of (some of) this work, plus one."""
    losses = models.PositiveSmallIntegerField(default=0)
    """The number of times that the same work got lost: its lease ran out without a report."""

    status = models.CharField(max_length=10, choices=JobStatus, default=JobStatus.QUEUED)
    created_at = models.DateTimeField()
    send_after = models.DateTimeField(null=True, blank=True)
    """The earliest time to send it again, so that a host can recover, for example Docker after a
    restart."""
    sent_at = models.DateTimeField(null=True, blank=True)
    """The time at which the broker took it; empty until then."""
    sent_to = models.CharField(max_length=10, blank=True)
    """The broker's queue that took it."""
    lease_until = models.DateTimeField(null=True, blank=True)
    """Empty while it waits in its queue, however long that is. Set when a grader first reports of
    it, or when it is noticed that the queue no longer holds it; moved on by every report. When it
    has passed, what is missing is sent again. Once the job is closed it only says that."""
    system_fault = models.TextField(blank=True)
    worker = models.CharField(max_length=200, blank=True)
    """The name of the worker that did it, by its own report."""
    claimed_by = models.CharField(max_length=64, blank=True)
    """Public key of the grader that reported on it first; no other may report on it."""

    transitions = TRANSITIONS
    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values), name="job_status_known"
            ),
            models.CheckConstraint(condition=Q(queue__in=list(Queue)), name="job_queue_known"),
            models.CheckConstraint(
                condition=Q(attempt__gte=1, attempt__lte=MAX_ATTEMPTS), name="job_attempts"
            ),
            models.CheckConstraint(condition=Q(n_games__gte=1), name="job_has_games"),
            models.CheckConstraint(
                condition=one_of(*OWNERS),
                name="job_of_one_owner",
            ),
        )
        indexes = (
            models.Index(
                fields=["status", "lease_until"],
                condition=Q(lease_until__isnull=False),
                name="job_lease",
            ),
            # Jobs that wait and jobs that were sent have indexes of their own: without figures of a
            # backlog that has just come, PostgreSQL would look for one kind among the other. Not by
            # status: SQLite takes no partial index for a condition with parameters.
            models.Index(
                fields=["status", "queue", "course", "turn_at", "id"],
                condition=Q(sent_at__isnull=True),
                name="job_waiting",
            ),
            models.Index(
                fields=["status", "queue", "course", "created_at"],
                condition=Q(sent_at__isnull=True),
                name="job_oldest",
            ),
            models.Index(
                fields=["course", "queue", "sent_at"],
                condition=Q(sent_at__isnull=False),
                name="job_served",
            ),
            models.Index(
                fields=["status", "queue", "sent_at"],
                condition=Q(sent_at__isnull=False),
                name="job_sent",
            ),
        )

    def __str__(self) -> str:
        return f"job {self.uuid}"

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    @property
    def owner(self) -> Owner:
        owner: Owner = getattr(self, self.owner_field)
        return owner

    @property
    def owner_field(self) -> str:
        return next(field for field in OWNERS if getattr(self, f"{field}_id") is not None)


class FailedBuild(models.Model):
    """A participant of a table that the grader of a job could not build."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="failed_builds")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["job", "number"], name="failed_build_once"),)

    def __str__(self) -> str:
        return f"participant {self.number} in {self.job}"


class SiteIdentity(models.Model):
    """The name of this site at the broker: one row, made with the database and copied with it."""

    name = models.CharField(max_length=16)
    """Random: 16 hexadecimal digits."""

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(pk=1), name="one_site_identity"),
            models.CheckConstraint(condition=~Q(name=""), name="site_identity_has_name"),
        )

    def __str__(self) -> str:
        return self.name
