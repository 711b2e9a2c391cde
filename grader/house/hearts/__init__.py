"""House agents for Hearts. They see no more than any other agent."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from grader.house import AgentFamily

__all__ = ["NAMES", "SLOW_MS", "agent", "bundle"]

NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "low_card": "always the lowest card that is allowed",
        "careful": "ducks under tricks, and discards the queen and high hearts when it can",
        "guarded": "guards the queen, counts, leads what others must take, stops a moon if cheap",
        "sampling": "deals the hidden cards at random, many times, and plays each deal to its end",
    }
)
"""One line about each, weakest first."""

SLOW_MS: Final[Mapping[str, float]] = MappingProxyType({"sampling": 5000.0})
"""Milliseconds of a game of four agents that compute a lot, to a hundred points."""

_ALSO: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"sampling": ("_playout", "_worlds", "guarded")}
)


_HEARTS: Final = AgentFamily(__name__, NAMES, ("_table",), _ALSO)
agent = _HEARTS.agent
bundle = _HEARTS.bundle
