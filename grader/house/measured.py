"""The strength of the house agents, as ``python -m tests.bench.house`` measured it.

The figures are those of a file. The command gives the same scores again, since the file names the
rules and deals; processor times are those of one machine.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from grader.core.records import from_json
from grader.results.statistics import Summary

FILE: Final = "measured.json"
"""Beside this module."""

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
def ladder() -> HouseLadder:
    """The figures of the file."""
    text = (resources.files(__package__ or "grader.house") / FILE).read_text(encoding="utf-8")
    return from_json(text, HouseLadder)
