"""Hostile programs in a language: values of ``hostile.py``; ``tests/hostile/`` holds them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from grader.core.games import Game
from grader.interfaces import INTERFACES, Interface

BLOCK_COMMENT: Final = re.compile(r"\s*/\*+\s*(.*?)\s*\*/", re.DOTALL)
_MARGIN: Final = re.compile(r"^[ \t]*\*[ \t]?", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostileLanguage:
    """The conventions of hostile programs in a language: names, and the signal to attack."""

    suffix: str
    """The ending of their names."""
    kit: str
    """The file that they share."""
    docstring: re.Pattern[str]
    """The first comment of a file, in its only group."""
    hands: int = 0
    """The hands of a game, where rules count its length in hands; 0: the default of the rules."""
    is_armed: Callable[[Game, bytes, int], bool]
    """A predicate: a program attacks in the game of this deal seed, at this seat."""

    def description(self, source: str) -> str | None:
        """Return a file's docstring or first comment, without comment marks."""
        match = self.docstring.match(source)
        if match is None:
            return None
        return _MARGIN.sub("", match[1]) if self.docstring is BLOCK_COMMENT else match[1]


def hostile_languages() -> Iterator[tuple[Interface, HostileLanguage]]:
    """Yield the languages of the hostile programs, with their interfaces."""
    for interface in INTERFACES.values():
        if (interface.folder / "hostile.py").is_file():
            module = import_module(f"{__package__}.{interface.folder.name}.hostile")
            yield interface, module.LANGUAGE


def knows_its_partners_card(game: Game, seed: bytes, seat: int) -> bool:
    """Return whether the partner's first card has an odd number: for agents without a seed."""
    hands = game.deal(seed).observe(seat)["hands"]
    return int(hands[1 - seat]["cards"][0][1]) % 2 == 1
