"""The site's results workers: their processor time is what reports and releases wait for."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

SECONDS_A_REPORT: Final = 0.003
"""Processor time of a report, and"""
SECONDS_A_GAME: Final = 0.0009
"""of each game in it: ``make bench NAME=recording`` on a slow core."""
SECONDS_A_RELEASE: Final = 0.015
"""Processor time of a release of one queue, however much waits, and"""
SECONDS_A_JOB: Final = 0.002
"""of each job that it sends."""
PAUSE_SECONDS: Final = 0.3
"""Between two releases: what is wanted meanwhile is released together."""


@dataclass(slots=True, eq=False)
class Site:
    """Processes that take tasks in the order in which they come, the urgent ones first."""

    processes: int
    at: Callable[[float, Callable[[], None]], None]
    """Has something happen after some seconds."""
    busy_seconds: float = 0.0
    longest_wait: float = 0.0
    """The most seconds that a report has waited for a process."""
    releases: int = 0
    _urgent: deque[tuple[float, float, Callable[[], None]]] = field(default_factory=deque)
    _others: deque[tuple[float, float, Callable[[], None]]] = field(default_factory=deque)
    _idle: int = 0

    def __post_init__(self) -> None:
        """All processes are idle at first."""
        self._idle = self.processes

    def do(
        self, act: Callable[[], None], *, seconds: float, now: float, urgent: bool = False
    ) -> None:
        """Have a process spend so many seconds, and then act."""
        (self._urgent if urgent else self._others).append((now, seconds, act))
        self._serve(now)

    def _serve(self, now: float) -> None:
        while self._idle and (tasks := self._urgent or self._others):
            came, seconds, act = tasks.popleft()
            self._idle -= 1
            self.busy_seconds += seconds
            self.longest_wait = max(self.longest_wait, now - came)
            self.at(seconds, partial(self._end, act, now + seconds))

    def _end(self, act: Callable[[], None], now: float) -> None:
        self._idle += 1
        act()
        self._serve(now)
