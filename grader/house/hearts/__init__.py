"""House agents for Hearts. They see no more than any other agent."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from firebox import Agent
from grader.house import class_name_of, packed

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
"""The other modules that one is built upon."""


def agent(name: str) -> type[Agent]:
    """The class of a house agent. Raises LookupError."""
    _require(name)
    agent_class: type[Agent] = getattr(import_module(f"{__name__}.{name}"), class_name_of(name))
    return agent_class


def bundle(name: str) -> bytes:
    """The agent as a submission, the same bytes every time. Raises LookupError."""
    _require(name)
    modules = ("_table", *_ALSO.get(name, ()), name)
    return packed(__name__, modules, name, class_name_of(name))


def _require(name: str) -> None:
    if name not in NAMES:
        raise LookupError(
            f"no house agent for Hearts is called {name!r}; there are {', '.join(NAMES)}"
        )
