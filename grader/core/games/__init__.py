"""The games, by name. A new game is a folder beside Hanabi's and an entry or two here."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from grader.core.errors import RulesError
from grader.core.games.base import Game, JsonObject, State
from grader.core.games.hanabi import Hanabi
from grader.core.games.hanabi.presentation import HanabiPresentation
from grader.core.games.hearts import Hearts
from grader.core.games.hearts.presentation import HeartsPresentation
from grader.core.games.presentation import Presentation

__all__ = [
    "DEFAULT_GAME",
    "GAMES",
    "MAX_PLAYERS",
    "PRESENTATIONS",
    "Game",
    "JsonObject",
    "Presentation",
    "State",
    "game_from_options",
    "player_counts",
    "presented",
]

GAMES: Mapping[str, type[Game]] = {game.name: game for game in (Hanabi, Hearts)}
PRESENTATIONS: Mapping[str, type[Presentation]] = {
    Hanabi.name: HanabiPresentation,
    Hearts.name: HeartsPresentation,
}
"""Games without an entry are shown as text."""

DEFAULT_GAME: Final = next(iter(GAMES))
"""The default game."""
MAX_PLAYERS: Final = 10
"""More seats than any game has."""


def game_from_options(name: str, options: JsonObject) -> Game:
    """The game called ``name`` with these options. Raises RulesError."""
    if name not in GAMES:
        raise RulesError(f"unknown game {name!r}; known games: {', '.join(sorted(GAMES))}")
    return GAMES[name].from_options(options)


def presented(game: Game) -> Presentation:
    """Return a game as people are shown it."""
    return PRESENTATIONS.get(game.name, Presentation)(game)


@cache
def player_counts(game: type[Game], variant: str) -> tuple[int, ...]:
    """Return the numbers of players that a variant allows, in ascending order."""
    return tuple(n for n in range(1, MAX_PLAYERS + 1) if _is_allowed(game, variant, n))


def _is_allowed(game: type[Game], variant: str, players: int) -> bool:
    try:
        game.from_options({"variant": variant, "players": players})
    except RulesError:
        return False
    return True
