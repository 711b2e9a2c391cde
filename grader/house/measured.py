"""The strength of the house agents, as ``python -m tests.bench.house`` measured it.

The figures are those of a file. The command gives the same scores again, since the file names the
rules and deals; processor times are those of one machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from grader.core.games import GAMES
from grader.core.records import from_json
from grader.house import family
from grader.results.statistics import Summary

FILE: Final = "measured.json"
"""In the folder of a game's agents."""

PERFECT_SCORE: Final = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One agent in all seats, by the rules of one variant."""

    agent: str
    variant: str
    players: int
    games: Summary
    cpu_ms: float
    """Processor time of a game, all seats together, without the referee."""

    @property
    def perfect(self) -> int:
        """Games that reached the best score there is."""
        return dict(self.games.histogram).get(PERFECT_SCORE, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseLadder:
    """The games that were played, and their results."""

    game: str
    rules_version: int
    secret: str
    """The secret of the deals, in hexadecimal; they are numbered from 0."""
    rungs: tuple[Rung, ...]
    """By variant, then agent, weakest first, then number of players."""

    def of(self, variant: str) -> tuple[Rung, ...]:
        """Return the measurements of one variant."""
        return tuple(rung for rung in self.rungs if rung.variant == variant)


@cache
def ladder(game: str) -> HouseLadder | None:
    """Return the figures of agents that play together; ``None`` for a game without such figures."""
    own = family(game)
    path = None if own is None or GAMES[game].competitive else resources.files(own.package) / FILE
    if path is None or not path.is_file():
        return None
    return from_json(path.read_text(encoding="utf-8"), HouseLadder)


def means(game: str) -> Mapping[str, Mapping[int, float]]:
    """Return the means by the standard rules, by agent and number of seats."""
    means: dict[str, dict[int, float]] = {}
    figures = ladder(game)
    for rung in figures.of("standard") if figures else ():
        if rung.games.mean is not None:
            means.setdefault(rung.agent, {})[rung.players] = rung.games.mean
    return means
