"""One game that was played in a tournament. Whether it counts is for the ledger to say."""

from django.db import models
from django.db.models import Q

from grader.core.errors import RecordError
from grader.core.records import FaultKind
from grader.tournament import TournamentResult
from webapp.tables.games import SeatedGame, SeatedGameQuerySet
from webapp.tournaments.models.tournament import Tournament


class TournamentGame(SeatedGame):
    """Exactly one row for each (tournament, index, seating): a game that a fault spoiled is played
    again with others at the table, and is another row."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="games")
    objects = SeatedGameQuerySet["TournamentGame"].as_manager()

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

    @property
    def as_result(self) -> TournamentResult:
        """For an export. Raises RecordError if the row cannot be read."""
        played = self.played
        if played is None:
            raise RecordError(f"{self} has no record")
        return TournamentResult(seating=self.numbers, result=played)
