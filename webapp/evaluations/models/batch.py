"""The unit that is queued and played on one worker: some games of one evaluation, or of one table.

Whatever asks graders for games does it with rows of this table: so there is one queue, one kind of
lease and one look for lost messages.
"""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Final, Self

from django.db import models
from django.db.models import Q

from webapp.evaluations.models.evaluation import OPEN as OPEN_OWNER
from webapp.evaluations.models.evaluation import Evaluation, Kind
from webapp.transitions import Advancing

MAX_ATTEMPTS: Final = 3
"""So often games are sent before their evaluation fails."""


class BatchStatus(models.TextChoices):
    """Where in the pipeline."""

    QUEUED = "queued", "queued"
    """To be sent (``sent_at`` is empty), or sent and not yet reported of."""
    PLAYING = "playing", "playing"
    """A grader has reported of it."""
    FINISHED = "finished", "finished"
    """All its games are recorded."""
    FAILED = "failed", "failed"
    """A SystemFault, or its lease ran out; what was missing went into a later batch, if any."""
    CANCELLED = "cancelled", "cancelled"
    """Its games are not needed any more."""


TRANSITIONS: Final[Mapping[str, tuple[BatchStatus, ...]]] = {
    BatchStatus.QUEUED: (
        BatchStatus.PLAYING,
        BatchStatus.FINISHED,
        BatchStatus.FAILED,
        BatchStatus.CANCELLED,
    ),
    BatchStatus.PLAYING: (BatchStatus.FINISHED, BatchStatus.FAILED, BatchStatus.CANCELLED),
    BatchStatus.FINISHED: (),
    BatchStatus.FAILED: (),
    BatchStatus.CANCELLED: (),
}
"""Where a batch may go from each status."""

OPEN: Final = (BatchStatus.QUEUED, BatchStatus.PLAYING)
"""Statuses in which games are expected."""


class BatchQuerySet(models.QuerySet["Batch"]):
    """Batches by what they wait for."""

    def open(self) -> Self:
        """Those that still wait for games."""
        return self.filter(status__in=OPEN)

    def due(self, at: datetime) -> Self:
        """Those that no broker has taken, and that may be sent now."""
        waited = Q(send_after__isnull=True) | Q(send_after__lte=at)
        return self.filter(waited, status=BatchStatus.QUEUED, sent_at__isnull=True)

    def of_open(self) -> Self:
        """Those of an evaluation or tournament in which games are expected."""
        return self.filter(
            Q(evaluation__status__in=OPEN_OWNER) | Q(tournament__status__in=OPEN_OWNER)
        )

    def in_queue(self, kind: str) -> Self:
        """Those that are sent to this queue. Tournaments are played beside graded evaluations."""
        ours = Q(evaluation__kind=kind)
        return self.filter(ours | Q(tournament__isnull=False) if kind == Kind.GRADED else ours)

    def unheard(self) -> Self:
        """Those that a broker took and nobody has reported of, in the order of sending.

        Among them closed ones whose message still lay in its queue when they were last looked at.
        """
        left_behind = Q(lease_until__isnull=True) & ~Q(status__in=OPEN)
        return self.filter(
            Q(status=BatchStatus.QUEUED) | left_behind, sent_at__isnull=False
        ).order_by("sent_at", "pk")


class Batch(Advancing):
    """Some games of one evaluation or of one table of a tournament, sent once."""

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    evaluation = models.ForeignKey(
        Evaluation, models.CASCADE, null=True, blank=True, related_name="batches"
    )
    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, null=True, blank=True, related_name="batches"
    )
    table = models.JSONField(null=True, blank=True)
    """A tournament's TableBatch as JSON: who sits where in each game; ``ranges`` has no more than
    their numbers."""
    ranges = models.JSONField()
    """The games asked for: pairs of first and last index, ascending."""
    n_games = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField(default=1)
    """How often (some of) these games have been sent, this time included."""
    check_first = models.BooleanField(default=False)

    status = models.CharField(max_length=10, choices=BatchStatus, default=BatchStatus.QUEUED)
    created_at = models.DateTimeField()
    send_after = models.DateTimeField(null=True, blank=True)
    """Not to be sent before: what broke (a Docker that restarts) is given time to recover."""
    sent_at = models.DateTimeField(null=True, blank=True)
    """When the broker took it; empty while it has not."""
    lease_until = models.DateTimeField(null=True, blank=True)
    """Empty while it waits in its queue, however long that is. Set when a grader first reports of
    it, or when it is noticed that the queue no longer holds it; moved on by every report. When it
    has passed, the missing games are sent again. Once the batch is closed it only says that."""
    system_fault = models.TextField(blank=True)
    worker = models.CharField(max_length=200, blank=True)
    """What played it, in its own words."""
    claimed_by = models.CharField(max_length=64, blank=True)
    """Public key of the grader that reported of it first; no other may report of it."""

    transitions = TRANSITIONS
    objects = BatchQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "batches"
        constraints = (
            models.CheckConstraint(
                condition=Q(status__in=BatchStatus.values), name="batch_status_known"
            ),
            models.CheckConstraint(
                condition=Q(attempt__gte=1, attempt__lte=MAX_ATTEMPTS), name="batch_attempts"
            ),
            models.CheckConstraint(condition=Q(n_games__gte=1), name="batch_has_games"),
            models.CheckConstraint(
                condition=Q(evaluation__isnull=False, tournament__isnull=True, table__isnull=True)
                | Q(evaluation__isnull=True, tournament__isnull=False, table__isnull=False),
                name="batch_of_one_asker",
            ),
        )
        indexes = (models.Index(fields=["status", "lease_until"], name="batch_lease"),)

    def __str__(self) -> str:
        return f"batch {self.uuid}"

    @property
    def is_open(self) -> bool:
        """Whether its games are still needed."""
        return self.status in OPEN

    @property
    def asked_evaluation(self) -> Evaluation:
        """The evaluation that it belongs to. Raises LookupError for a tournament's."""
        if self.evaluation is None:
            raise LookupError(f"{self} is of no evaluation")
        return self.evaluation

    @property
    def queue(self) -> str:
        """Where it waits."""
        return Kind.GRADED.value if self.evaluation is None else self.evaluation.kind

    @property
    def indices(self) -> tuple[int, ...]:
        """The games asked for."""
        return tuple(index for low, high in self.ranges for index in range(low, high + 1))
