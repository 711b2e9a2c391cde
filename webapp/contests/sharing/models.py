"""A public link to one game, of an evaluation, a tournament, a ladder or a person.

The link goes with its game: when the game is deleted, so is the link.
"""

import secrets
from collections.abc import Mapping
from typing import ClassVar, Final, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from webapp.contests.ladders.models import LadderGame
from webapp.contests.playing.models import HumanGame
from webapp.contests.tournaments.models import TournamentGame
from webapp.grading.evaluations.models import GameResult
from webapp.grading.jobs.models import one_of
from webapp.teaching.courses.models import Assignment

AnyGame = GameResult | TournamentGame | LadderGame | HumanGame

COLUMNS: Final[Mapping[str, type[AnyGame]]] = {
    "result": GameResult,
    "tournament_game": TournamentGame,
    "ladder_game": LadderGame,
    "human_game": HumanGame,
}
"""The columns of ``GameLink`` that refer to a game, with their models. One of them is filled."""
_TOKEN_BYTES: Final = 16


def new_token() -> str:
    """Draw a token that cannot be guessed: the link is the only key to its page."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def column_of(game: AnyGame) -> str:
    """Return the column that refers to a game of this kind."""
    return next(name for name, model in COLUMNS.items() if isinstance(game, model))


class GameLinkQuerySet(models.QuerySet["GameLink"]):
    def kept(self) -> Self:
        """Return the links that their owners have not taken back."""
        return self.filter(taken_back_at__isnull=True)

    def with_games(self) -> Self:
        """Return the links with all rows that decide whether they work or that their pages show."""
        return self.select_related(
            "owner",
            "assignment__course",
            "result__evaluation__assignment__course",
            "result__evaluation__submission__team__assignment",
            "tournament_game__tournament__assignment__course",
            "ladder_game__ladder__assignment__course",
            "human_game__assignment__course",
            "human_game__person",
        )


class GameLink(models.Model):
    """A link that a person made to a game. It stays when taken back: its page says so."""

    token = models.CharField(max_length=32, unique=True, default=new_token)
    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="game_links")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="game_links")
    result = models.ForeignKey(GameResult, models.CASCADE, null=True, blank=True, related_name="+")
    tournament_game = models.ForeignKey(
        TournamentGame, models.CASCADE, null=True, blank=True, related_name="+"
    )
    ladder_game = models.ForeignKey(
        LadderGame, models.CASCADE, null=True, blank=True, related_name="+"
    )
    human_game = models.ForeignKey(
        HumanGame, models.CASCADE, null=True, blank=True, related_name="+"
    )
    shows_names = models.BooleanField(default=False)
    """True if the page names the owner and the owner's team. It names nobody else."""
    created_at = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True, blank=True)

    objects = GameLinkQuerySet.as_manager()

    class Meta:
        ordering = ("-pk",)
        constraints: ClassVar = [
            models.CheckConstraint(condition=one_of(*COLUMNS), name="game_link_has_one_game"),
            *(
                models.UniqueConstraint(
                    fields=["owner", column],
                    condition=Q(taken_back_at__isnull=True),
                    name=f"game_link_once_{column}",
                )
                for column in COLUMNS
            ),
        ]

    def __str__(self) -> str:
        return f"link to {self.game} by {self.owner}"

    @property
    def game(self) -> AnyGame:
        games = (getattr(self, name) for name in COLUMNS)
        found: AnyGame = next(game for game in games if game is not None)
        return found
