"""Moves as agents write them, ``d3`` or ``cRB``, and the wire's actions."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

JsonObject: TypeAlias = Mapping[str, Any]

_OWN_LETTERS: Final = MappingProxyType({letter: letter for letter in "RBGWY"})
_NUMBERS: Final = "12345"
_BLOCKED: Final = "xl>"
"""Moves of a person at a terminal: they print, load files and run code."""


class RefusedMove(Exception):  # noqa: N818 - what happened to the move
    """A move that is not valid now: the agent is asked again. The text says why."""


class LostCoin(RefusedMove):
    """A clue for nobody: the course takes its blue coin before it looks the player up."""


def read_move(
    move: object,
    names: Sequence[str],
    seat: int,
    slots: Sequence[int | None],
    letters: Mapping[str, str] = _OWN_LETTERS,
) -> JsonObject:
    """The action that a move of ``seat`` means; whether the rules allow it is not looked at.

    ``names`` are the players' from the one in turn, ``slots`` where its cards are on the wire,
    ``None`` for one that the agent made up, ``letters`` the wire's by the agent's own. Raises
    RefusedMove or LostCoin, and TypeError for what is no text.
    """
    if not isinstance(move, str):
        raise TypeError(
            f"play() returned {_kind(move)}; it must return a move such as 'd3' or 'cR'"
        )
    kind, rest = move[:1], move[1:]
    if kind == "d":
        return {"type": "discard", "card": _slot(rest.strip() or "1", slots)}
    if kind == "p":
        return {"type": "play", "card": _slot(rest, slots)}
    if kind == "c":
        symbol = rest[:1].upper()
        if symbol not in letters and (not symbol or symbol not in _NUMBERS):
            raise RefusedMove(f"a clue names a colour, {''.join(letters)}, or a number from 1 to 5")
        to = (seat + _target(rest[1:2], names)) % len(names)
        if symbol in letters:
            return {"type": "hint", "to": to, "color": letters[symbol]}
        return {"type": "hint", "to": to, "rank": int(symbol)}
    if kind and kind in _BLOCKED:
        raise RefusedMove(f"moves with {kind!r} are for people at a terminal")
    raise RefusedMove("a move begins with d, p or c")


def _kind(value: object) -> str:
    return "nothing" if value is None else f"something of the type {type(value).__name__}"


def _slot(text: str, slots: Sequence[int | None]) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= len(slots):
        raise RefusedMove(f"there are cards 1 to {len(slots)}")
    slot = slots[number - 1]
    if slot is None:
        raise RefusedMove(f"card {number} is none of the game's")
    return slot


def _target(letter: str, names: Sequence[str]) -> int:
    """Return the seats from the player in turn to a clue's target: one letter decides."""
    if not letter:
        return 1
    initials = [name[:1] for name in names]
    if letter in initials:
        offset = initials.index(letter)
    elif letter.isdecimal() and int(letter) < len(names):
        offset = int(letter)
    else:
        raise LostCoin(
            f"a clue is for one of {', '.join(initials[1:])} or 1 to {len(names) - 1},"
            " and the coin is lost"
        )
    if offset == 0:
        raise RefusedMove("a clue is for another player")
    return offset


class Clues:
    """The way to write clues of players in other processes: as this process's agent writes its own.

    They all have the same rules, mostly the same agent, and nobody else knows what they wrote.
    """

    def __init__(self) -> None:
        self._target = ""
        """The form of a player's name: ``index``, ``initial`` or ``name``; empty at first."""
        self._is_lower = False

    def learn(self, move: str) -> None:
        """Take over the case of a clue's colour, and how it names another than the next player."""
        if move[:1] != "c":
            return
        if move[1:2].isalpha():
            self._is_lower = move[1].islower()
        if len(move) > 2:
            named = "name" if len(move) > 3 else "initial"
            self._target = "index" if move[2].isdecimal() else named

    def write(self, symbol: str, offset: int, names: Sequence[str]) -> str:
        """A clue for the player at an offset from the one in turn."""
        clue = f"c{symbol.lower() if self._is_lower else symbol}"
        if self._target == "index":
            return f"{clue}{offset}"
        if self._target == "name":
            return f"{clue}{names[offset]}"
        if self._target == "initial" or offset != 1:
            return f"{clue}{names[offset][:1]}"
        return clue


def written(event: JsonObject, number: int) -> str:
    """A play or discard of the card with this number from 1, as a move."""
    return f"{event['type'][0]}{number}"
