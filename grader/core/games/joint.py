"""Plays in which seats act together, as in the prisoner's dilemma: none knows what another does.

A joint move is one action of each acting seat. Records keep them one after another, in the order of
the seats, as they keep the actions of other games; so do replays and games with people, where the
seats are asked one after another and learn nothing until the last one has acted.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Self

from grader.core.chance import Chance
from grader.core.games import checks
from grader.core.games.base import JsonObject, State


class JointState(State):
    """A play with joint moves. A subclass implements these methods in the place of ``State``'s.

    Its ``observe``, ``events`` and ``scores`` follow from whole joint moves alone, and so does its
    ``text`` if the game hides nothing.
    """

    _turn: int
    _held: dict[int, JsonObject]
    """Actions by seat of a joint move that is not complete."""

    def __new__(cls, *args: object, **kwargs: object) -> Self:  # noqa: ARG004 - of the subclass
        # Not in __init__, which a subclass would have to remember to call.
        state = super().__new__(cls)
        state._turn, state._held = 0, {}
        return state

    @abstractmethod
    def together(self) -> Sequence[int]:
        """Seats of the next joint move, in ascending order; empty when the game is over."""

    @abstractmethod
    def legal_for(self, seat: int) -> Sequence[JsonObject]:
        """Every action that a seat of the joint move may choose, in a documented order."""

    @abstractmethod
    def play(self, actions: Mapping[int, JsonObject]) -> None:
        """Play a joint move: a legal action for each seat of ``together``."""

    def resample(self, seat: int, chance: Chance) -> Self | None:
        """Draw other pending actions of other seats. A game that hides more overrides this."""
        other = deepcopy(self)
        for each in set(other._held) - {seat}:
            legal = self.legal_for(each)
            other._held[each] = legal[chance.below(len(legal))]
        return other

    @property
    def turn(self) -> int:
        return self._turn

    def acting(self) -> Sequence[int]:
        return tuple(seat for seat in self.together() if seat not in self._held)

    @property
    def pending(self) -> bool:
        return bool(self._held)

    @property
    def seat_to_act(self) -> int | None:
        return next(iter(self.acting()), None)

    def legal_actions(self) -> Sequence[JsonObject]:
        seat = self.seat_to_act
        return () if seat is None else self.legal_for(seat)

    def apply(self, action: JsonObject) -> None:
        chosen = checks.chosen(action, self.legal_actions())
        seat = self.seat_to_act
        assert seat is not None  # noqa: S101 - it has a legal action
        self._held[seat] = chosen
        self._turn += 1
        if not self.acting():
            actions = dict(self._held)
            self._held.clear()
            self.play(actions)
