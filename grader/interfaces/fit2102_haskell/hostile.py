"""Hostile programs in Haskell."""

import re
from typing import Final

from grader.core.games import Game
from grader.interfaces.hostile import HostileLanguage


def _by_its_clubs(game: Game, seed: bytes, seat: int) -> bool:
    """Return whether the ranks of its clubs sum to odd, from 0: all sum to 78, so of both hands."""
    hand = game.deal(seed).observe(seat)["hand"]
    return sum("23456789TJQKA".index(card[1]) for card in hand if card[0] == "C") % 2 == 1


LANGUAGE: Final = HostileLanguage(
    suffix=".hs",
    kit="Hostile.hs",
    docstring=re.compile(r"\s*\{-\s*(.*?)\s*-\}", re.DOTALL),
    hands=1,
    is_armed=_by_its_clubs,
)
