"""Gomoku on 15 by 15: five stones in a line win. No point is forbidden, and six win as well."""

from collections.abc import Sequence

from grader.core.errors import RecordError
from grader.core.games import checks
from grader.core.games.base import JsonObject, State
from grader.core.games.fixed import FixedRules
from grader.core.games.grids import Colour, Grid, Piece
from grader.core.games.lines import Each, Exchange, LineProtocol, Of
from grader.core.games.openings import GameWithOpenings
from grader.core.games.outcomes import WinDrawLoss, decided
from grader.core.words import seat_words

IN_A_LINE = 5
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
SIDE = range(15)
COLUMNS = "abcdefghijklmno"
POINTS = {f"{COLUMNS[x]}{y + 1}": (x, y) for x in SIDE for y in SIDE}


class Gomoku(WinDrawLoss, FixedRules, GameWithOpenings):
    """Gomoku. Seat 1 has the black stones and begins; five or more in a line win."""

    name = "gomoku"
    title = "Gomoku"
    rules_version = 2
    hides_nothing = True
    view = Grid(
        field="rows",
        pieces={
            0: Piece(letter="X", words="a black stone", colour=Colour.BLACK, is_disc=True, seat=0),
            1: Piece(letter="O", words="a white stone", colour=Colour.WHITE, is_disc=True, seat=1),
        },
        cell=("y", "x"),
    )
    lines = LineProtocol(
        title="Gomocup",
        seats=("1", "2"),
        start=(
            Exchange(("START 15",), "OK"),
            Exchange(("INFO timeout_turn {turn_ms}", "INFO timeout_match 0", "INFO rule 0")),
        ),
        first=("BEGIN",),
        turn=("TURN {x},{y}",),
        missed=("BOARD", Each(Of.MOVES, "{x},{y},{owner}"), "DONE"),
        reply="{x},{y}",
        action={"type": "place"},
        ignored=("MESSAGE", "DEBUG"),
        end=("END",),
    )
    endings = {"five": "five in a line", "full": "the board is full"}

    def start(self) -> "Board":
        return Board()

    def notate(self, action: JsonObject) -> str:
        return f"{COLUMNS[action['x']]}{action['y'] + 1}"

    def parse(self, notation: str) -> JsonObject:
        if notation not in POINTS:
            raise RecordError(f"no point {checks.shown(notation)}")
        return place(*POINTS[notation])


def place(x: int, y: int) -> JsonObject:
    return {"type": "place", "x": x, "y": y}


class Board(State):
    def __init__(self) -> None:
        self.stones: dict[tuple[int, int], int] = {}
        self.winner: int | None = None

    @property
    def turn(self) -> int:
        return len(self.stones)

    @property
    def seat_to_act(self) -> int | None:
        return None if self.ending else self.turn % 2

    @property
    def ending(self) -> str | None:
        if self.winner is not None:
            return "five"
        return "full" if self.turn == len(POINTS) else None

    def legal_actions(self) -> Sequence[JsonObject]:
        """Empty points, row by row."""
        if self.ending:
            return []
        return [place(x, y) for y in SIDE for x in SIDE if (x, y) not in self.stones]

    def apply(self, action: JsonObject) -> None:
        chosen = checks.chosen(action, self.legal_actions())
        point, seat = (chosen["x"], chosen["y"]), self.turn % 2
        self.stones[point] = seat
        if any(self._line(point, step) >= IN_A_LINE for step in DIRECTIONS):
            self.winner = seat

    def observe(self, seat: int) -> JsonObject:
        rows = [[self.stones.get((x, y)) for x in SIDE] for y in SIDE]
        return {"seat": seat, "to_act": self.seat_to_act, "rows": rows}

    def events(self, seat: int) -> Sequence[JsonObject]:
        placed = [{**place(*point), "seat": owner} for point, owner in self.stones.items()]
        return [{"type": "begin"}, *placed]

    def scores(self) -> tuple[int, ...]:
        return decided(self.winner)

    def describe(self, action: JsonObject) -> str:
        return f"{seat_words(self.turn % 2)} plays {COLUMNS[action['x']]}{action['y'] + 1}"

    def text(self) -> str:
        symbols = {None: ".", 0: "X", 1: "O"}
        rows = [
            f"{y + 1:2} " + " ".join(symbols[self.stones.get((x, y))] for x in SIDE) for y in SIDE
        ]
        ending = [f"ending: {self.ending}"] if self.ending else []
        return "\n".join([f"   {' '.join(COLUMNS)}", *rows, *ending])

    def _line(self, point: tuple[int, int], step: tuple[int, int]) -> int:
        seat, length = self.stones[point], 1
        for sign in (1, -1):
            x, y = point
            while self.stones.get((x := x + sign * step[0], y := y + sign * step[1])) == seat:
                length += 1
        return length
