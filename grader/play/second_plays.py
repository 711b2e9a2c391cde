"""Second plays of games whose timeout the host may have caused.

An agent that plays a deal twice could know every card: its partner saw them the first time, and
could pass them on by the times of its answers. So a game is played again only if the host lost
time, and its processes cannot tell that it is. Second plays wait until the batch ends, or until a
streak of faults depends on them. They come in random order, each after a random pause, in fresh
processes. A batch has a limited number of them; after that, timeouts stand.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import SystemRandom
from typing import Final

from grader.core.records import GameRequest, GameResult, Record

MAX_SECOND_PLAYS: Final = 3
"""Games of a batch that are played twice at most."""


class SecondPlays:
    """Keeps the doubtful games of a batch and has them played again."""

    def __init__(
        self,
        play: Callable[[GameRequest], GameResult],
        within_seconds: float,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``within_seconds`` is the longest pause before a second play."""
        self._play = play
        self._sleep = sleep
        self._within_seconds = within_seconds
        self._random = SystemRandom()
        self._left = MAX_SECOND_PLAYS
        self._waiting: list[tuple[GameRequest, GameResult]] = []

    def put_off(self, order: GameRequest, first: GameResult) -> bool:
        """Keep a game for later. Return False if the batch has had all its second plays."""
        if not self._left:
            return False
        self._left -= 1
        self._waiting.append((order, first))
        return True

    def resolve(self) -> Iterator[GameResult]:
        """Play the postponed games again, and yield the results that count.

        The second play counts if it repeats the first up to the timeout. If its moves differ, the
        first stands.
        """
        waiting, self._waiting = self._waiting, []
        self._random.shuffle(waiting)
        for order, first in waiting:
            self._sleep(self._random.uniform(0, self._within_seconds))
            second = self._play(order)
            if _repeats(second.record, first.record):
                yield replace(second, other_attempt=first.record)
            else:
                yield replace(first, other_attempt=second.record)


def _repeats(second: Record, first: Record) -> bool:
    actions = first.actions.split()
    return second.actions.split()[: len(actions)] == actions
