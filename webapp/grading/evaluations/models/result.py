"""A game of any owner: its main figures as columns, and the whole result packed."""

import zlib
from collections.abc import Sequence
from typing import Any, Final

from django.db import models
from django.db.models import Q

from grader.core import records
from grader.core.errors import RecordError, SystemFault
from grader.core.records import FaultKind
from webapp.base.storable import storable
from webapp.grading.evaluations.models.evaluation import Evaluation

STOPPED: Final = "stopped"
"""The ending of a game that does not count because faults had stopped the evaluation before it."""

# See webapp/decisions/results-too-large.md
MAX_RESULT_BYTES: Final = 4 << 20
"""The largest result, as JSON. Graders limit an agent's part of it to far less."""


class StoredGame(models.Model):
    """A stored game of any kind: columns to search by, and the whole result, packed."""

    index = models.PositiveIntegerField()
    """In its owner's order, from 0."""
    scores = models.JSONField(default=list)
    ending = models.CharField(max_length=20)
    """The game's own word, ``fault``, or ``stopped``."""
    fault_kind = models.CharField(max_length=12, blank=True)
    fault_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    fault_turn = models.IntegerField(null=True, blank=True)
    fault_detail = models.TextField(blank=True)
    turns = models.PositiveIntegerField(default=0)
    packed = models.BinaryField(default=bytes)
    """The grader's whole GameResult as JSON, deflated; empty for a game that was not played."""
    wall_ms = models.FloatField(default=0)
    max_charged_us = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True

    @property
    def played(self) -> records.GameResult | None:
        """The game as the grader reported it, its score before any stop; ``None``: not played."""
        return unpack(bytes(self.packed)) if self.packed else None

    @property
    def record(self) -> records.Record | None:
        played = self.played
        return None if played is None else played.record

    @property
    def evidence(self) -> records.Evidence | None:
        """The messages sent and received when the fault happened."""
        played = self.played
        return None if played is None else played.evidence


# See webapp/decisions/one-row-per-game.md
class GameResult(StoredGame):
    """Exactly one row for each (evaluation, index): that is how nothing is counted twice."""

    evaluation = models.ForeignKey(Evaluation, models.CASCADE, related_name="results")
    score = models.IntegerField()
    """The score of the evaluated agent that counts, fault and stop included."""
    prints = models.BinaryField(default=bytes)
    """Output of the evaluated agent, by turn, as JSON, deflated; empty if nothing is kept."""

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
    def printed(self) -> tuple[records.Printed, ...]:
        if not self.prints:
            return ()
        return records.from_json(unpack_json(bytes(self.prints)), tuple[records.Printed, ...])


def columns_of(result: records.GameResult) -> dict[str, Any]:
    """The columns of a StoredGame. Raises SystemFault if the result is too large to be stored."""
    record, fault = result.record, result.record.fault
    return {
        "scores": list(record.scores),
        "ending": record.ending,
        "fault_kind": "" if fault is None else fault.kind.value,
        "fault_seat": None if fault is None else fault.seat,
        "fault_turn": None if fault is None else fault.turn,
        "fault_detail": "" if fault is None else storable(fault.detail, characters=2000),
        "turns": len(record.actions.split()),
        "packed": pack(result),
        "wall_ms": result.wall_ms,
        "max_charged_us": max(result.max_charged_us, default=0),
    }


def pack(result: records.GameResult) -> bytes:
    """A few hundred bytes for a game that went well. Raises SystemFault for one too large."""
    text = records.to_json(result).encode()
    if len(text) > MAX_RESULT_BYTES:
        raise SystemFault(
            f"The result of game {result.index} has {len(text)} bytes; at most {MAX_RESULT_BYTES}"
            " are stored. The grader should have bounded it."
        )
    return zlib.compress(text, 6)


def pack_prints(printed: Sequence[records.Printed]) -> bytes:
    """A few kilobytes: ``grader.core.prints`` bounds it."""
    return zlib.compress(records.to_json(printed).encode(), 6) if printed else b""


def unpack(packed: bytes) -> records.GameResult:
    """Inverse of ``pack``. Raises RecordError for anything else, or for too much of it."""
    return records.from_json(unpack_json(packed), records.GameResult)


def unpack_json(packed: bytes) -> bytes:
    """Unpack to JSON that is not read. Raises RecordError as ``unpack``."""
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MAX_RESULT_BYTES + 1)
    except zlib.error as error:
        raise RecordError(f"a stored result cannot be unpacked: {error}") from error
    if not unpacker.eof:
        raise RecordError("a stored result is cut off, or too large to be one of ours")
    return text
