"""The base class of agents: subclass ``AI``, implement ``play``.

Agents import all of this with a star: what is no name of the course's begins with an underscore.
"""

import itertools
import random  # noqa: F401 - agents have it from here
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _TYPE_CHECKING:
    from .deck import Card, Game, Hand


class AI:
    """One player, or all players of a game in turn: the object lives as long as the game."""

    def __init__(self, game: "Game") -> None:
        self.game = game

    @property
    def other_hands(self) -> "list[Hand]":
        """The hands of all but the current player, the next one's first."""
        return self.game.hands[1:]

    @property
    def other_players_cards(self) -> "list[Card]":
        """All cards in those hands."""
        return list(itertools.chain.from_iterable(hand.cards for hand in self.other_hands))

    def play(self) -> str:
        """The current player's move: ``d3``, ``p2``, ``c5``, ``cR``, ``c5B`` or ``cR2``."""
        raise NotImplementedError(f"{type(self).__name__} has no method play")


class Cheater(AI):
    """The name of the course's example, which agents import: here it cannot play."""
