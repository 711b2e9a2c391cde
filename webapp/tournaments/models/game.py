"""One game that was played in a tournament. Whether it counts is for the ledger to say."""

from collections.abc import Sequence
from typing import Self

from django.db import models
from django.db.models import Q

from grader.core.errors import RecordError
from grader.core.records import Fault, FaultKind
from grader.tournament import Played, TournamentResult
from webapp.evaluations.models import StoredGame
from webapp.tournaments.models.tournament import Tournament


def seating_text(seating: Sequence[int]) -> str:
    """``,3,17,0,``: with commas around each number, so that a participant's can be searched for."""
    return f",{','.join(map(str, seating))},"


class TournamentGameQuerySet(models.QuerySet["TournamentGame"]):
    """Games by who played them."""

    def of(self, number: int) -> Self:
        """Those in which this participant sat."""
        return self.filter(seating__contains=f",{number},")

    def as_played(self) -> list[Played]:
        """All of them for a ledger, without unpacking any. One query."""
        columns = self.values_list("index", "seating", "scores", "fault_kind", "fault_seat")
        return [
            Played(
                index=index,
                seating=numbers_of(seating),
                scores=tuple(scores),
                fault=Fault(seat=seat or 0, kind=FaultKind(kind), turn=0, detail="")
                if kind
                else None,
            )
            for index, seating, scores, kind, seat in columns
        ]


def numbers_of(text: str) -> tuple[int, ...]:
    """Inverse of ``seating_text``."""
    return tuple(map(int, text.strip(",").split(",")))


class TournamentGame(StoredGame):
    """Exactly one row for each (tournament, index, seating): a game that a fault spoiled is played
    again with others at the table, and is another row."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="games")
    index = models.PositiveIntegerField()
    """In the plan."""
    seating = models.CharField(max_length=400)
    """For each seat who sat there."""
    table = models.PositiveIntegerField()
    """In the plan."""

    objects = TournamentGameQuerySet.as_manager()

    class Meta:
        ordering = ("index", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["tournament", "index", "seating"], name="tournament_game_once"
            ),
            models.CheckConstraint(
                condition=Q(fault_kind="") | Q(fault_kind__in=[kind.value for kind in FaultKind]),
                name="tournament_game_fault_known",
            ),
            models.CheckConstraint(
                condition=Q(fault_kind="", fault_seat__isnull=True)
                | (~Q(fault_kind="") & Q(fault_seat__isnull=False)),
                name="tournament_game_fault_has_seat",
            ),
        )

    def __str__(self) -> str:
        return f"game {self.index}"

    @property
    def numbers(self) -> tuple[int, ...]:
        """For each seat, the number of the participant that sat there."""
        return numbers_of(self.seating)

    @property
    def culprit(self) -> int | None:
        """The number of the participant whose fault ended it."""
        return None if self.fault_seat is None else self.numbers[self.fault_seat]

    @property
    def as_result(self) -> TournamentResult:
        """For an export. Raises RecordError if the row cannot be read."""
        played = self.played
        if played is None:
            raise RecordError(f"{self} has no record")
        return TournamentResult(seating=self.numbers, result=played)
