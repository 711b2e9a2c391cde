"""Graders as they last reported, signs of the site's workers, and requests of operators."""

from datetime import datetime, timedelta
from typing import Final, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef

from grader.core.health import GraderReport
from grader.core.records import from_json
from webapp.grading.graders.models import GraderKey

STALE_AFTER: Final = timedelta(minutes=1)
"""After two or three missed reports the grader counts as gone."""
IS_DRAINED: Final = Exists(
    GraderKey.objects.filter(public_key=OuterRef("public_key"), drained_at__isnull=False)
)
"""The condition of a query: the grader's machine takes no new work."""


class GraderQuerySet(models.QuerySet["Grader"]):
    def well(self, at: datetime) -> Self:
        """Graders that reported lately, and confine agents."""
        return self.filter(is_healthy=True, seen_at__gt=at - STALE_AFTER)

    def ready(self, at: datetime) -> Self:
        """Graders that are well, and of a machine that is not drained."""
        return self.well(at).filter(~IS_DRAINED)


# See webapp/decisions/reports-of-graders-about-themselves.md
class Grader(models.Model):
    """One worker, from its latest report, which moves how work is cut and sent, nothing else."""

    name = models.CharField(max_length=200, unique=True)
    public_key = models.CharField(max_length=64, blank=True)
    """The key of the machine that sent the report; empty in rows kept from before there were keys.
    """
    seen_at = models.DateTimeField()
    """The time of the report: its age by the broker's clock, before our present time. By the
    grader's own clock, but never in the future, if the grader may not ask the broker for the time.
    """
    skew_seconds = models.FloatField(null=True)
    """Seconds by which the grader's clock is fast; negative if slow, ``None`` if not known."""
    is_healthy = models.BooleanField()
    report_json = models.TextField()

    objects = GraderQuerySet.as_manager()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    @property
    def report(self) -> GraderReport:
        """Its report. Raises RecordError if another version of the site stored it."""
        return from_json(self.report_json, GraderReport)

    def is_stale(self, at: datetime) -> bool:
        """Return whether too much time has passed since the report."""
        return self.seen_at <= at - STALE_AFTER


class Sign(models.Model):
    """The latest sign that a part of the site works, by the part's name."""

    name = models.CharField(max_length=20, unique=True)
    at = models.DateTimeField()
    lag_seconds = models.FloatField(default=0)
    """The time that the task that left the sign had waited in its queue."""
    skew_seconds = models.FloatField(null=True)
    """Seconds by which the clock of the host that left the sign is ahead of the broker's."""
    since = models.DateTimeField(null=True)
    """The time of the first sign after the last gap of over a minute; ``None`` if it is not known.
    """

    def __str__(self) -> str:
        return f"{self.name}, {self.at}"


class ResendingQuerySet(models.QuerySet["Resending"]):
    def under_way(self) -> Self:
        """Requests that are not done."""
        return self.filter(finished_at__isnull=True)


class Resending(models.Model):
    """An operator's request to send failed evaluations again, and the number handled so far."""

    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    requested_at = models.DateTimeField()
    evaluations = models.JSONField()
    """Keys of the evaluations that had failed at that moment, the oldest first."""
    done = models.PositiveIntegerField(default=0)
    sent = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = ResendingQuerySet.as_manager()

    class Meta:
        ordering = ("-requested_at", "-pk")

    def __str__(self) -> str:
        return f"{self.total} evaluations, requested {self.requested_at}"

    @property
    def total(self) -> int:
        return len(self.evaluations)
