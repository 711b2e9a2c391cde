"""Games whose rules have no chance: each deal is an opening that nobody chose.

Without openings, two agents that draw no random numbers would play the same game every time, and a
thousand games would say no more than one. Openings are drawn independently of one another, so that
intervals hold although some openings come twice.
"""

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, Self

from grader.core.chance import Chance
from grader.core.errors import RulesError
from grader.core.games.base import ChanceIn, Game, JsonObject, State
from grader.core.games.grids import Row

MOST_COUNTED: Final = 5_000
"""A game with more sequences of opening moves than this has enough for every evaluation."""
_MOST_TRIES: Final = 1_000


class GameWithOpenings(Game):
    """Rules without chance. A subclass implements ``start`` in the place of ``deal``."""

    chance: ClassVar[ChanceIn] = ChanceIn.NOTHING
    opening_moves: ClassVar[int] = 4
    """Actions of an opening. They are drawn from the legal actions; no opening ends the game. An
    even number leaves the first turn to seat 0 where two seats take turns."""

    @abstractmethod
    def start(self) -> State:
        """Begin a play without an opening."""

    def deal(self, seed: bytes) -> State:
        """Begin a play with the opening that ``seed`` gives. Seats learn it from their events.

        Raises RulesError if openings of ``opening_moves`` end the game.
        """
        chance = Chance(seed, "opening")
        for _ in range(_MOST_TRIES):
            state = self.start()
            for _ in range(self.opening_moves):
                legal = state.legal_actions()
                state.apply(legal[chance.below(len(legal))])
                if state.ending is not None:
                    break
            else:
                return Opened(state)
        raise RulesError(
            f"{_MOST_TRIES:,} openings of {self.opening_moves} moves end the game: lower"
            " `opening_moves`"
        )

    @property
    def distinct_deals(self) -> int | None:
        return _openings(self)


@lru_cache(maxsize=64)
def _openings(game: GameWithOpenings) -> int | None:
    """Count the tables that openings lead to; ``None`` above ``MOST_COUNTED`` sequences."""
    paths: list[tuple[JsonObject, ...]] = [()]
    for _ in range(game.opening_moves):
        longer: list[tuple[JsonObject, ...]] = []
        for path in paths:
            longer += [(*path, action) for action in _after(game, path).legal_actions()]
            if len(longer) > MOST_COUNTED:
                return None
        paths = longer
    states = (_after(game, path) for path in paths)
    return len({_table(state) for state in states if state.ending is None})


def _after(game: GameWithOpenings, actions: Sequence[JsonObject]) -> State:
    state = game.start()
    for action in actions:
        state.apply(action)
    return state


def _table(state: State) -> str:
    return f"{state.seat_to_act} {state.text()}"


class Opened(State):
    """A play after its opening: the same state, whose turns are counted from here."""

    def __init__(self, state: State, opening: int | None = None) -> None:
        """``opening`` is the number of its actions; by default all that were applied."""
        self._state: Final = state
        self._opening: Final = state.turn if opening is None else opening

    def __getattr__(self, name: str) -> Any:
        # Presentations and rules read what their own class of states has.
        return getattr(self._state, name)

    @property
    def turn(self) -> int:
        return self._state.turn - self._opening

    @property
    def seat_to_act(self) -> int | None:
        return self._state.seat_to_act

    def acting(self) -> Sequence[int]:
        return self._state.acting()

    @property
    def pending(self) -> bool:
        return self._state.pending

    @property
    def continues(self) -> bool:
        return self.turn > 0 and self._state.continues

    @property
    def ending(self) -> str | None:
        return self._state.ending

    def legal_actions(self) -> Sequence[JsonObject]:
        return self._state.legal_actions()

    def legal_for(self, seat: int) -> Sequence[JsonObject]:
        return self._state.legal_for(seat)

    def tolerated_actions(self) -> Sequence[JsonObject]:
        return self._state.tolerated_actions()

    def apply(self, action: JsonObject) -> None:
        self._state.apply(action)

    def observe(self, seat: int) -> JsonObject:
        return self._state.observe(seat)

    def events(self, seat: int) -> Sequence[JsonObject]:
        return self._state.events(seat)

    def resample(self, seat: int, chance: Chance) -> Self | None:
        other = self._state.resample(seat, chance)
        return None if other is None else type(self)(other, self._opening)

    def scores(self) -> tuple[int, ...]:
        return self._state.scores()

    def describe(self, action: JsonObject) -> str:
        return self._state.describe(action)

    def text(self) -> str:
        return self._state.text()

    def rows(self, seat: int | None) -> Sequence[Row]:
        return self._state.rows(seat)
