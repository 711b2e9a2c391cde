"""Level *plays*: actions that are legal, how they are written, and what agents may send instead."""

import json
from collections.abc import Iterator
from typing import Any

from grader.conformance.trial import Level, Trial, checks
from grader.core.deals import deal_seed
from grader.core.errors import RecordError
from grader.core.games.base import JsonObject
from grader.core.games.checks import unanswerable

CHECKS, check = checks(Level.PLAYS)
_SEED = deal_seed(b"conformance suite", 1)
_NO_NOTATION = (
    "", " ", "p", "p0 ", "P0", "p-1", "p٣", "zz", "{}", "h", "x" * 10_000, "\ud800",
)  # fmt: skip
_NO_ACTIONS: tuple[Any, ...] = (
    None,
    True,
    0,
    1.5,
    "p0",
    [],
    ["type"],
    {},
    {"type": None},
    {"type": []},
)
_SPOILT: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    1.0,
    10**5000,
    float("nan"),
    "",
    "0",
    "RY",
    [0],
    {"a": 1},
)


@check("Let `apply` accept all of `legal_actions()`, and count one turn for each.")
def every_legal_action_is_accepted(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(2):
        for turn in trial.moments(actions):
            for action in trial.some(trial.after(seed, actions[:turn]).legal_actions()):
                state = trial.after(seed, actions[:turn])
                state.apply(action)
                if state.turn != turn + 1:
                    yield f"After a legal action at turn {turn} `State.turn` is {state.turn}."


@check("Raise IllegalAction in `apply` for all but `legal_actions()`, before anything changes.")
def every_other_action_is_refused(trial: Trial) -> Iterator[str]:
    """The other actions are legal elsewhere in these plays, for some seat."""
    game = trial.game
    known = {notation for _, actions in trial.plays(10) for notation in actions}
    for state in trial.turns(2):
        accepted = [*state.legal_actions(), *state.tolerated_actions()]
        others = sorted(known - set(map(game.notate, accepted)))[:40]
        yield from trial.not_refused(state, map(game.parse, others))


@check("List in `tolerated_actions()` what `apply` accepts beside `legal_actions()`.")
def tolerated_actions_are_accepted_and_not_legal(trial: Trial) -> Iterator[str]:
    game = trial.game
    for seed, actions in trial.plays(2):
        for turn in {*trial.moments(actions), len(actions) - 1}:
            state = trial.after(seed, actions[:turn])
            for action in state.tolerated_actions():
                if action in state.legal_actions() or game.parse(game.notate(action)) != action:
                    yield "A tolerated action is legal, or its notation does not give it back."
                trial.after(seed, actions[:turn]).apply(action)


@check("Return each legal action once, as a dict of plain JSON values.")
def legal_actions_are_distinct_and_plain(trial: Trial) -> Iterator[str]:
    for state in trial.turns(3):
        legal = state.legal_actions()
        if not legal or len({json.dumps(each, sort_keys=True) for each in legal}) < len(legal):
            yield "`legal_actions()` is empty before the end, or has an action twice."
        if [json.loads(json.dumps(action)) for action in legal] != list(legal):
            yield "A legal action is not a plain JSON object."
        for problem in {*map(unanswerable, legal)} - {""}:
            yield f"No agent can answer with a legal action: {problem}."


@check("Let `notate` give 1 to 8 printable ASCII characters that `parse` reads back.")
def notation_is_short_and_reversible(trial: Trial) -> Iterator[str]:
    for state in trial.turns(3):
        for action in state.legal_actions():
            notation = trial.game.notate(action)
            if trial.game.parse(notation) != action:
                yield f"`parse({notation!r})` does not give the action that `notate` wrote."
            plain = notation.isascii() and notation.isprintable() and " " not in notation
            if not plain or not 0 < len(notation) <= 8:
                yield f"`notate` writes {notation[:40]!r}."


@check("Raise RecordError in `parse` for everything that `notate` does not write.")
def other_notation_is_a_record_error(trial: Trial) -> Iterator[str]:
    for notation in _NO_NOTATION:
        try:
            action = trial.game.parse(notation)
        except RecordError:
            continue
        except Exception as error:  # noqa: BLE001 - rules may raise anything
            yield f"`parse({notation[:12]!r})` raises {type(error).__name__}."
        else:
            if trial.game.notate(action) != notation:
                yield f"`parse({notation[:12]!r})` reads what `notate` never writes."


@check("Begin `apply` with `checks.chosen(action, self.legal_actions())`.")
def replies_that_are_no_actions_are_refused(trial: Trial) -> Iterator[str]:
    yield from trial.not_refused(trial.game.deal(_SEED), _NO_ACTIONS)


@check("Begin `apply` with `checks.chosen(action, self.legal_actions())`, for which True is no 1.")
def spoilt_actions_are_refused(trial: Trial) -> Iterator[str]:
    """Every field of every legal action, replaced by something of the wrong kind."""
    state = trial.game.deal(_SEED)

    def accepted(action: JsonObject, field: str) -> bool:  # False is no 0
        known = [*state.legal_actions(), *state.tolerated_actions()]
        alike = [each for each in known if each == action]
        return any(type(each[field]) is type(action[field]) for each in alike)

    for action in trial.some(state.legal_actions()):
        for field in action:
            missing = {key: value for key, value in action.items() if key != field}
            others = [{**action, field: value} for value in _SPOILT]
            spoilt = [each for each in others if not accepted(each, field)]
            yield from trial.not_refused(state, [missing, *spoilt])


@check("Read in `apply` the fields that the action has, and ignore all others.")
def fields_that_no_action_has_are_ignored(trial: Trial) -> Iterator[str]:
    for action in trial.some(trial.game.deal(_SEED).legal_actions()):
        plain, adorned = trial.game.deal(_SEED), trial.game.deal(_SEED)
        plain.apply(action)
        adorned.apply({**action, "comment": "I am sure", "score": [25] * 9})
        if trial.everything(plain) != trial.everything(adorned):
            yield "A field that no action has changes what an action does."
