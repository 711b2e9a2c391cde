"""Othello on eight by eight: a disc turns over the opponent's discs between it and its own."""

from collections.abc import Sequence

from grader.core.errors import RecordError
from grader.core.games import checks
from grader.core.games.base import JsonObject, State
from grader.core.games.fixed import FixedRules
from grader.core.games.grids import Colour, Grid, Piece
from grader.core.games.lines import Exchange, LineProtocol
from grader.core.games.openings import GameWithOpenings
from grader.core.games.outcomes import WinDrawLoss, decided
from grader.core.words import seat_words

SIZE = 8
DIRECTIONS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
COLUMNS = "abcdefgh"
PASS: JsonObject = {"type": "pass"}


class Othello(WinDrawLoss, FixedRules, GameWithOpenings):
    """Othello. Seat 1 has the dark discs and begins; whoever has more discs at the end wins."""

    name = "othello"
    title = "Othello"
    rules_version = 2
    opening_moves = 6  # four lead to 236 boards: too few for a thousand games
    hides_nothing = True
    view = Grid(
        field="rows",
        pieces={
            0: Piece(letter="X", words="a black disc", colour=Colour.BLACK, is_disc=True, seat=0),
            1: Piece(letter="O", words="a white disc", colour=Colour.WHITE, is_disc=True, seat=1),
        },
        cell=("y", "x"),
    )
    lines = LineProtocol(
        title="Go Text Protocol",
        seats=("b", "w"),
        start=(Exchange(("boardsize 8",), "="), Exchange(("clear_board",), "=")),
        told=Exchange(("play {seat} {move}",), "="),
        turn=("genmove {seat}",),
        reply="= {move}",
        end=("quit",),
    )
    endings = {"no_moves": "neither player can move"}

    def start(self) -> "Board":
        return Board()

    def notate(self, action: JsonObject) -> str:
        if action["type"] == "pass":
            return "pass"
        return f"{COLUMNS[action['x']]}{action['y'] + 1}"

    def parse(self, notation: str) -> JsonObject:
        if notation == "pass":
            return PASS
        if len(notation) != 2 or notation[0] not in COLUMNS or notation[1] not in "12345678":
            raise RecordError(f"no square {checks.shown(notation)}")
        return place(COLUMNS.index(notation[0]), int(notation[1]) - 1)


def place(x: int, y: int) -> JsonObject:
    return {"type": "place", "x": x, "y": y}


class Board(State):
    def __init__(self) -> None:
        self.discs: dict[tuple[int, int], int] = {(3, 3): 1, (4, 4): 1, (3, 4): 0, (4, 3): 0}
        self.played: list[JsonObject] = []
        self.mover = 0
        self._open: dict[int, list[tuple[int, int]]] = {}

    @property
    def turn(self) -> int:
        return len(self.played)

    @property
    def seat_to_act(self) -> int | None:
        return None if self.ending else self.mover

    @property
    def ending(self) -> str | None:
        return None if self._squares(0) or self._squares(1) else "no_moves"

    def legal_actions(self) -> Sequence[JsonObject]:
        """Squares, row by row; a pass if there is none."""
        if self.ending:
            return []
        return [place(x, y) for x, y in self._squares(self.mover)] or [PASS]

    def apply(self, action: JsonObject) -> None:
        chosen = checks.chosen(action, self.legal_actions())
        if chosen["type"] == "place":
            square = chosen["x"], chosen["y"]
            for turned in self._turned(self.mover, *square):
                self.discs[turned] = self.mover
            self.discs[square] = self.mover
        self.played.append({**chosen, "seat": self.mover})
        self.mover = 1 - self.mover
        self._open.clear()

    def observe(self, seat: int) -> JsonObject:
        rows = [[self.discs.get((x, y)) for x in range(SIZE)] for y in range(SIZE)]
        return {"seat": seat, "to_act": self.seat_to_act, "rows": rows}

    def events(self, seat: int) -> Sequence[JsonObject]:
        return [{"type": "begin"}, *self.played]

    def scores(self) -> tuple[int, ...]:
        held = list(self.discs.values())
        lead = held.count(0) - held.count(1)
        return decided(None if not lead else int(lead < 0))

    def describe(self, action: JsonObject) -> str:
        if action["type"] == "pass":
            return f"{seat_words(self.mover)} passes"
        return f"{seat_words(self.mover)} plays {COLUMNS[action['x']]}{action['y'] + 1}"

    def text(self) -> str:
        symbols = {None: ".", 0: "X", 1: "O"}
        rows = [
            f"{y + 1} " + " ".join(symbols[self.discs.get((x, y))] for x in range(SIZE))
            for y in range(SIZE)
        ]
        ending = [f"ending: {self.ending}"] if self.ending else []
        return "\n".join([f"  {' '.join(COLUMNS)}", *rows, *ending])

    def _squares(self, seat: int) -> list[tuple[int, int]]:
        if seat not in self._open:  # asked for several times a turn, and slow to find
            empty = ((x, y) for y in range(SIZE) for x in range(SIZE) if (x, y) not in self.discs)
            self._open[seat] = [square for square in empty if self._turned(seat, *square)]
        return self._open[seat]

    def _turned(self, seat: int, x: int, y: int) -> list[tuple[int, int]]:
        turned = []
        for dx, dy in DIRECTIONS:
            line, at = [], (x + dx, y + dy)
            while self.discs.get(at) == 1 - seat:
                line.append(at)
                at = at[0] + dx, at[1] + dy
            if self.discs.get(at) == seat:
                turned += line
        return turned
