"""Level *plays*: options, deals, messages and replays of a game."""

import ast
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from grader.conformance.trial import LONGEST_GAME, Level, Trial, checks
from grader.core.deals import deal_seed
from grader.core.errors import RulesError
from grader.core.games import Game, is_game_name, package_of
from grader.core.games.base import State

CHECKS, check = checks(Level.PLAYS)
_SEED = deal_seed(b"conformance suite", 1)
_CLOCKS: Final = {"time", "datetime", "calendar"}
_CHANCE: Final = {"random", "secrets", "uuid"}
_OUTSIDE: Final = {
    "asyncio", "http", "multiprocessing", "os", "requests", "shutil", "socket", "subprocess",
    "tempfile", "threading", "urllib",
}  # fmt: skip


@check("Remove the import; `grader.core.chance.Chance(seed, NAME)` draws, shuffles and rolls dice.")
def its_rules_are_pure(trial: Trial) -> Iterator[str]:
    for path in _files(type(trial.game)):
        for line, name in _imports(ast.parse(path.read_bytes())):
            where = f"line {line} of {path.name}"
            if name in _CLOCKS:
                yield f"The rules import `{name}` ({where}): rules read no clock."
            elif name in _CHANCE:
                yield f"The rules import `{name}` ({where}): all chance comes from the deal's seed."
            elif name in _OUTSIDE:
                yield f"The rules import `{name}` ({where}): rules reach nothing outside them."


def _files(kind: type[Game]) -> Iterator[Path]:
    package = package_of(kind)
    names = [kind.__module__] if not package else [
        name for name in sys.modules
        if name == package or (name.startswith(f"{package}.")
        and not name.startswith(f"{package}.agents"))
    ]  # fmt: skip
    for name in sorted(names):
        file = getattr(sys.modules[name], "__file__", None)
        if file is not None and file.endswith(".py"):  # rules may be compiled
            yield Path(file)


def _imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name.partition(".")[0]) for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.lineno, node.module.partition(".")[0]


@check("Return every option from `options`, and let `from_options` accept all of them.")
def options_give_an_equal_game(trial: Trial) -> Iterator[str]:
    game = trial.game
    again = type(game).from_options(json.loads(json.dumps(dict(game.options))))
    if again != game or hash(again) != hash(game):
        yield "`from_options(game.options)` gives a game that does not equal the first one."
    if list(again.options.items()) != list(game.options.items()):
        yield "`from_options(game.options)` gives a game with other options."


@check("Begin `from_options` with `checks.refuse_unknown(options, KNOWN)`.")
def unknown_options_are_refused_by_name(trial: Trial) -> Iterator[str]:
    try:
        type(trial.game).from_options({**trial.game.options, "no_such_option": 1})
    except RulesError as error:
        if "no_such_option" not in str(error):
            yield "`from_options` refuses an unknown option without naming it."
    else:
        yield "`from_options` accepts an option that the game does not have."


@check("Set the class's attributes as `grader/core/games/base.py` documents them.")
def it_says_what_it_is(trial: Trial) -> Iterator[str]:
    game, kind = trial.game, type(trial.game)
    if game.options.get("variant") not in kind.variants():
        yield "`options['variant']` is not one of `variants()`."
    if "standard" not in kind.variants():
        yield "`variants()` has no `standard`."
    if not is_game_name(kind.name):
        yield "`name` is not of 1 to 20 characters of a to z, 0 to 9 and _."
    if not kind.title:
        yield "`title` is empty."
    if type(kind.rules_version) is not int or kind.rules_version < 1:
        yield "`rules_version` is not a whole number from 1."
    kind.from_options({"players": kind.default_players})
    kind.from_options({})
    if len(game.deal(_SEED).scores()) != game.seats:
        yield f"`State.scores` does not have one number for each of {game.seats} seats."


@check("Let `options_type` have a field for each of `options`, in the same order.")
def its_options_are_those_that_forms_show(trial: Trial) -> Iterator[str]:
    kind, options = type(trial.game), trial.game.options
    if [field.name for field in fields(kind.options_type)] != list(options):
        yield "The fields of `options_type` are not the keys of `options`."
    changeable = [option.name for option in kind.option_fields]
    if len(set(changeable)) < len(changeable):
        yield "`option_fields` has an option twice."
    if not set(changeable) <= options.keys() - {"variant", "players"}:
        yield "`option_fields` has an option that `options` lacks, or `variant` or `players`."
    if not all(option.label for option in kind.option_fields):
        yield "An option in `option_fields` has no label."


