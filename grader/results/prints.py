"""Chooses the games of an evaluation whose output is kept: first, lowest and faulted ones. Pure.

Graders and the site choose by the same rule. A grader sees only some games of an evaluation, so it
keeps at least the games that the site keeps.
"""

from bisect import bisect_right
from typing import Final

FIRST_GAMES: Final = 20
"""The games 0 to 19 of an evaluation keep their output,"""
LOWEST_GAMES: Final = 20
"""and so do this many others in which the agent did worst, and every faulted one."""


class LowestGames:
    """The worst scores so far."""

    def __init__(self, *, lower_is_better: bool) -> None:
        """``lower_is_better``: the worst score is the highest."""
        self._sign = -1 if lower_is_better else 1
        self._worst: list[int] = []

    def add(self, score: int) -> bool:
        """Note a score. Return whether it is among the worst; of equal ones the first count."""
        index = bisect_right(self._worst, self._sign * score)
        self._worst.insert(index, self._sign * score)
        del self._worst[LOWEST_GAMES:]
        return index < LOWEST_GAMES
