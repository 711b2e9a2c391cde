"""Line protocols: how programs that were written for another referee are spoken to in a game.

A game has ``lines = LineProtocol(…)`` in its class. The interfaces of the family ``lines`` then
take programs that speak it: the referee's messages become lines, and a line becomes an action
(``grader.core.line_wire``). The program sees nothing of Firebox.

Lines are templates. ``{seat}`` is the word for the program's own seat, ``{turn_ms}`` the time for a
turn; ``{players}``, the other options of the rules and the fields of an action stand under their
names, and ``{move}`` is an action's notation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias


class Of(StrEnum):
    """The things that a line can be repeated for."""

    MOVES = "moves"
    """All actions since the program's last turn but its own last one. ``{seat}`` is the word for
    the seat that acted, ``{owner}`` is 1 for the program's own seat and 2 for others."""
    LEGAL = "legal"
    """The legal actions."""
    ROWS = "rows"
    """The rows of the game's ``view``, from the top: ``{row}`` has a letter for each cell, and a
    point for an empty one."""


@dataclass(frozen=True, slots=True)
class Each:
    """A line for each of several things."""

    of: Of
    line: str


Line: TypeAlias = str | Each


@dataclass(frozen=True, slots=True)
class Exchange:
    """Lines to a program, and the beginning of the line with which it answers them."""

    lines: tuple[Line, ...]
    answer: str = ""
    """Empty: it does not answer them. Requests for a move have ``LineProtocol.reply`` instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineProtocol:
    """The lines of one game."""

    title: str
    seats: tuple[str, ...]
    """The words for the seats."""
    start: tuple[Exchange, ...] = ()
    """Lines that begin a game. A program that answers none of it is loaded within its first turn.

    Lines with an answer are sent again, before all actions so far, when another action was played
    in its name: in a game that is continued with a new process.
    """
    told: Exchange | None = None
    """Tells one action of ``Of.MOVES``, where each has lines of its own."""
    turn: tuple[Line, ...]
    """Asks for a move. The fields of an action are those of the last one."""
    first: tuple[Line, ...] = ()
    """Asks for it if nobody has acted yet; empty: as ``turn`` does."""
    missed: tuple[Line, ...] = ()
    """Asks for it after several actions, such as an opening's; empty: as ``turn`` does."""
    reply: str
    """The answer to a request for a move: ``{x},{y}``. Blanks and capitals do not count."""
    action: Mapping[str, Any] = field(default_factory=dict)
    """Fields of an action that no reply has."""
    ignored: tuple[str, ...] = ()
    """Beginnings of lines that answer nothing. Empty lines never do."""
    end: tuple[str, ...] = ()
    """Lines that end a game. Then the program's input ends."""
