"""Replays records by the rules alone, without agents and clocks.

A record that contradicts the rules anywhere raises RecordError with the place, so that a replay
that runs through proves its scores. Pure; pages and the command line print what ``render`` returns.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from grader.core.errors import IllegalAction, RecordError, RulesError
from grader.core.games import Game, JsonObject, State, game_from_options, presented
from grader.core.games.outcomes import counts_wins, score_words, winner_words
from grader.core.records import Fault, Mode, Printed, Record
from grader.core.referee import BEFORE_FIRST_TURN, FAULT_ENDING
from grader.core.words import printable, seat_words

_SEED: Final = re.compile(r"[0-9a-f]{64}")
_NOT_FIGURES: Final = frozenset({"turn", "seat", "to_act"})
_RULES_KEPT: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayStep:
    """One action of a replayed game."""

    turn: int
    seat: int
    action: JsonObject
    words: str
    """The action as the game describes it."""
    figures: Mapping[str, int]
    """The public numbers of the table after the action: tokens, lives, score, … by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A record that agrees with the rules, and all that one play of it shows."""

    record: Record
    state: State | None
    """The play at its end; ``None`` if the rules are not here."""
    table: str
    """The table at the end, as text."""
    steps: tuple[ReplayStep, ...]
    scenes: tuple[JsonObject, ...]
    """The table at the deal and after each action, as a viewer shows it."""


class _Rules(NamedTuple):
    game: Game
    actions: dict[str, JsonObject]
    """Actions by their notation, as far as they were read."""


_rules: Final[dict[tuple[str, str, int], _Rules]] = {}
"""The rules of the last records: to read options again takes a tenth of a replay's time."""


def game_of(record: Record) -> Game:
    """Return the rules of a record. Raises RecordError if this version of Firebox has other
    rules."""
    return _rules_of(record).game


def _rules_of(record: Record) -> _Rules:
    key = record.game, repr(record.options), record.rules_version  # repr: True is not 1
    rules = _rules.get(key)  # another thread may clear them
    if rules is None:
        if len(_rules) >= _RULES_KEPT:
            _rules.clear()
        rules = _rules[key] = _Rules(_read_game(record), {})
    else:
        _require_version(record, rules.game)
    return rules


def _read_game(record: Record) -> Game:
    try:
        game = game_from_options(record.game, record.options)
    except RulesError as error:
        raise RecordError(f"the record's options are not playable: {error}") from error
    if not game.is_installed:
        raise RecordError(f"{game.title} {game.rules_version} is not installed here")
    _require_version(record, game)
    if dict(game.options) != record.options:
        raise RecordError("the record does not spell out every option of its game")
    return game


def _require_version(record: Record, game: Game) -> None:
    if record.rules_version != game.rules_version:
        raise RecordError(
            f"played by version {record.rules_version} of the rules of {record.game};"
            f" this Firebox has version {game.rules_version}"
        )


def replay(record: Record) -> State:
    """Play a record to its end and check all it claims. Raises RecordError with the place.

    Nothing is described and nothing observed: with both it takes twice as long.
    """
    state, known = _deal(record), _rules_of(record).actions
    try:
        for notation in _notations(record):
            state.apply(known[notation])
    except (KeyError, IllegalAction):  # a notation that was not read yet, or a wrong record
        state = _deal(record)
        for act in _acts(record, state):
            _take(state, act)
    _check_end(record, state)
    return state


def steps(record: Record) -> tuple[ReplayStep, ...]:
    """Yield every action of a record as text. Checks as ``replay`` does."""
    state = _deal(record)
    taken = tuple(_steps(record, state))
    _check_end(record, state)
    return taken


def replayed(record: Record) -> Replayed:
    """Play a record once, for its text and for the viewer. Checks as ``replay`` does."""
    state = _deal(record)
    taken: list[ReplayStep] = []
    scenes = tuple(_scenes(record, state, taken))
    _check_end(record, state)
    return Replayed(
        record=record, state=state, steps=tuple(taken), scenes=scenes, table=state.text()
    )


def _scenes(record: Record, state: State, taken: list[ReplayStep]) -> Iterator[JsonObject]:
    last: list[_Act] = []

    def actions() -> Iterator[JsonObject]:
        for act in _acts(record, state):
            last[:], words = [act], _words(state, act.action)
            yield act.action
            taken.append(_step(act, words, state))

    try:
        yield from presented(game_of(record)).show(state, actions())
    except IllegalAction as error:
        raise _refused(last[0], error) from error


