"""Level *graded*: what a game declares about its secrets, on which the search for leaks relies.

These checks compare what seats are told after many deals: places in messages that have equal values
after each deal tell the same thing.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from itertools import product
from typing import Any, Final, TypeAlias

from grader.conformance.trial import SECRET, Level, Trial, checks
from grader.core.chance import Chance
from grader.core.deals import deal_seed
from grader.core.games.base import State

CHECKS, check = checks(Level.GRADED)
_DEALS: Final = 40
_RESAMPLED: Final = 5
_FEWEST_VALUES: Final = 3
"""Places with fewer values may be equal by accident."""

Place: TypeAlias = tuple[str | int, ...]
"""The way to a value: the method, the seat, then names and indices."""


@check("Write `resample(self, seat, chance)` in the state: return `copy.deepcopy(self)` in which"
       " `chance`, a `Chance`, has drawn again what `seat` does not know. Or set `hides_nothing ="
       " True`, if every seat knows the whole table.")  # fmt: skip
def a_game_with_secrets_has_resample(trial: Trial) -> Iterator[str]:
    """A ``resample`` that returns ``None`` says that the game cannot do it."""
    state = trial.game.deal(deal_seed(SECRET, 0))
    if not trial.game.hides_nothing and type(state).resample is State.resample:
        yield "The game hides something and has no `resample`, so that no check can find a leak."


@check("Set `hides_nothing = False`, and write `resample(self, seat, chance)` in the state; or tell"
       " the value to every seat.")  # fmt: skip
def a_game_that_hides_nothing_tells_all_seats_the_same(trial: Trial) -> Iterator[str]:
    """Seats may see the table from their own side, so that one seat's 1 is the other's 2. What a
    seat is told may also follow from the table if it is the seat's turn, such as hints."""
    if not trial.game.hides_nothing:
        return
    deals = [trial.game.deal(deal_seed(SECRET, index)) for index in range(_DEALS)]
    waiting = set(trial.seats).difference(*(each.acting() for each in deals))
    patterns: list[dict[tuple[int, ...], Place]] = [{} for _ in trial.seats]
    for place, values in _values_by_place(trial).items():
        patterns[int(place[1])].setdefault(tuple(map(values.index, values)), place)
    for seat, other in product(trial.seats, waiting):
        for pattern, place in patterns[other].items():
            if pattern not in patterns[seat]:
                yield (
                    f"`hides_nothing` is True, and seat {seat} is not told what {_written(place)}"
                    " tells: people at that seat would see it."
                )


@check("Let `resample` change a value wherever the play keeps it, events included; and tell a seat"
       " nothing that it must not know.")  # fmt: skip
def a_resampled_play_is_one_of_the_rules(trial: Trial) -> Iterator[str]:
    """A copy of a secret that ``resample`` forgot hides a leak: the seat is told the same again."""
    chance = Chance(SECRET, "resampled deals")
    drawn: list[tuple[int, dict[Place, Hashable]]] = []
    for index, seat in product(range(_RESAMPLED), trial.seats):
        other = trial.game.deal(deal_seed(SECRET, index)).resample(seat, chance)
        if other is None:
            return
        drawn.append((seat, dict(_told(trial, other))))
    alike: dict[tuple[Hashable, ...], list[Place]] = defaultdict(list)
    for place, values in _values_by_place(trial).items():
        alike[values].append(place)
    for (seat, told), (first, *others) in product(drawn, alike.values()):
        for place in others:
            if first in told and place in told and told[first] != told[place]:
                yield (
                    f"{_written(first)} equals {_written(place)} in each of {_DEALS} deals, but"
                    f" not in a play that `resample` drew for seat {seat}."
                )


def _values_by_place(trial: Trial) -> Mapping[Place, tuple[Hashable, ...]]:
    """The values after each deal, by place, where they vary."""
    values: dict[Place, list[Hashable]] = defaultdict(list)
    for index in range(_DEALS):
        for place, value in _told(trial, trial.game.deal(deal_seed(SECRET, index))):
            values[place].append(value)
    return {
        place: tuple(each)
        for place, each in values.items()
        if len(each) == _DEALS and len(set(each)) >= _FEWEST_VALUES
    }


def _told(trial: Trial, state: State) -> Iterator[tuple[Place, Hashable]]:
    for seat in trial.seats:
        yield from _leaves(state.observe(seat), ("observe", seat))
        yield from _leaves(list(state.events(seat)), ("events", seat))


def _leaves(value: Any, place: Place) -> Iterator[tuple[Place, Hashable]]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _leaves(each, (*place, name))
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _leaves(each, (*place, index))
    else:
        yield place, value


def _written(place: Place) -> str:
    method, seat, *rest = place
    return f"`{method}({seat}){''.join(f'[{each!r}]' for each in rest)}`"
