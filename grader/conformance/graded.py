"""Level *graded*: what makes many games say something about an agent."""

import json
from collections.abc import Iterator
from itertools import product
from time import process_time
from typing import Final

from grader.conformance.trial import LONGEST_GAME, SECRET, Level, Trial, checks
from grader.core.chance import Chance
from grader.core.deals import deal_seed
from grader.core.games.base import ChanceIn, State
from grader.core.games.outcomes import counts_wins, decided

CHECKS, check = checks(Level.GRADED)
WIRE_LIMIT: Final = 60 << 10
"""Bytes for an observation with news and choices, within the 64 KiB of a message to an agent."""
SLOWEST_MOVE: Final = 0.05
"""Processor seconds of the rules for a move: a thousand games of 50 moves take 40 minutes."""
_DEALS: Final = 200
_MOSTLY: Final = 0.95
"""In games with some thousand deals, two seeds may give one deal; with fewer deals, many do."""
_RESAMPLED_PLAYS: Final = 1
_LONG: Final = 300
"""Actions of a play of which fewer moments are looked at."""
_NEXT_TURNS: Final = 30
"""Turns after which hidden cards have mattered. To the end of a long game, they take minutes."""


@check("Let `text` show all that was dealt, also a deck, or count the deals in `distinct_deals`;"
       " declare `chance`; rules without chance inherit from `GameWithOpenings`.")  # fmt: skip
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
    elif not game.distinct_deals and len(deals) < _MOSTLY * _DEALS:
        yield f"{_DEALS} seeds give {len(deals)} deals, and `distinct_deals` is None."


@check("Inherit from `WinDrawLoss` (`grader/core/games/outcomes.py`) and let `State.scores` return"
       " `decided(winner)`, or leave `result` and let scores be points.")  # fmt: skip
def a_game_that_is_won_or_drawn_scores_so(trial: Trial) -> Iterator[str]:
    if not counts_wins(trial.game):
        return
    if trial.game.seats != 2 or trial.game.lower_is_better or trial.game.unit != 1:
        yield "`result` is won, drawn or lost: that takes two seats, and no unit of points."
    for seed, actions in trial.plays(20):
        scores = trial.after(seed, actions).scores()
        if scores not in {decided(None), decided(0), decided(1)}:
            yield f"`result` is won, drawn or lost, and a play ends with the scores {scores!r}."


@check("Set `competitive = True` in the class of the game, or give all seats the same score.")
def seats_with_scores_of_their_own_are_opponents(trial: Trial) -> Iterator[str]:
    for seed, actions in () if trial.game.competitive else trial.plays(20):
        scores = trial.after(seed, actions).scores()
        if len(set(scores)) > 1:
            yield (
                f"A play ends with the scores {scores!r}, and `competitive` is False: copies of one"
                " agent would play all seats."
            )


@check("End such plays: after a number of actions, or of repetitions, with an ending of its own.")
def nobody_can_play_for_ever(trial: Trial) -> Iterator[str]:
    """An agent that never ends its game would hold a grader's processor."""
    for word, place in (("first", 0), ("last", -1)):
        state, turns = trial.game.deal(deal_seed(SECRET, 0)), 0
        while state.seat_to_act is not None and turns < LONGEST_GAME:
            # Within a turn the clock bounds what an agent does.
            state.apply(state.legal_actions()[-1 - place if state.continues else place])
            turns += 1
        if state.seat_to_act is not None:
            yield (
                f"A play is not over after {turns:,} actions if each seat takes the {word} one of"
                " `legal_actions()`."
            )


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


@check("Leave out of `observe`, `events`, `legal_for` and `rows` what this seat must not know, and"
       " let `resample` draw all of that again in a copy of the play.")  # fmt: skip
def a_seat_learns_nothing_secret(trial: Trial) -> Iterator[str]:
    """``State.resample`` draws another play in which the seat has had the same messages. A game
    whose ``resample`` returns ``None`` is not checked."""
    chance, others = Chance(SECRET, "resampled plays"), 0
    moments = [
        (seed, actions[:turn])
        for seed, actions in trial.plays(_RESAMPLED_PLAYS)
        for look in trial.moments(actions)[:: 1 + len(actions) // _LONG]
        for turn in (look, look + 1)
        if turn == look or trial.after(seed, actions[:turn]).pending  # within a joint move
    ]
    far = LONGEST_GAME
    for (seed, actions), seat in product(moments, trial.seats):
        state = trial.after(seed, actions)
        other = state.resample(seat, chance)
        if other is None:
            return
        told, retold = _told(state, seat), _told(other, seat)
        for part in told:
            if retold[part] != told[part]:
                yield (
                    f"After {len(actions)} turns, seat {seat} is told something secret: two plays"
                    f" that it cannot tell apart by the rules differ in its `{part}`."
                )
        played, again = (trial.everything(_played_on(each, far)) for each in (other, state))
        others += played != again
        if again != trial.everything(_played_on(trial.after(seed, actions), far)):
            yield "`resample` changes the play that it starts from."
        if far == LONGEST_GAME and other.seat_to_act is not None:
            yield "A play that `resample` drew does not come to an end."
        far = _NEXT_TURNS
    if not others and not trial.game.hides_nothing:
        yield f"`resample` drew the same play {len(moments)} times, in a game that hides something."


def _told(state: State, seat: int) -> dict[str, object]:
    return {
        "observe": state.observe(seat),
        "events": list(state.events(seat)),
        "rows": list(state.rows(seat)),
        "acting": seat in state.acting(),
        "legal_for": list(state.legal_for(seat)) if seat in state.acting() else [],
        "ending": state.ending,
        "turn": state.turn,
    }


def _played_on(state: State, turns: int) -> State:
    last = state.turn + turns
    while (legal := state.legal_actions()) and state.turn < last:
        state.apply(legal[state.turn % len(legal)])
    return state


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
