"""Tables that pages draw from data: a board is a grid; cards, dice and counters lie in rows.

A game whose observations hold a board has ``view = Grid(…)`` in its class. The viewer, the table at
which people play, stills and previews then draw cells with pieces, and a click on a cell chooses
the action that names it. A game whose states have ``rows`` is drawn as these rows. No script and no
style is written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

JsonObject: TypeAlias = Mapping[str, Any]


class Colour(StrEnum):
    """The look of a piece or a card: of its ground, and of what is printed on it."""

    BACK = "back"
    """The back of a card."""
    PAPER = "paper"
    """Black on paper."""
    RED_PRINT = "red-print"
    """Red on paper."""
    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    WHITE = "white"
    BLUE = "blue"
    BLACK = "black"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """The pieces that can stand in a cell."""

    letter: str
    """One or two characters that tell it from all other pieces, also without its colour."""
    words: str
    """For people: ``red disc``."""
    colour: Colour = Colour.PAPER
    is_disc: bool = False
    """True for a round piece of its colour; else the letter stands in the cell by itself."""
    seat: int | None = None
    """The seat that owns it; its name then stands beside the piece above the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A board of rows and columns."""

    field: str
    """The field of observations that has it: a list of rows from the top, each a list of values.
    All seats must see the same board; what they don't see stays in their own fields."""
    pieces: Mapping[Any, Piece]
    """The piece of each value. A value without one is an empty cell."""
    cell: tuple[str, ...]
    """The fields of an action that name a cell: ``("row", "column")``, or ``("column",)`` where a
    click on any cell of a column will do. They count from 0."""

    def rows(self, observation: JsonObject) -> list[list[str]]:
        """Return the letters of the pieces in all cells, row by row; empty for an empty cell."""
        return [
            [self.pieces[value].letter if value in self.pieces else "" for value in row]
            for row in observation[self.field]
        ]

    @property
    def by_letter(self) -> Mapping[str, Piece]:
        """Each piece by its letter."""
        return {piece.letter: piece for piece in self.pieces.values()}

    @property
    def data(self) -> dict[str, Any]:
        """The data that a viewer draws scenes of this grid with, as JSON."""
        pieces = {
            letter: {
                "words": piece.words,
                "colour": piece.colour,
                "disc": piece.is_disc,
                "seat": piece.seat,
            }
            for letter, piece in self.by_letter.items()
        }
        return {"pieces": pieces, "cell": list(self.cell)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Cards, dice or counters that lie together: a hand, a prize, a turn's dice."""

    title: str
    """For people, and unlike all others: ``Seat 1``, ``Seat 1's pile``."""
    seat: int | None = None
    """The seat that it belongs to."""
    cards: tuple[str, ...] = ()
    """Faces of one to three characters; ``""`` for a card that lies face down."""
    note: str = ""
    """A few words beside the title: ``32 points``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StillCell:
    """A cell of a table that does not move."""

    letter: str = ""
    colour: Colour = Colour.PAPER
    is_disc: bool = False
    is_new: bool = False
    """True if the last action changed it."""
    words: str


StillGrid: TypeAlias = tuple[tuple[StillCell, ...], ...]
"""Rows of cells, from the top."""


def changed(before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return the row and the column of each cell that differs."""
    return [
        [row, column]
        for row, (old, new) in enumerate(zip(before, after, strict=True))
        for column, (one, other) in enumerate(zip(old, new, strict=True))
        if one != other
    ]


def still_grid(grid: Grid, scene: JsonObject) -> StillGrid:
    """Return the cells of a scene."""
    pieces, new = grid.by_letter, {(row, column) for row, column in scene["changed"]}

    def cell(row: int, column: int, letter: str) -> StillCell:
        piece = pieces.get(letter)
        place = f"row {row + 1}, column {column + 1}: "
        if piece is None:
            return StillCell(words=f"{place}empty")
        return StillCell(
            letter=letter,
            colour=piece.colour,
            is_disc=piece.is_disc,
            is_new=(row, column) in new,
            words=place + piece.words,
        )

    return tuple(
        tuple(cell(row, column, letter) for column, letter in enumerate(letters))
        for row, letters in enumerate(scene["grid"])
    )
