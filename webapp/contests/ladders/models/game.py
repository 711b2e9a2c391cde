"""A ladder's tables and the games that were played at them."""

from django.db import models

from grader.ladder import LadderTable
from webapp.contests.ladders.models.ladder import Ladder
from webapp.contests.tables.games import (
    SeatedGame,
    SeatedGameQuerySet,
    game_constraints,
    numbers_of,
)


class TableRow(models.Model):
    """A table that was asked for. Its deals are those of its round."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="tables")
    number = models.PositiveIntegerField()
    round = models.PositiveIntegerField()
    members = models.CharField(max_length=400)
    """Numbers of entries in the order of their seats in the first game, as ``seating_text``."""
    n_games = models.PositiveSmallIntegerField()
    """Games asked for; those played, if an agent that could not be built or a pause ended it."""

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["ladder", "number"], name="ladder_table_number"),
        )

    def __str__(self) -> str:
        return f"table {self.number}"

    @property
    def as_value(self) -> LadderTable:
        return LadderTable(number=self.number, round=self.round, members=numbers_of(self.members))


class LadderGame(SeatedGame):
    """Exactly one row for each (ladder, index). A game that a fault ended is not played again."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="games")

    objects = SeatedGameQuerySet["LadderGame"].as_manager()

    class Meta:
        ordering = ("index",)
        constraints = (
            models.UniqueConstraint(fields=["ladder", "index"], name="ladder_game_once"),
            *game_constraints("ladder_game"),
        )
