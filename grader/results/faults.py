"""Faults of many games grouped by what went wrong, as pages and the command line sum them up.

Pure. To group for people who may not see the causes, pass games with empty details: then only the
kinds differ.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from grader.core.records import FaultKind

_FIGURE: Final = re.compile(r"\d+(\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultedGame:
    """A game that a fault ended."""

    index: int
    kind: FaultKind
    detail: str
    """The fault's sentence; of a crash it ends with the exception."""
    place: str = ""
    """The line of the agent's own that it came from, in words; empty if it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultGroup:
    """Games that ended for the same reason."""

    kind: FaultKind
    cause: str
    """In the words of the first of them."""
    games: tuple[int, ...]
    """Their indices, ascending."""
    place: str = ""
    """The place of the first of them."""


def group_faults(games: Iterable[FaultedGame]) -> tuple[FaultGroup, ...]:
    """Faults by kind and cause, the most frequent first, equally frequent ones by first game.

    Figures in causes are ignored: ``1.31 s were charged`` is the cause ``1.02 s were charged``.
    """
    groups: dict[tuple[FaultKind, str], list[FaultedGame]] = {}
    for game in sorted(games, key=lambda fault: fault.index):
        groups.setdefault((game.kind, _FIGURE.sub("#", game.detail)), []).append(game)
    return tuple(
        FaultGroup(
            kind=group[0].kind,
            cause=group[0].detail,
            games=tuple(game.index for game in group),
            place=group[0].place,
        )
        for group in sorted(groups.values(), key=len, reverse=True)
    )
