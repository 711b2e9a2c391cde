"""A play as a viewer shows it: a scene for each deal, and one for the table after each action.

A play begins with a deal. A game whose cards are dealt again later has a scene for that, too.

A scene is a JSON object. All scenes of a play have the same keys. Only changed values are sent to a
viewer. In every game, a scene has:

``seat``    who acted, ``None`` at a deal
``to_act``  who acts next, ``None`` when the game is over
``said``    what was done, one sentence, as ``Parts``
``brief``   the same for a list in which the seat stands beside it, as ``Parts``
``effect``  what came of it in a few words, ``""`` for nothing worth saying
``tone``    of the effect: a ``Tone``
``mark``    what a reader may want to jump to: a ``Mark``
``move``    the action's details for the game's own drawing; ``None`` at a deal
``scores``  points of each seat

and, if a play falls into parts that are looked at one by one, ``part``: the number of its part.
All other keys are between the game and its renderer.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final, TypeAlias

from grader.core.games.base import JsonObject

Parts: TypeAlias = Sequence[str | Sequence[str]]
"""A line of text. A part is words, or ``[symbol, words]`` for words that have a symbol of the game
before them; ``""`` for the symbol means that they are only stressed."""

COMMON: Final = (
    "seat", "to_act", "said", "brief", "effect", "tone", "mark", "move", "scores",
)  # fmt: skip
"""Keys of every scene."""


class Mark(StrEnum):
    """A reason to jump to a turn."""

    NONE = ""
    """Nothing."""
    GAIN = "gain"
    """Points were won."""
    LOSS = "loss"
    """Points were lost, or can no longer be had."""
    MISTAKE = "mistake"
    """Something went wrong that the game itself punishes."""
    FAULT = "fault"
    """The agent's fault ended the game; no game sets this one."""


class Tone(StrEnum):
    """The look of an effect."""

    PLAIN = ""
    """As any words."""
    GOOD = "good"
    """As good news."""
    WARN = "warn"
    """As a loss."""
    BAD = "bad"
    """As a mistake."""


def plain(parts: Parts) -> str:
    """Return a line without its symbols."""
    return "".join(part if isinstance(part, str) else part[-1] for part in parts)


def actions_before(scenes: Iterable[JsonObject]) -> list[int]:
    """Return for each scene of a play the number of actions that led to it: a deal is none."""
    return list(accumulate(int(scene["seat"] is not None) for scene in scenes))


def with_symbols(words: str, named: re.Pattern[str], symbol_of: Callable[[str], str]) -> list[Any]:
    """Return a line in parts, in which each name that a pattern's only group finds has a symbol."""
    return [
        [symbol_of(part), part] if at % 2 else part
        for at, part in enumerate(named.split(words))
        if part
    ]


def sentence(parts: Sequence[Any]) -> list[Any]:
    """Return a line with a capital at its start, which must be words, and a full stop."""
    first = parts[0]
    started = [first[:1].upper() + first[1:], *parts[1:]]
    if isinstance(started[-1], str):
        return [*started[:-1], started[-1] + "."]
    return [*started, "."]
