"""A game of agents of different teams: who sat where, and which table of its owner it is of."""

from collections.abc import Sequence
from typing import Self, TypeVar

from django.db import models
from django.db.models import Q

from grader.core.records import Fault, FaultKind
from grader.tournament import PlayedTable
from webapp.grading.evaluations.models import StoredGame

G = TypeVar("G", bound="SeatedGame")


def seating_text(seating: Sequence[int]) -> str:
    """``,3,17,0,``: with commas around each number, so that a participant's can be searched for."""
    return f",{','.join(map(str, seating))},"


def numbers_of(text: str) -> tuple[int, ...]:
    """Inverse of ``seating_text``."""
    return tuple(map(int, text.strip(",").split(",")))


class SeatedGameQuerySet(models.QuerySet[G]):
    """Games by who played them."""

    def of(self, number: int) -> Self:
        """Return the games in which this participant sat."""
        return self.filter(seating__contains=f",{number},")

    def as_played(self) -> list[PlayedTable]:
        """Return all games without unpacking any. One query."""
        return [played for _, played in self.by_table()]

    def by_table(self) -> list[tuple[int, PlayedTable]]:
        """Return all games with their tables' numbers, without unpacking any. One query."""
        columns = ("table", "index", "seating", "scores", "fault_kind", "fault_seat")
        return [(row[0], _played(*row[1:])) for row in self.values_list(*columns)]


def _played(
    index: int, seating: str, scores: Sequence[int], kind: str, seat: int | None
) -> PlayedTable:
    fault = Fault(seat=seat or 0, kind=FaultKind(kind), turn=0, detail="") if kind else None
    return PlayedTable(index=index, seating=numbers_of(seating), scores=tuple(scores), fault=fault)


def game_constraints(prefix: str) -> tuple[models.CheckConstraint, ...]:
    """Return the constraints of a game's fault; their names begin with ``prefix``."""
    return (
        models.CheckConstraint(
            condition=Q(fault_kind="") | Q(fault_kind__in=[kind.value for kind in FaultKind]),
            name=f"{prefix}_fault_known",
        ),
        models.CheckConstraint(
            condition=Q(fault_kind="", fault_seat__isnull=True)
            | (~Q(fault_kind="") & Q(fault_seat__isnull=False)),
            name=f"{prefix}_fault_has_seat",
        ),
    )


class SeatedGame(StoredGame):
    """A game that was asked for with a seating. Participants are numbers."""

    seating = models.CharField(max_length=400)
    table = models.PositiveIntegerField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"game {self.index}"

    @property
    def numbers(self) -> tuple[int, ...]:
        return numbers_of(self.seating)

    @property
    def culprit(self) -> int | None:
        return None if self.fault_seat is None else self.numbers[self.fault_seat]
