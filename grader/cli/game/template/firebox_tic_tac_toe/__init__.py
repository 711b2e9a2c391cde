"""Tic-tac-toe: two players put their marks on a board of three by three, in turn.

Three marks of one player in a row, a column or a diagonal win. A full board without such a line is
a draw.

The rules have no chance, so each game begins with two marks at random places: one of each player.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from grader.core.errors import RecordError
from grader.core.games import checks
from grader.core.games.base import JsonObject, State
from grader.core.games.fixed import FixedRules
from grader.core.games.grids import Colour, Grid, Piece
from grader.core.games.openings import GameWithOpenings
from grader.core.games.outcomes import WinDrawLoss, decided
from grader.core.words import seat_words

SIZE: Final = 3
LINE: Final = 3
DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
MARKS: Final = "XO"


class TicTacToe(WinDrawLoss, FixedRules, GameWithOpenings):
    """The game: its name, and how actions are written.

    A game for points leaves ``WinDrawLoss`` out, and has ``score_range`` and ``competitive``.
    """

    name = "tic_tac_toe"
    title = "Tic-tac-toe"
    rules_version = 1
    hides_nothing = True  # every seat may see all of ``text()``
    opening_moves = 2
    view = Grid(
        field="board",
        pieces={
            0: Piece(letter="X", words="a cross", colour=Colour.RED, seat=0),
            1: Piece(letter="O", words="a nought", colour=Colour.BLUE, seat=1),
        },
        cell=("row", "column"),
    )
    endings: ClassVar[Mapping[str, str]] = {"line": "three in a line", "full": "the board is full"}

    def start(self) -> "Board":
        """Begin a play before its opening. A game with a deal has ``deal(seed)`` instead."""
        return Board()

    def notate(self, action: JsonObject) -> str:
        """Write an action in at most 8 characters, for records."""
        return f"m{action['row']}{action['column']}"

    def parse(self, notation: str) -> JsonObject:
        """Read what ``notate`` writes, and nothing else."""
        if notation not in {self.notate(each) for each in ALL_MOVES}:
            raise RecordError(f"no action {checks.shown(notation)}")
        return move(int(notation[1]), int(notation[2]))


def move(row: int, column: int) -> JsonObject:
    """The action that puts a mark: what agents are offered and send back."""
    return {"type": "mark", "row": row, "column": column}


ALL_MOVES: Final = [move(row, column) for row in range(SIZE) for column in range(SIZE)]


class Board(State):
    """One play."""

    def __init__(self) -> None:
        self._board: list[list[int | None]] = [[None] * SIZE for _ in range(SIZE)]
        self._moves: list[JsonObject] = []
        self._seat = 0
        self._winner: int | None = None

    @property
    def turn(self) -> int:
        """The number of actions so far."""
        return len(self._moves)

    @property
    def seat_to_act(self) -> int | None:
        """The seat whose turn it is; ``None`` at the end."""
        return None if self.ending else self._seat

    @property
    def ending(self) -> str | None:
        """A key of ``endings`` once the game is over."""
        if self._winner is not None:
            return "line"
        return "full" if self.turn == SIZE * SIZE else None

    def legal_actions(self) -> Sequence[JsonObject]:
        """All actions that the seat to act may choose."""
        free = [each for each in ALL_MOVES if self._board[each["row"]][each["column"]] is None]
        return [] if self.ending else free

    def apply(self, action: JsonObject) -> None:
        """Play an action. It comes from an agent, so that it may be anything at all."""
        chosen = checks.chosen(action, self.legal_actions())  # raises IllegalAction
        row, column = chosen["row"], chosen["column"]
        seat = self._seat
        self._board[row][column] = seat
        self._moves.append({**chosen, "seat": seat})
        if any(self._length(row, column, seat, step) >= LINE for step in DIRECTIONS):
            self._winner = seat
        self._seat = 1 - seat  # leave this out where the same player moves again

    def _length(self, row: int, column: int, seat: int, step: tuple[int, int]) -> int:
        length = 1
        for sign in (1, -1):
            at = (row + sign * step[0], column + sign * step[1])
            while self._mark(*at) == seat:
                length, at = length + 1, (at[0] + sign * step[0], at[1] + sign * step[1])
        return length

    def _mark(self, row: int, column: int) -> int | None:
        inside = 0 <= row < SIZE and 0 <= column < SIZE
        return self._board[row][column] if inside else None

    def observe(self, seat: int) -> JsonObject:
        """All that a seat may know: here the board, row by row, with the seat of each mark."""
        return {
            "seat": seat,
            "to_act": self.seat_to_act,
            "board": [list(row) for row in self._board],
        }

    def events(self, seat: int) -> Sequence[JsonObject]:  # noqa: ARG002 - all seats see the same
        """The events of the play, as a seat has seen them."""
        return [{"type": "begin"}, *self._moves]

    def scores(self) -> tuple[int, ...]:
        """The result for each seat if the game ended now."""
        return decided(self._winner)

    def describe(self, action: JsonObject) -> str:
        """One line about an action that comes next. People count from 1."""
        place = f"row {action['row'] + 1}, column {action['column'] + 1}"
        return f"{seat_words(self._seat)} puts a mark on {place}"

    def text(self) -> str:
        """The table as text."""
        signs = {None: ".", 0: MARKS[0], 1: MARKS[1]}
        rows = [" ".join(signs[mark] for mark in row) for row in self._board]
        return "\n".join([*rows, *([f"ending: {self.ending}"] if self.ending else [])])
