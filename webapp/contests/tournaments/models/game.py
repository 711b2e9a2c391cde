"""One game that was played in a tournament. Whether it counts is for the ledger to say."""

from django.db import models

from grader.core.errors import RecordError
from grader.tournament import TournamentResult
from webapp.contests.tables.games import SeatedGame, SeatedGameQuerySet, game_constraints
from webapp.contests.tournaments.models.tournament import Tournament


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
            *game_constraints("tournament_game"),
        )

    @property
    def as_result(self) -> TournamentResult:
        """For an export. Raises RecordError if the row cannot be read."""
        played = self.played
        if played is None:
            raise RecordError(f"{self} has no record")
        return TournamentResult(seating=self.numbers, result=played)
