"""Pig: roll a die as often as you dare; a 1 loses what the turn has won. 100 points win."""

from collections.abc import Sequence

from grader.core.chance import Chance
from grader.core.errors import RecordError
from grader.core.games import checks
from grader.core.games.base import ChanceIn, JsonObject, State
from grader.core.games.fixed import FixedRules
from grader.core.games.grids import Row
from grader.core.words import counted, seat_words

WIN, LOSS = 1, 0
SIDES = 6
TARGET = 100
MOST_TURNS = 1000
ROLL: JsonObject = {"type": "roll"}
HOLD: JsonObject = {"type": "hold"}


class Pig(FixedRules):
    """Pig. A seat rolls until it holds, which banks the turn's points, or rolls a 1."""

    name = "pig"
    title = "Pig"
    rules_version = 1
    competitive = True
    hides_nothing = True
    chance = ChanceIn.PLAY
    endings = {"target": "a player has the points that win", "length": "the game took too long"}
    most_players = 4
    score_range = (LOSS, WIN)

    def deal(self, seed: bytes) -> "Table":
        return Table(self.players, Chance(seed, "die"))

    def notate(self, action: JsonObject) -> str:
        return str(action["type"])

    def parse(self, notation: str) -> JsonObject:
        if notation not in {"roll", "hold"}:
            raise RecordError(f"neither roll nor hold: {checks.shown(notation)}")
        return {"type": notation}


class Table(State):
    def __init__(self, seats: int, die: Chance) -> None:
        self.die = die
        self.banked = [0] * seats
        self.unbanked = 0
        self.mover = 0
        self.told: list[JsonObject] = [{"type": "begin"}]

    @property
    def turn(self) -> int:
        return len(self.told) - 1

    @property
    def seat_to_act(self) -> int | None:
        return None if self.ending else self.mover

    @property
    def ending(self) -> str | None:
        if max(self.banked) >= TARGET:
            return "target"
        return "length" if self.turn >= MOST_TURNS else None

    def legal_actions(self) -> Sequence[JsonObject]:
        if self.ending:
            return []
        # Whoever has enough points holds, as in OpenSpiel's Pig.
        enough = self.banked[self.mover] + self.unbanked >= TARGET
        return [HOLD] if enough else [ROLL, HOLD]

    def apply(self, action: JsonObject) -> None:
        chosen = checks.chosen(action, self.legal_actions())
        seat = self.mover
        if chosen == HOLD:
            self.banked[seat] += self.unbanked
            self.told.append({**HOLD, "seat": seat, "points": self.unbanked})
        else:
            number = 1 + self.die.below(SIDES)
            self.told.append({**ROLL, "seat": seat, "number": number})
            if number > 1:
                self.unbanked += number
                return
        self.unbanked = 0
        self.mover = (seat + 1) % len(self.banked)

    def observe(self, seat: int) -> JsonObject:
        return {
            "seat": seat,
            "to_act": self.seat_to_act,
            "banked": list(self.banked),
            "unbanked": self.unbanked,
        }

    def events(self, seat: int) -> Sequence[JsonObject]:
        return self.told

    def scores(self) -> tuple[int, ...]:
        return tuple(WIN if points >= TARGET else LOSS for points in self.banked)

    def describe(self, action: JsonObject) -> str:
        return f"{seat_words(self.mover)} {action['type']}s"

    def text(self) -> str:
        points = [f"{seat_words(seat)}: {held}" for seat, held in enumerate(self.banked)]
        last = self.told[-1]
        rolled = [f"rolled: {last['number']}"] if last["type"] == ROLL["type"] else []
        ending = f"ending: {self.ending}" if self.ending else f"unbanked: {self.unbanked}"
        return "\n".join([*points, *rolled, ending])

    def rows(self, seat: int | None) -> Sequence[Row]:
        held = (
            Row(title=seat_words(owner).capitalize(), seat=owner, note=counted(points, "point"))
            for owner, points in enumerate(self.banked)
        )
        dice = Row(title="Rolled", cards=tuple(self._rolled()), note=f"{self.unbanked} unbanked")
        return [*held, dice]

    def _rolled(self) -> list[str]:
        numbers: list[str] = []
        for event in reversed(self.told):
            if event["type"] != ROLL["type"] or (numbers and event["number"] == 1):
                break
            numbers.insert(0, str(event["number"]))
        return numbers