@check("Take all chance from the seed: `grader.core.chance.Chance(seed, 'deal')` draws numbers.")
def the_same_seed_gives_the_same_deal(trial: Trial) -> Iterator[str]:
    first, second = (trial.everything(trial.game.deal(_SEED)) for _ in range(2))
    if first != second:
        yield "Two deals from the same seed differ: the game is not deterministic."


@check("Take all chance from the deal's seed, and keep nothing between plays.")
def a_replay_is_the_same_play(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(3):
        first, second = trial.game.deal(seed), trial.game.deal(seed)
        looked_at = trial.moments(actions)
        for turn, notation in enumerate([*actions, None]):
            looks = turn in looked_at or notation is None
            if looks and trial.everything(first) != trial.everything(second):
                yield f"Two plays of the same actions differ before turn {turn}."
            if notation is not None:
                first.apply(trial.game.parse(notation))
                second.apply(json.loads(json.dumps(trial.game.parse(notation))))


@check("Let every play end: set `ending`, and `seat_to_act` to None, after a bounded number of"
       " actions.")  # fmt: skip
def a_play_comes_to_an_end(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(20):
        if not 0 < len(actions) < LONGEST_GAME:
            yield f"A play of random actions is not over after {len(actions)} actions."
            return
        state = trial.after(seed, actions)
        if state.turn != len(actions):
            yield f"`State.turn` is {state.turn} after {len(actions)} actions."
        if state.seat_to_act is not None and not state.legal_actions():
            yield f"Seat {state.seat_to_act} is to act at turn {state.turn}, and may do nothing."
        if not state.ending or state.seat_to_act is not None or list(state.legal_actions()):
            yield (
                "A play in which nobody is to act has no `ending`, or the other way round, or"
                " still has legal actions."
            )
        yield from trial.not_refused(state, [trial.game.parse(actions[0])])


@check("Add the ending to `endings`, with words for people.")
def its_endings_have_words(trial: Trial) -> Iterator[str]:
    words = type(trial.game).endings
    for seed, actions in trial.plays(20):
        ending = trial.after(seed, actions).ending
        if ending is not None and ending not in words:
            yield f"Plays end with {ending!r}, which `endings` lacks."
    for word, text in words.items():
        if not 0 < len(word) <= 20 or not text:
            yield f"The ending {word!r} has more than 20 characters, or no text."
        if word in {"fault", "stopped"}:
            yield f"The ending {word!r} is a word of the site's own."


@check("Let `score_range`, `fault_scores` and `forfeit` agree with `State.scores`, in whole"
       " numbers.")  # fmt: skip
def scores_stay_within_their_range(trial: Trial) -> Iterator[str]:
    low, high = trial.game.score_range
    for seat in trial.seats:
        scores = trial.game.forfeit(seat)
        if len(scores) != trial.game.seats or not all(low <= score <= high for score in scores):
            yield f"A fault of seat {seat} gives the scores {scores!r}."
    for seed, actions in trial.plays(20):
        scores = trial.after(seed, actions).scores()
        if len(scores) != trial.game.seats:
            yield f"`State.scores` has {len(scores)} numbers for {trial.game.seats} seats."
        for score in scores:
            if type(score) is not int or not low <= score <= high:
                yield f"A play ends with the score {score!r}; `score_range` is {low} to {high}."


@check("Let `turn` count applied actions, and `ending` and `seat_to_act` change together.")
def seats_turns_and_endings_are_consistent(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(3):
        state = trial.game.deal(seed)
        for turn, notation in enumerate(actions):
            if state.turn != turn:
                yield f"`State.turn` is {state.turn} after {turn} actions."
            if state.ending is not None or state.seat_to_act not in trial.seats:
                yield (
                    f"At turn {turn} `seat_to_act` is {state.seat_to_act!r} and `ending`"
                    f" {state.ending!r}."
                )
            state.apply(trial.game.parse(notation))


@check("Inherit from `JointState` (`grader/core/games/joint.py`) where seats act together, and let"
       " `observe`, `events` and `text` follow from whole joint moves.")  # fmt: skip
def seats_that_act_together_learn_nothing_before_all_have_acted(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(2):
        state = trial.game.deal(seed)
        for notation in actions:
            acting = list(state.acting())
            told = _told(trial, state, acting[1:])
            if acting != sorted(set(acting)) or acting[:1] != [state.seat_to_act]:
                yield f"`acting()` is {acting}; `seat_to_act` is {state.seat_to_act}."
            if list(state.legal_for(acting[0])) != list(state.legal_actions()):
                yield "`legal_for(seat_to_act)` is not `legal_actions()`."
            state.apply(trial.game.parse(notation))
            if state.pending != (len(acting) > 1):
                yield f"`pending` is {state.pending} after one of {len(acting)} actions."
            if state.pending and list(state.acting()) != acting[1:]:
                yield f"`acting()` is {list(state.acting())} after the first of {acting} acted."
            if state.pending and _told(trial, state, acting[1:]) != told:
                yield "A seat is told of an action before all seats that act together have acted."


def _told(trial: Trial, state: State, later: Sequence[int]) -> str:
    return json.dumps(
        [
            [[state.observe(seat), list(state.events(seat))] for seat in trial.seats],
            [list(state.legal_for(seat)) for seat in later],
            state.text() if trial.game.hides_nothing else "",
        ]
    )


@check("Append to a seat's events with each action, begin with one for the deal, and never change"
       " an event.")  # fmt: skip
def events_only_grow(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(3):
        state = trial.game.deal(seed)
        before = [list(state.events(seat)) for seat in trial.seats]
        texts = [list(map(json.dumps, events)) for events in before]
        if not all(before):
            yield "A seat has no event after the deal."
        looked_at = trial.moments(actions)
        for turn, notation in enumerate(actions):
            state.apply(trial.game.parse(notation))
            for seat in trial.seats:
                now = list(state.events(seat))
                if len(now) <= len(before[seat]) and not state.pending:
                    yield f"`events({seat})` has no new event after {notation}."
                if now[: len(before[seat])] != before[seat]:
                    yield f"An event of seat {seat} changes after it was told."
                if turn in looked_at and list(map(json.dumps, before[seat])) != texts[seat]:
                    yield "An event changes after it was told: it holds a list of the state's own."
                texts[seat] += map(json.dumps, now[len(before[seat]) :])
                before[seat] = now


@check("Build new lists and dicts in `observe` and `legal_actions`; do not hand out the state's"
       " own.")  # fmt: skip
def what_was_handed_out_is_never_changed(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(2):
        state, kept = trial.game.deal(seed), []
        for notation in actions:
            for seat in trial.seats:
                values: list[Any] = [state.observe(seat), list(state.legal_actions())]
                kept.append((values, json.dumps(values)))
            state.apply(trial.game.parse(notation))
        if any(json.dumps(values) != text for values, text in kept):
            yield "An observation or a legal action changes after it was handed out."


@check("Build a new dict in `observe`, and change nothing.")
def each_observation_is_a_fresh_object(trial: Trial) -> Iterator[str]:
    state = trial.game.deal(_SEED)
    if state.observe(0) is state.observe(0) or state.observe(0) != state.observe(0):
        yield "Two observations of one state are the same object, or differ."


@check("Change the state in `apply` alone.")
def looking_changes_nothing(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(2):
        watched, alone = trial.game.deal(seed), trial.game.deal(seed)
        looked_at = trial.moments(actions)
        for turn, notation in enumerate(actions):
            if turn in looked_at:
                trial.everything(watched)
            watched.describe(trial.game.parse(notation))
            watched.apply(trial.game.parse(notation))
            alone.apply(trial.game.parse(notation))
        if trial.everything(watched) != trial.everything(alone):
            yield "A play that was looked at differs from the same play that was not."


@check("Return dicts from `observe` and `events`; give each event a `type`, a text.")
def observations_and_events_are_objects(trial: Trial) -> Iterator[str]:
    state = trial.game.deal(_SEED)
    for seat in trial.seats:
        events = state.events(seat)
        if not all(type(value) is dict for value in (state.observe(seat), *events)):
            yield "An observation or an event is no dict."
        if not all(isinstance(event.get("type"), str) for event in events):
            yield "An event has no `type`."
