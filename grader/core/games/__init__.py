"""The games, by name. A new game is a folder beside Hanabi's and one line here."""

from collections.abc import Mapping
from typing import Final

from grader.core.errors import RulesError
from grader.core.games.base import Game, JsonObject, State
from grader.core.games.hanabi import Hanabi
from grader.core.games.hearts import Hearts

__all__ = ["DEFAULT_GAME", "GAMES", "Game", "JsonObject", "State", "game_from_options"]

GAMES: Mapping[str, type[Game]] = {game.name: game for game in (Hanabi, Hearts)}

DEFAULT_GAME: Final = next(iter(GAMES))
"""The default game."""


def game_from_options(name: str, options: JsonObject) -> Game:
    """The game called ``name`` with these options. Raises RulesError."""
    if name not in GAMES:
        raise RulesError(f"unknown game {name!r}; known games: {', '.join(sorted(GAMES))}")
    return GAMES[name].from_options(options)
