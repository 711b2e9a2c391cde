"""A game with random plays of it, and the checks that look at them."""

import inspect
import json
import sys
import traceback
from abc import ABCMeta
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

from grader.core.chance import Chance
from grader.core.deals import deal_seed
from grader.core.errors import IllegalAction, RulesError
from grader.core.games import GAMES, Game, JsonObject, State, joint, player_counts

SECRET: Final = b"conformance suite"
LONGEST_GAME: Final = 2000
"""Actions; a game that is not over by then probably never will be."""
MOST_ACTIONS: Final = 40
"""Legal actions of a state that are tried where each takes long."""
LONGEST_REASON: Final = 200


class Level(StrEnum):
    """The use that a game is fit for once its checks hold."""

    PLAYS = "plays"
    """The rules are pure and complete: games can be played and replayed."""
    GRADED = "graded"
    """Many games say something about an agent, and secrets stay secret."""
    PUBLISHED = "published"
    """People can read about it, watch it, and begin with a kit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that does not hold."""

    level: Level
    check: str
    rules: str
    """The variant and the number of seats; empty if it is about the game as a whole."""
    problem: str
    """One sentence."""
    repair: str
    """The edit or the command that repairs it, as a sentence."""


@dataclass(slots=True)
class Trial:
    """A game with its options fixed, and random plays of it that checks share."""

    game: Game
    looks: int = 13
    """Turns of a play that are looked at where looking takes long."""
    _plays: dict[int, tuple[bytes, Sequence[str]]] = field(default_factory=dict)

    @property
    def seats(self) -> range:
        """The numbers of the seats."""
        return range(self.game.seats)

    def plays(self, count: int) -> Iterator[tuple[bytes, Sequence[str]]]:
        """Some random plays to the end: the deal's seed and the actions in notation."""
        for index in range(count):
            if index not in self._plays:
                self._plays[index] = self._play(index)
            yield self._plays[index]

    def _play(self, index: int) -> tuple[bytes, Sequence[str]]:
        seed = deal_seed(SECRET, index)
        chance, state = Chance(seed, "conformance"), self.game.deal(seed)
        actions: list[str] = []
        while (legal := state.legal_actions()) and len(actions) < LONGEST_GAME:
            action = legal[chance.below(len(legal))]
            actions.append(self.game.notate(action))
            state.apply(action)
        return seed, tuple(actions)

    def moments(self, actions: Sequence[str]) -> Sequence[int]:
        """Some turns of a play, evenly spread and not at the same place of every hand."""
        return sorted({len(actions) * k // self.looks for k in range(self.looks)})

    def after(self, seed: bytes, actions: Iterable[str]) -> State:
        """The state after these actions."""
        state = self.game.deal(seed)
        for notation in actions:
            state.apply(self.game.parse(notation))
        return state

    def turns(self, count: int) -> Iterator[State]:
        """States at some turns of some plays, each of which the caller may change."""
        for seed, actions in self.plays(count):
            for turn in self.moments(actions):
                yield self.after(seed, actions[:turn])

    def some(self, actions: Sequence[JsonObject]) -> Sequence[JsonObject]:
        """Some actions of many, evenly spread: a large board has hundreds at each turn."""
        return actions[:: 1 + len(actions) // MOST_ACTIONS]

    def everything(self, state: State) -> str:
        """All that the interface says about a state, as one comparable text."""
        return json.dumps(
            {
                "turn": state.turn,
                "seat_to_act": state.seat_to_act,
                "ending": state.ending,
                "legal": state.legal_actions(),
                "observations": [state.observe(seat) for seat in self.seats],
                "events": [state.events(seat) for seat in self.seats],
                "scores": state.scores(),
                "text": state.text(),
            }
        )

    def not_refused(self, state: State, actions: Iterable[Any]) -> Iterator[str]:
        """Yield a sentence for each action that is accepted, or changes the state though it is
        refused, or is refused without a short reason."""
        before = self.everything(state)
        for action in actions:
            try:
                state.apply(action)
            except IllegalAction as refusal:
                if not 0 < len(str(refusal)) < LONGEST_REASON:
                    yield (
                        f"`State.apply` refuses {_short(action)} with a reason of"
                        f" {len(str(refusal))} characters; 1 to {LONGEST_REASON - 1} are read."
                    )
            except Exception as error:  # noqa: BLE001 - rules may raise anything
                yield (
                    f"`State.apply` raises {type(error).__name__} for {_short(action)}, which an"
                    f" agent may send ({place_of(error, _folder(type(self.game)))})."
                )
            else:
                yield f"`State.apply` accepts {_short(action)}, which is not legal."
                return
        if self.everything(state) != before:
            yield "An action that `State.apply` refuses changes the state."


Function: TypeAlias = Callable[[Trial], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Check:
    """A check, called like the sentence that holds when it passes."""

    name: str
    level: Level
    repair: str
    run: Function

    def findings(self, trial: Trial) -> Iterator[Finding]:
        """Yield the first thing that does not hold; an exception in the rules is one as well."""
        repair = self.repair
        try:
            problem = next(self.run(trial), None)
        except Exception as error:  # noqa: BLE001 - rules may raise anything
            problem, repair = raised(error, type(trial.game))
        if problem is not None:
            rules = f"{trial.game.options['variant']}, {len(trial.seats)} seats"
            yield Finding(
                level=self.level, check=self.name, rules=rules, problem=problem, repair=repair
            )


def checks(level: Level) -> tuple[list[Check], Callable[[str], Callable[[Function], Function]]]:
    """Return a list of checks and the decorator, called with the repair, that adds to it."""
    known: list[Check] = []

    def check(repair: str) -> Callable[[Function], Function]:
        def add(function: Function) -> Function:
            known.append(Check(function.__name__, level, repair, function))
            return function

        return add

    return known, check


def findings(trial: Trial, some: Iterable[Check]) -> Iterator[Finding]:
    """Run checks; a problem that several of them come upon is told once."""
    told: set[str] = set()
    for check in some:
        for finding in check.findings(trial):
            if finding.problem not in told:
                told.add(finding.problem)
                yield finding


def every_game(names: Iterable[str] = ()) -> Iterator[tuple[str, Game]]:
    """Games, or all of them, in all named variants with every number of seats that these allow."""
    for name in names or GAMES:
        kind = GAMES[name]
        for variant in kind.variants():
            for players in player_counts(kind, variant):
                game = kind.from_options({"variant": variant, "players": players})
                yield f"{name}-{variant}-{players}", game


def _short(value: object) -> str:
    try:
        text = ascii(value)
    except ValueError:  # Python writes no number of thousands of digits
        return "an action with a huge number"
    return text if len(text) <= 60 else f"{text[:57]}..."


def raised(error: Exception, kind: type[Game]) -> tuple[str, str]:
    """Return the problem that an exception of the rules is, and its repair."""
    if (own := _unfinished(error)) is not None:
        base = next(each for each in own.__mro__ if each.__module__.startswith("grader."))
        methods = ", ".join(_signature(own, name) for name in sorted(own.__abstractmethods__))
        return f"`{own.__name__}` lacks {methods}.", f"Write them. {_manual(base)}"
    told = f": {error}" if str(error) else ""
    place = place_of(error, _folder(kind))
    if isinstance(error, IllegalAction):  # the checks of refusals catch theirs
        problem = f"`State.apply` refuses a legal action, or a play is not the same again{told}"
        repair = "Let `parse` return what `notate` was given, and take all chance from the seed."
        return f"{problem} ({place}).", repair
    if "JSON serializable" in told:
        problem = f"`observe`, `events` or `legal_actions` has a value that JSON lacks{told}."
        return problem, "Return a list in its place: `sorted(…)` of a set."
    problem = f"The game raises {type(error).__name__}{told} ({place})."
    if _own_frames(error, _folder(kind)):
        return problem, f"Mend {place}."
    if isinstance(error, RulesError):
        return problem, "Change the attributes of the game's class as it says."
    # Firebox's line is right: a method or a value of the rules is not what it expects.
    base = joint.JointState if place.endswith(f" of {Path(joint.__file__).name}") else State
    return problem, f"Compare the rules' methods with those of `{base.__name__}`. {_manual(base)}"


def _unfinished(error: Exception) -> ABCMeta | None:
    kinds: list[Any] = [Game, State]
    for kind in kinds:  # grows while it is read
        kinds += kind.__subclasses__()
    return next((each for each in kinds if f"abstract class {each.__name__} " in str(error)), None)


def _signature(kind: type, name: str) -> str:
    method = inspect.getattr_static(kind, name)
    if isinstance(method, property):
        return f"`{name}` (a property)"
    return f"`{name}({', '.join(inspect.signature(method).parameters)})`"


def _manual(base: type) -> str:
    return f"What they are given and return: `python -m pydoc {base.__module__}.{base.__name__}`."


def _folder(kind: type[Game]) -> Path:
    return Path(str(sys.modules[kind.__module__].__file__)).parent


def place_of(error: BaseException, folder: Path) -> str:
    """Return the innermost line of the code in a folder, if the error came through any."""
    frame = (_own_frames(error, folder) or traceback.extract_tb(error.__traceback__))[-1]
    return f"line {frame.lineno} of {Path(frame.filename).name}"


def _own_frames(error: BaseException, folder: Path) -> list[traceback.FrameSummary]:
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if frame.filename.startswith(str(folder))]
