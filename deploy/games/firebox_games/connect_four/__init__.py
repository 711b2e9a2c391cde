"""Connect Four: discs fall into seven columns; the first line of four wins."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from grader.core.errors import RecordError
from grader.core.games import checks
from grader.core.games.base import JsonObject, State
from grader.core.games.fixed import FixedRules
from grader.core.games.grids import Colour, Grid, Piece
from grader.core.games.lines import Each, Exchange, LineProtocol, Of
from grader.core.games.openings import GameWithOpenings
from grader.core.games.outcomes import WinDrawLoss, decided
from grader.core.words import seat_words

COLUMNS, ROWS = 7, 6
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
SYMBOLS = "XO"
TABLE = (Each(Of.ROWS, "{row}"), "{count}", Each(Of.LEGAL, "{column}"))


class ConnectFour(WinDrawLoss, FixedRules, GameWithOpenings):
    """Connect Four. Seat 1 begins; a disc falls to the lowest free place of its column."""

    name = "connect_four"
    title = "Connect Four"
    rules_version = 2
    hides_nothing = True
    view = Grid(
        field="board",
        pieces={
            0: Piece(letter="X", words="a red disc", colour=Colour.RED, is_disc=True, seat=0),
            1: Piece(letter="O", words="a yellow disc", colour=Colour.YELLOW, is_disc=True, seat=1),
        },
        cell=("column",),
    )
    lines = LineProtocol(
        title="numbers, as on contest sites",
        seats=tuple(SYMBOLS),
        start=(Exchange(("{seat}",)),),
        first=(*TABLE, "-1"),
        turn=(*TABLE, "{column}"),
        reply="{column}",
        action={"type": "drop"},
    )
    endings: ClassVar[Mapping[str, str]] = {"line": "four in a line", "full": "the board is full"}

    def start(self) -> "Board":
        return Board()

    def notate(self, action: JsonObject) -> str:
        return f"d{action['column']}"

    def parse(self, notation: str) -> JsonObject:
        if notation not in {f"d{column}" for column in range(COLUMNS)}:
            raise RecordError(f"no column {checks.shown(notation)}")
        return drop(int(notation[1]))


def drop(column: int) -> JsonObject:
    return {"type": "drop", "column": column}


class Board(State):
    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        self.moves: list[int] = []
        self.winner: int | None = None

    @property
    def turn(self) -> int:
        return len(self.moves)

    @property
    def seat_to_act(self) -> int | None:
        return None if self.ending else self.turn % 2

    @property
    def ending(self) -> str | None:
        if self.winner is not None:
            return "line"
        return "full" if self.turn == COLUMNS * ROWS else None

    def legal_actions(self) -> Sequence[JsonObject]:
        open_columns = [n for n, column in enumerate(self.columns) if len(column) < ROWS]
        return [] if self.ending else [drop(column) for column in open_columns]

    def apply(self, action: JsonObject) -> None:
        column = checks.chosen(action, self.legal_actions())["column"]
        seat = self.turn % 2
        self.columns[column].append(seat)
        self.moves.append(column)
        if any(self._line(column, step) >= 4 for step in DIRECTIONS):
            self.winner = seat

    def _line(self, column: int, step: tuple[int, int]) -> int:
        row, seat = len(self.columns[column]) - 1, self.columns[column][-1]
        length = 1
        for sign in (1, -1):
            x, y = column + sign * step[0], row + sign * step[1]
            while self.disc(x, y) == seat:
                length, x, y = length + 1, x + sign * step[0], y + sign * step[1]
        return length

    def disc(self, column: int, row: int) -> int | None:
        if 0 <= column < COLUMNS and 0 <= row < len(self.columns[column]):
            return self.columns[column][row]
        return None

    def observe(self, seat: int) -> JsonObject:
        return {
            "seat": seat,
            "to_act": self.seat_to_act,
            "columns": [list(column) for column in self.columns],
            "board": [
                [self.disc(column, row) for column in range(COLUMNS)]
                for row in reversed(range(ROWS))
            ],
        }

    def events(self, seat: int) -> Sequence[JsonObject]:
        drops = [{**drop(column), "seat": n % 2} for n, column in enumerate(self.moves)]
        return [{"type": "begin"}, *drops]

    def scores(self) -> tuple[int, ...]:
        return decided(self.winner)

    def describe(self, action: JsonObject) -> str:
        return f"{seat_words(self.turn % 2)} drops into column {action['column'] + 1}"

    def text(self) -> str:
        cells = {None: ".", 0: SYMBOLS[0], 1: SYMBOLS[1]}
        rows = [
            " ".join(cells[self.disc(column, row)] for column in range(COLUMNS))
            for row in reversed(range(ROWS))
        ]
        return "\n".join([*rows, *([f"ending: {self.ending}"] if self.ending else [])])
