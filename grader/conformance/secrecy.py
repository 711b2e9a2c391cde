"""Level *graded*: what a game declares about its secrets, on which the search for leaks relies.

These checks compare what seats are told in many plays: places in messages that have equal values in
each play tell the same thing.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any, Final, TypeAlias

from grader.conformance.trial import SECRET, Level, Trial, checks
from grader.core.chance import Chance
from grader.core.deals import deal_seed
from grader.core.games.base import State
from grader.core.words import counted

CHECKS, check = checks(Level.GRADED)
_DEALS: Final = 40
_TURNS: Final = (0, 1, 2, 3, 6)
"""Actions after which plays are compared: some secrets are made by them, such as a hidden bid."""
_RESAMPLED: Final = 5
_MOSTLY: Final = 0.75
"""Places that have one value in more of the plays may be equal by accident."""

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
    deals = _plays(trial, 0)
    waiting = set(trial.seats).difference(*(each.acting() for each in deals))
    patterns: list[dict[tuple[int, ...], Place]] = [{} for _ in trial.seats]
    for place, values in _values_by_place(deals).items():
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
    for turns in _TURNS:
        plays = _plays(trial, turns)
        drawn: list[tuple[int, dict[Place, Hashable]]] = []
        for play, seat in product(plays[:_RESAMPLED], trial.seats):
            other = play.resample(seat, chance)
            if other is None:
                return
            drawn.append((seat, dict(_told(other))))
        alike: dict[tuple[Hashable, ...], list[Place]] = defaultdict(list)
        for place, values in _values_by_place(plays).items():
            alike[values].append(place)
        when = f"after {counted(turns, 'action')} in each of {_DEALS} plays"
        for (seat, told), (first, *others) in product(drawn, alike.values()):
            for place in others:
                if first in told and place in told and told[first] != told[place]:
                    yield (
                        f"{_written(first)} equals {_written(place)} {when}, but not in one that"
                        f" `resample` drew for seat {seat}."
                    )


def _plays(trial: Trial, turns: int) -> list[State]:
    chance, plays = Chance(SECRET, "compared plays"), []
    for index in range(_DEALS):
        state = trial.game.deal(deal_seed(SECRET, index))
        while state.seat_to_act is not None and state.turn < turns:
            legal = state.legal_actions()
            state.apply(legal[chance.below(len(legal))])
        plays.append(state)
    return plays


def _values_by_place(plays: Iterable[State]) -> Mapping[Place, tuple[Hashable, ...]]:
    values: dict[Place, list[Hashable]] = defaultdict(list)
    for state in plays:
        for place, value in _told(state):
            values[place].append(value)
    return {
        place: tuple(each)
        for place, each in values.items()
        if len(each) == _DEALS and max(Counter(each).values()) <= _MOSTLY * _DEALS
    }


def _told(state: State) -> Iterator[tuple[Place, Hashable]]:
    for seat in range(len(state.scores())):
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
