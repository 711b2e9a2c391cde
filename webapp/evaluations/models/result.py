"""One game of an evaluation: what counts of it as columns, all of it as its record."""

import zlib
from typing import Final

from django.db import models
from django.db.models import Q

from grader.records import Evidence, FaultKind, Record, from_json
from webapp.evaluations.models.evaluation import Evaluation

STOPPED: Final = "stopped"
"""The ending of a game that does not count because faults had stopped the evaluation before it."""

MAX_RECORD_BYTES: Final = 1 << 20
"""A record that unpacks to more is not one of ours."""


class GameResult(models.Model):
    """Exactly one row for each (evaluation, index): that is how nothing is counted twice."""

    evaluation = models.ForeignKey(Evaluation, models.CASCADE, related_name="results")
    index = models.PositiveIntegerField()
    score = models.IntegerField()
    """What counts: of the evaluated agent, fault and stop included."""
    scores = models.JSONField(default=list)
    """Per seat, as played."""
    ending = models.CharField(max_length=20)
    """The game's own word, ``fault``, or ``stopped``."""
    fault_kind = models.CharField(max_length=12, blank=True)
    """A FaultKind, or empty."""
    fault_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    fault_turn = models.SmallIntegerField(null=True, blank=True)
    fault_detail = models.TextField(blank=True)
    turns = models.PositiveSmallIntegerField(default=0)
    packed_record = models.BinaryField(default=bytes)
    """The Record's JSON, deflated; empty for a game that was not played."""
    evidence_json = models.TextField(blank=True)
    """The Evidence's JSON for a faulted game."""
    wall_ms = models.FloatField(default=0)
    max_charged_us = models.PositiveIntegerField(default=0)
    """The slowest turn of any seat."""

    class Meta:
        ordering = ("index",)
        constraints = (
            models.UniqueConstraint(fields=["evaluation", "index"], name="result_once"),
            models.CheckConstraint(
                condition=Q(fault_kind="") | Q(fault_kind__in=[kind.value for kind in FaultKind]),
                name="result_fault_known",
            ),
            models.CheckConstraint(
                condition=Q(fault_kind="", fault_turn__isnull=True)
                | (~Q(fault_kind="") & Q(fault_turn__isnull=False)),
                name="result_fault_has_turn",
            ),
        )

    def __str__(self) -> str:
        return f"game {self.index}: {self.score}"

    @property
    def record_json(self) -> str:
        """The Record as JSON; empty if the game was not played."""
        unpacker = zlib.decompressobj()
        return unpacker.decompress(bytes(self.packed_record), MAX_RECORD_BYTES).decode()

    @property
    def record(self) -> Record | None:
        """All that is needed to replay the game."""
        text = self.record_json
        return from_json(text, Record) if text else None

    @property
    def evidence(self) -> Evidence | None:
        """What was sent and received when the fault happened."""
        return from_json(self.evidence_json, Evidence) if self.evidence_json else None
