"""The replay audit of an agent's games: its sample, and a grader's answer."""

import uuid
from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q

from grader.audit import AuditReport
from grader.core.records import from_json
from webapp.base.transitions import Advancing
from webapp.grading.evaluations.models.evaluation import Evaluation


class AuditStatus(models.TextChoices):
    """The stage of an audit. Its outcome is in the report, and never a verdict."""

    QUEUED = "queued", "queued"
    FINISHED = "finished", "finished"
    FAILED = "failed", "failed"
    """Our infrastructure gave up after three attempts; grades are not touched by it."""


TRANSITIONS: Final[Mapping[str, tuple[AuditStatus, ...]]] = {
    AuditStatus.QUEUED: (AuditStatus.FINISHED, AuditStatus.FAILED),
    AuditStatus.FINISHED: (),
    AuditStatus.FAILED: (),
}


class AuditRun(Advancing):
    """An audit of one agent's games in one run; deleting it changes nothing else."""

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    n_games = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()
    """Seed of the sample and of the random pauses; drawn by us, known to no agent."""

    status = models.CharField(max_length=10, choices=AuditStatus, default=AuditStatus.QUEUED)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    report_json = models.TextField(blank=True)
    flags = models.PositiveSmallIntegerField(default=0)
    """Seats of games that differ."""
    seen_at = models.DateTimeField(null=True, blank=True)
    """The time at which staff marked its flags as seen; ``None``: flags wait for a look."""
    seen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    seen_note = models.CharField(max_length=200, blank=True)
    system_fault = models.TextField(blank=True)
    claimed_by = models.CharField(max_length=64, blank=True)
    """Public key of the grader that answered."""

    transitions = TRANSITIONS

    class Meta:
        abstract = True
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                condition=Q(status__in=AuditStatus.values), name="%(class)s_status_known"
            ),
            models.CheckConstraint(condition=Q(n_games__gte=1), name="%(class)s_has_games"),
            models.CheckConstraint(
                condition=~Q(status=AuditStatus.FINISHED)
                | (~Q(report_json="") & Q(finished_at__isnull=False)),
                name="%(class)s_finished_has_report",
            ),
            models.CheckConstraint(
                condition=Q(seen_at__isnull=True, seen_by__isnull=True, seen_note="")
                | (
                    Q(seen_at__isnull=False, seen_by__isnull=False, flags__gte=1) & ~Q(seen_note="")
                ),
                name="%(class)s_seen_has_note",
            ),
        )

    @property
    def is_open(self) -> bool:
        return self.status == AuditStatus.QUEUED

    @property
    def is_flagged(self) -> bool:
        """True if it has flags that nobody marked as seen."""
        return bool(self.flags) and self.seen_at is None

    @property
    def report(self) -> AuditReport | None:
        return from_json(self.report_json, AuditReport) if self.report_json else None


class Audit(AuditRun):
    """The audit of a graded evaluation, at most one for each."""

    evaluation = models.OneToOneField(Evaluation, models.CASCADE, related_name="audit")

    def __str__(self) -> str:
        return f"audit of {self.evaluation_id}"
