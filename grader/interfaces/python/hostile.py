"""Hostile programs in Python."""

import re
from typing import Final

from grader.core.deals import agent_seed
from grader.core.games import Game
from grader.interfaces.hostile import HostileLanguage


def _by_its_seed(game: Game, seed: bytes, seat: int) -> bool:
    """Return whether its own seed is odd."""
    del game
    return agent_seed(seed, seat) % 2 == 1


LANGUAGE: Final = HostileLanguage(
    suffix=".py",
    kit="hostile.py",
    docstring=re.compile(r'\s*"""(.*?)"""', re.DOTALL),
    is_armed=_by_its_seed,
)
