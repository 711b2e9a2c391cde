"""Level *graded*: what makes many games say something about an agent."""

import json
from collections.abc import Callable, Iterator
from time import process_time
from typing import Final

from grader.conformance.trial import SECRET, Level, Trial, checks
from grader.core.chance import Chance
from grader.core.deals import deal_seed
from grader.core.games.base import ChanceIn, State

CHECKS, check = checks(Level.GRADED)
WIRE_LIMIT: Final = 60 << 10
"""Bytes for an observation with news and choices, within the 64 KiB of a message to an agent."""
SLOWEST_MOVE: Final = 0.05
"""Processor seconds of the rules for a move: a thousand games of 50 moves take 40 minutes."""
_DEALS: Final = 200


@check("Declare `chance` and `distinct_deals` as they are; rules without chance inherit from"
       " `GameWithOpenings`.")  # fmt: skip
def there_are_as_many_deals_as_it_says(trial: Trial) -> Iterator[str]:
    """A game whose chance comes later may begin every play with the same table."""
    game = trial.game
    if game.chance is ChanceIn.PLAY:
        return
    deals = {trial.everything(game.deal(deal_seed(SECRET, index))) for index in range(_DEALS)}
    if len(deals) == 1:
        yield (
            f"{_DEALS} seeds give one deal: there is no chance, and a thousand games would be one"
            " game played a thousand times."
        )
    elif len(deals) > (game.distinct_deals or _DEALS):
        yield f"There are more deals than `distinct_deals`, which is {game.distinct_deals}."
    elif not game.distinct_deals and len(deals) < _DEALS:
        yield f"{_DEALS} seeds give {len(deals)} deals, and `distinct_deals` is None."


@check("Leave out of `observe` and `events` what this seat must not know.")
def a_seat_learns_nothing_secret(trial: Trial) -> Iterator[str]:
    """Games can offer ``State.resample(seat, chance)``: another play in which the seat has had the
    same messages. Those without it are not checked."""
    for seed, actions in trial.plays(3):
        for turn in trial.moments(actions):
            state = trial.after(seed, actions[:turn])
            resample: Callable[[int, Chance], State | None] = getattr(state, "resample", _nothing)
            for seat in trial.seats:
                other = resample(seat, Chance(seed, f"resample {turn} {seat}"))
                if other is not None and _told(state, seat) != _told(other, seat):
                    yield (
                        f"After {turn} turns, seat {seat} is told something secret: two plays that"
                        " it cannot tell apart by the rules give it different messages."
                    )


def _nothing(seat: int, chance: Chance) -> State | None:  # noqa: ARG001 - as ``resample``
    return None


def _told(state: State, seat: int) -> str:
    legal = state.legal_actions() if state.seat_to_act == seat else ()
    return json.dumps([state.observe(seat), state.events(seat), list(legal)])


@check("Send less: in `observe` only what is needed to act, in `events` only what is new.")
def messages_fit_the_wire(trial: Trial) -> Iterator[str]:
    """A seat's messages hold what happened since its last one: at most a round of the table."""
    for seed, actions in trial.plays(3):
        state, told = trial.game.deal(seed), [0] * trial.game.seats
        for notation in [*actions, None]:
            for seat in trial.seats if notation is None else state.acting():
                news = list(state.events(seat)[told[seat] :])
                told[seat] += len(news)
                message = [state.observe(seat), news, list(state.legal_for(seat))]
                if (size := len(json.dumps(message))) >= WIRE_LIMIT:
                    yield f"A message to seat {seat} has {size:,} bytes; {WIRE_LIMIT:,} fit."
            if notation is not None:
                state.apply(trial.game.parse(notation))


@check("Compute less in each move: keep what does not change, look only where the move was.")
def a_move_is_quick(trial: Trial) -> Iterator[str]:
    seed, actions = next(trial.plays(1))
    state, began = trial.game.deal(seed), process_time()
    for notation in actions:
        state.observe(state.seat_to_act or 0)
        state.legal_actions()
        state.apply(trial.game.parse(notation))
    seconds = (process_time() - began) / max(len(actions), 1)
    if seconds > SLOWEST_MOVE:
        yield f"The rules take {seconds:.2f} s for a move; {SLOWEST_MOVE} s are allowed."
