"""Moves as agents write them, ``d3`` or ``cRB``, and the wire's actions."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

__all__ = ["Clues", "JsonObject", "Refused", "read_move", "written"]

JsonObject: TypeAlias = Mapping[str, Any]

_COLORS: Final = "RBGWY"
_NUMBERS: Final = "12345"
_BLOCKED: Final = "xl>"
"""Moves of a person at a terminal: they print, load files and run code."""


class Refused(Exception):  # noqa: N818 - what happened to the move
    """A move that is not valid now: the agent is asked again. The text says why."""


def read_move(move: object, names: Sequence[str], seat: int, slots: Sequence[int]) -> JsonObject:
    """The action that a move of ``seat`` means; whether the rules allow it is not looked at.

    ``names`` are the players' from the one in turn, ``slots`` where its cards are on the wire.
    Raises Refused, and TypeError for what is no text.
    """
    if not isinstance(move, str):
        raise TypeError(
            f"play() returned {_kind(move)}; it must return a move such as 'd3' or 'cR'"
        )
    kind, rest = move[:1], move[1:]
    if kind in {"d", "p"}:
        number = _number(rest, len(slots))
        return {"type": "discard" if kind == "d" else "play", "card": slots[number - 1]}
    if kind == "c":
        offset = _target(rest[1:], names)
        to = (seat + offset) % len(names)
        if rest[:1] in _COLORS and rest:
            return {"type": "hint", "to": to, "color": rest[0]}
        if rest[:1] in _NUMBERS and rest:
            return {"type": "hint", "to": to, "rank": int(rest[0])}
        raise Refused(f"a clue names a colour, {_COLORS}, or a number from 1 to 5")
    if kind and kind in _BLOCKED:
        raise Refused(f"moves with {kind!r} are for people at a terminal")
    raise Refused("a move begins with d, p or c")


def _kind(value: object) -> str:
    return "nothing" if value is None else f"something of the type {type(value).__name__}"


def _number(text: str, cards: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= cards:
        raise Refused(f"there are cards 1 to {cards}")
    return number


def _target(text: str, names: Sequence[str]) -> int:
    """Whom a clue is for, as the number of seats from the one in turn."""
    if not text:
        return 1
    initials = [name[:1] for name in names]
    if text in initials:
        offset = initials.index(text)
    elif text.isascii() and text.isdecimal() and int(text[:3]) < len(names):
        offset = int(text[:3])
    else:
        raise Refused(f"a clue is for one of {', '.join(initials[1:])} or 1 to {len(names) - 1}")
    if offset == 0:
        raise Refused("a clue is for another player")
    return offset


class Clues:
    """How a process writes the clues of players that it does not play: as its agent writes its own.

    They all have the same rules, mostly the same agent, and nobody else knows what they wrote.
    """

    def __init__(self) -> None:
        self._style = ""

    def learn(self, move: str) -> None:
        """Take over the style of a clue for another than the next player."""
        if len(move) > 2 and move[0] == "c":
            self._style = "index" if move[2].isdecimal() else "initial"

    def write(self, symbol: str, offset: int, names: Sequence[str]) -> str:
        """A clue for the player so many seats from the one in turn."""
        if self._style == "index":
            return f"c{symbol}{offset}"
        if self._style == "initial" or offset != 1:
            return f"c{symbol}{names[offset][:1]}"
        return f"c{symbol}"


def written(event: JsonObject, number: int) -> str:
    """A play or discard of the card with this number from 1, as a move."""
    return f"{event['type'][0]}{number}"
