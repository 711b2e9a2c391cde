"""One play of a game of OpenSpiel, as the referee sees it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import pyspiel

from grader.core.chance import Chance
from grader.core.games.base import JsonObject
from grader.core.games.joint import JointState
from grader.core.words import seat_words

_COLUMNS: Final = 100
_PARTS: Final = 1 << 31
"""Unequal probabilities of a chance node are rounded to parts of this size."""
_LONGEST_NAME: Final = 40
_MOST_NUMBERS: Final = 4000
"""A longer tensor is not sent: a message has at most 64 KiB."""


class Play(JointState):
    """A play whose chance nodes are drawn from the deal's seed.

    An action is ``{"type": "play", "action": n}`` with the number that OpenSpiel gives it. Wrongly
    used, the library raises ``pyspiel.SpielError``: a fault of ours, never of an agent.
    """

    def __init__(self, rules: "pyspiel.Game", chance: Chance, unit: Fraction) -> None:
        super().__init__()
        self._rules: Final = rules
        self._kind: Final = rules.get_type()
        self._play: Final = rules.new_initial_state()
        self._chance: Final = chance
        self._unit: Final = unit
        information = self._kind.information
        self._is_open: Final = information == pyspiel.GameType.Information.PERFECT_INFORMATION
        self._told: Final[list[list[JsonObject]]] = [
            [{"type": "begin"}] for _ in range(rules.num_players())
        ]
        self._draw()
        self._look()

    def together(self) -> Sequence[int]:
        if self._play.is_terminal():
            return ()
        if self._play.is_simultaneous_node():
            return [seat for seat in range(len(self._told)) if self._play.legal_actions(seat)]
        return [self._play.current_player()]

    def legal_for(self, seat: int) -> Sequence[JsonObject]:
        return [action_of(number) for number in self._legal(seat)]

    def play(self, actions: Mapping[int, JsonObject]) -> None:
        numbers = {seat: int(action["action"]) for seat, action in actions.items()}
        played = [
            {**actions[seat], "seat": seat, "name": self._name(seat, number)}
            for seat, number in numbers.items()
        ]
        if self._play.is_simultaneous_node():
            # A seat without a legal action is passed over, and OpenSpiel wants a number for it.
            self._play.apply_actions([numbers.get(seat, 0) for seat in range(len(self._told))])
        else:
            self._play.apply_action(*numbers.values())
        for seat, told in enumerate(self._told):
            told += [event for event in played if self._is_open or event["seat"] == seat]
        self._draw()
        self._look()

    def resample(self, seat: int, chance: Chance) -> None:
        """Offer none: few games of OpenSpiel can draw a play that a seat cannot tell apart."""

    @property
    def ending(self) -> str | None:
        return "over" if self._play.is_terminal() else None

    def observe(self, seat: int) -> JsonObject:
        legal = self._legal(seat) if seat in self.together() else []
        tensor = (
            self._play.observation_tensor(seat)
            if self._kind.provides_observation_tensor
            and self._rules.observation_tensor_size() <= _MOST_NUMBERS
            else []
        )
        return {
            "seat": seat,
            "acting": self.together(),
            "text": self._view(seat),
            "tensor": [_number(value) for value in tensor],
            "names": [self._name(seat, number) for number in legal],
        }

    def events(self, seat: int) -> Sequence[JsonObject]:
        return self._told[seat]

    def scores(self) -> tuple[int, ...]:
        return tuple(_units(value, self._unit) for value in self._play.returns())

    def describe(self, action: JsonObject) -> str:
        seat = self.seat_to_act
        assert seat is not None  # noqa: S101 - a legal action is described
        name = self._name(seat, action["action"]).strip()
        shown = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
        return f"{seat_words(seat)} plays {shown}"

    def text(self) -> str:
        lines = [line.rstrip() for line in str(self._play).splitlines() if line.strip()]
        parts = [
            line[at : at + _COLUMNS].rstrip()
            for line in lines
            for at in range(0, len(line), _COLUMNS)
        ]
        return "\n".join([*parts, *([f"ending: {self.ending}"] if self.ending else [])])

    def _legal(self, seat: int) -> list[int]:
        return [] if self._play.is_terminal() else list(self._play.legal_actions(seat))

    def _name(self, seat: int, number: int) -> str:
        return str(self._play.action_to_string(seat, number))

    def _view(self, seat: int) -> str:
        if self._kind.provides_observation_string:
            return str(self._play.observation_string(seat))
        return str(self._play.information_state_string(seat))

    def _draw(self) -> None:
        while self._play.is_chance_node():
            outcomes = self._play.chance_outcomes()
            number = outcomes[self._drawn([weight for _, weight in outcomes])][0]
            if self._is_open:
                drawn = {"type": "chance", "name": self._name(pyspiel.PlayerId.CHANCE, number)}
                for told in self._told:
                    told.append(drawn)
            self._play.apply_action(number)

    def _drawn(self, weights: Sequence[float]) -> int:
        if max(weights) - min(weights) < 1e-9:
            return self._chance.below(len(weights))
        return self._chance.weighted([round(weight * _PARTS) for weight in weights])

    def _look(self) -> None:
        if not self._is_open:
            for seat, told in enumerate(self._told):
                told.append({"type": "observed", "text": self._view(seat)})


def action_of(number: int) -> JsonObject:
    """Return the action that OpenSpiel calls ``number``."""
    return {"type": "play", "action": number}


def _units(value: float, unit: Fraction) -> int:
    units = round(value / unit)
    if abs(units * unit - Fraction(value)) > Fraction(1, 10**6):
        raise ArithmeticError(f"{value} points are no multiple of {unit}")
    return units


def _number(value: float) -> Any:
    return int(value) if value == int(value) else round(value, 6)