def _deal(record: Record) -> State:
    if not _SEED.fullmatch(record.deal_seed):
        raise RecordError("deal_seed is not 64 lower-case hexadecimal digits")
    return game_of(record).deal(bytes.fromhex(record.deal_seed))


class _Act(NamedTuple):
    turn: int
    seat: int
    action: JsonObject
    notation: str


def _steps(record: Record, state: State, upto: int | None = None) -> Iterator[ReplayStep]:
    for act in _acts(record, state, upto):
        words = _words(state, act.action)
        _take(state, act)
        yield _step(act, words, state)


def _step(act: _Act, words: str, state: State) -> ReplayStep:
    figures = _figures(state.observe(act.seat))
    return ReplayStep(turn=act.turn, seat=act.seat, action=act.action, words=words, figures=figures)


def _acts(record: Record, state: State, upto: int | None = None) -> Iterator[_Act]:
    rules = _rules_of(record)
    for turn, notation in enumerate(_notations(record)[:upto]):
        seat = state.seat_to_act
        if seat is None:
            raise RecordError(f"turn {turn}: the game was over ({state.ending}) before {notation}")
        if notation not in rules.actions:
            rules.actions[notation] = _parsed(rules.game, turn, notation)
        yield _Act(turn, seat, rules.actions[notation], notation)


def _parsed(game: Game, turn: int, notation: str) -> JsonObject:
    action = game.parse(notation)
    if game.notate(action) != notation:
        raise RecordError(f"turn {turn}: {notation!r} should be {game.notate(action)!r}")
    return action


def _take(state: State, act: _Act) -> None:
    try:
        state.apply(act.action)
    except IllegalAction as error:
        raise _refused(act, error) from error


def _refused(act: _Act, error: IllegalAction) -> RecordError:
    return RecordError(f"turn {act.turn}: seat {act.seat} cannot do {act.notation}: {error}")


def _words(state: State, action: JsonObject) -> str:
    """Empty for an illegal action, which ``apply`` is about to refuse with the reason."""
    try:
        return state.describe(action)
    except (IllegalAction, LookupError):  # games need to describe legal actions only
        return ""


def _notations(record: Record) -> Sequence[str]:
    return record.actions.split(" ") if record.actions else ()


def _figures(observation: JsonObject) -> dict[str, int]:
    return {
        name: value
        for name, value in observation.items()
        if type(value) is int and name not in _NOT_FIGURES
    }


def _check_end(record: Record, state: State) -> None:
    check_clocks(record)
    if record.fault is not None:
        _check_fault(record, record.fault, state)
    elif state.ending is None:
        raise RecordError(f"the game is not over after turn {state.turn - 1}, the record's last")
    elif state.ending != record.ending:
        raise RecordError(
            f"the game ended by {state.ending}, the record says {printable(record.ending)}"
        )
    elif state.scores() != record.scores:
        raise RecordError(f"the scores are {state.scores()}, the record says {record.scores}")


def _check_fault(record: Record, fault: Fault, state: State) -> None:
    scores = game_of(record).forfeit(fault.seat)
    if record.ending != FAULT_ENDING:
        raise RecordError(f"a fault ended the game, but its ending is {printable(record.ending)}")
    if state.ending is not None:
        raise RecordError(f"a fault is recorded after the game was over ({state.ending})")
    if fault.turn != state.turn and (fault.turn, state.turn) != (BEFORE_FIRST_TURN, 0):
        raise RecordError(f"the fault is in turn {fault.turn}, but turn {state.turn} was next")
    if fault.turn != BEFORE_FIRST_TURN and fault.seat != state.seat_to_act:
        raise RecordError(
            f"the fault is seat {fault.seat}'s, but seat {state.seat_to_act} was next"
        )
    if record.scores != scores:
        raise RecordError(f"a faulted game scores {scores}, the record says {record.scores}")


def check_clocks(record: Record) -> None:
    """One time per action, and one for the turn of a fault; none for starting."""
    taken = len(_notations(record))
    failed = record.fault is not None and record.fault.turn != BEFORE_FIRST_TURN
    if len(record.charged_us) != taken + failed:
        raise RecordError(f"{len(record.charged_us)} times are recorded for {taken} actions")
    if any(charged < 0 for charged in record.charged_us):
        raise RecordError("a charged time is negative")


