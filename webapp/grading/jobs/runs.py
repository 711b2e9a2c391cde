"""Runs: what an evaluation and a tournament share as owners of jobs."""

import uuid
from datetime import datetime
from typing import Final

from django.db import models

from webapp.base.transitions import Advancing


# The guide shows the docstrings of the members.
class Status(models.TextChoices):
    """The stage in the pipeline."""

    QUEUED = "queued", "queued"
    """No game has been reported."""
    PLAYING = "playing", "playing"
    """At least one report came in."""
    FINISHED = "finished", "finished"
    """Every game that counts is in; the figures are final."""
    FAILED = "failed", "failed"
    """Our infrastructure gave up after three attempts; staff can send it again."""
    CANCELLED = "cancelled", "cancelled"
    """Stopped by staff."""


OPEN: Final = (Status.QUEUED, Status.PLAYING)


class Run(Advancing):
    """Games that graders play, until all are in."""

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    """Its public name: in addresses and in what graders see."""
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    system_fault = models.TextField(blank=True)
    """Why it failed; for staff."""

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        """True if games are still expected: pages poll while it is."""
        return self.status in OPEN

    def begin(self, *, at: datetime) -> None:
        if self.status == Status.QUEUED:
            self.advance(Status.PLAYING, started_at=self.started_at or at)