def render(record: Record, *, upto: int | None = None, printed: Iterable[Printed] = ()) -> str:
    """A whole game as plain text: options, every turn, the end, and the table as it then stood.

    Output is shown below its turn. ``upto`` limits the number of actions. Raises
    RecordError as ``replay`` does.
    """
    state = _deal(record)
    taken = list(_steps(record, state, upto))
    if len(taken) == len(_notations(record)):
        _check_end(record, state)
    return _text(record, state.text(), taken, printed)


def rendered(replay: Replayed) -> str:
    """Return the whole game as ``render`` does, without playing it again."""
    return _text(replay.record, replay.table, replay.steps, ())


def _text(
    record: Record, table: str, taken: Sequence[ReplayStep], printed: Iterable[Printed]
) -> str:
    lines = [*_header(record), "", *_turns(record, taken, _output(printed)), ""]
    if len(taken) == len(_notations(record)):
        lines += [*_end(record), ""]
    return "\n".join([*lines, table.rstrip("\n"), ""])


def _header(record: Record) -> Iterator[str]:
    yield f"game      {record.game}, rules version {record.rules_version}"
    yield f"deal      {record.deal_seed}"
    if record.mode is Mode.TEAM:
        yield "mode      team: one process played all seats of an agent"
    line = "options  "
    for name, value in record.options.items():
        item = f"{name}={_option(value)}"
        if len(line) + 1 + len(item) > 100:
            yield line
            line = " " * 9
        line += f" {item}"
    yield line


def _option(value: object) -> str:
    words = {True: "yes", False: "no", None: "none"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def _output(printed: Iterable[Printed]) -> dict[int, list[str]]:
    lines: dict[int, list[str]] = {}
    for entry in printed:
        texts = printable(entry.text).rstrip("\n").split("\n")
        lines.setdefault(entry.turn, []).extend(
            f"      {seat_words(entry.seat)} | {line}" for line in texts
        )
    return lines


def _turns(
    record: Record, taken: Sequence[ReplayStep], printed: Mapping[int, Sequence[str]]
) -> Iterator[str]:
    """A table: turn, action in words, the table's figures, milliseconds charged."""
    yield from printed.get(BEFORE_FIRST_TURN, ())
    if not taken:
        yield "No action was taken."
        yield from printed.get(0, ())
        return
    names = list(dict.fromkeys(name for step in taken for name in step.figures))
    words = max(len(step.words) for step in taken)
    titles = [name.replace("_", " ") for name in names]
    yield "turn  " + "  ".join(["action".ljust(words), *titles, "ms charged"])
    for step, charged in zip(taken, record.charged_us, strict=False):
        figures = [
            str(step.figures.get(name, "")).rjust(len(title))
            for name, title in zip(names, titles, strict=True)
        ]
        cells = [step.words.ljust(words), *figures, f"{charged / 1000:10.3f}"]
        yield f"{step.turn:4}  " + "  ".join(cells)
        yield from printed.get(step.turn, ())
    if record.fault is not None and len(taken) == len(_notations(record)):
        yield from printed.get(len(taken), ())


def _end(record: Record) -> Iterator[str]:
    game = game_of(record)
    if record.fault is None:
        ending = record.ending.replace("_", " ")
        turns = len(_notations(record))
        yield f"Ended by {ending} after {turns} turns. {_result(game, record)}"
        return
    fault = record.fault
    who = seat_words(fault.seat)
    when = "while starting" if fault.turn == BEFORE_FIRST_TURN else f"in turn {fault.turn}"
    charged = f", {record.charged_us[-1] / 1000:.3f} ms charged" if record.charged_us else ""
    yield f"*** FAULT {fault.kind} of {who} {when}{charged} ***"
    yield printable(fault.detail)
    if game.competitive and len(set(record.scores)) == 1:
        own = score_words(game, record.scores[fault.seat])
        yield f"The game ended there. {who.capitalize()} scores {own}."
    else:
        yield f"The game ended there. {_scores(game, record)}"


def _scores(game: Game, record: Record) -> str:
    if counts_wins(game):
        return f"{winner_words(record.scores).capitalize()}."
    return f"Scores: {' '.join(score_words(game, score) for score in record.scores)}."


def _result(game: Game, record: Record) -> str:
    scores = _scores(game, record)
    if not game.competitive or counts_wins(game):
        return scores
    best = min(record.scores) if game.lower_is_better else max(record.scores)
    seats = [str(seat) for seat, score in enumerate(record.scores, 1) if score == best]
    which = "Fewest" if game.lower_is_better else "Most"
    return f"{scores} {which} points win: seat{'s' * (len(seats) > 1)} {' and '.join(seats)}."
