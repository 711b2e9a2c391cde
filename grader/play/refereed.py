"""A game whose rules answer from a sandbox, behind the interface that the referee knows.

The grader keeps clock and record. It decides by itself whether an agent's action is one of the
legal ones, so that the rules never see what a student wrote; and it believes no answer that
contradicts the game's own facts.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, NoReturn

import msgspec

from grader.core.drawn import pack_scenes, read_rows
from grader.core.errors import GameFault, IllegalAction, RecordError
from grader.core.games import JsonObject, State, checks, presented
from grader.core.games.grids import Row
from grader.core.games.uploaded import UploadedGame, facts_digest, read_facts, uploaded_game
from grader.core.records import Record
from grader.core.wire import WireError
from grader.core.words import printable
from grader.play.retries import Retries
from grader.play.rules_seat import RulesProcess, RulesSeat, rules_seat
from grader.play.slot import Slot

_LONGEST_PLAY: Final = 10_000
"""Actions."""
_MOST_ACTIONS: Final = 2_000
_TEXT: Final = 4_000
_SENTENCE: Final = 120
_NOTATION: Final = 32
_ANOTHER: Final = "its rules are not deterministic"


class RefereedGame(UploadedGame):
    """An uploaded game that a grader plays: one play at a time, in a process of its own."""

    seat: ClassVar[RulesSeat]
    running: ClassVar[list[RulesProcess]]
    """The process of the present play, and nothing between plays."""

    def deal(self, seed: bytes) -> State:
        """Begin a play. Raises GameFault, as everything below."""
        process = self._process
        process.ask("rules", dict(self.options))
        return RefereedState(self, process, seed)

    def notate(self, action: JsonObject) -> str:
        """Have a legal action written by the rules."""
        notation = self._process.ask("notate", dict(action))
        if not (isinstance(notation, str) and 0 < len(notation) <= _NOTATION):
            raise self._process.fault(f"`notate` gives no text of at most {_NOTATION} characters")
        if not notation.isascii() or not notation.isprintable() or " " in notation:
            raise self._process.fault(f"`notate` gives {checks.shown(notation)}")
        return notation

    def parse(self, notation: str) -> JsonObject:
        """Have a notation of theirs read by the rules."""
        action = self._process.ask("parse", notation)
        if not isinstance(action, dict):
            raise self._process.fault(f"`parse` gives no action for {checks.shown(notation)}")
        return action

    @property
    def _process(self) -> RulesProcess:
        return self.running[-1]

    @contextmanager
    def play(self) -> Iterator[None]:
        """Run the rules for a play in a process that is ended with it."""
        with self.seat.process() as process:
            self.running.append(process)
            try:
                yield
            except WireError as error:
                raise process.fault(f"its rules send too much: {error}") from error
            finally:
                self.running.remove(process)

    def drawn(self, record: Record) -> str:
        """Play a record again in a fresh process and draw it; packed scenes.

        Raises GameFault if that play is another one: the rules are not deterministic.
        """
        with self.play():
            state = self.deal(bytes.fromhex(record.deal_seed))
            actions = map(self.parse, record.actions.split())
            try:
                scenes = list(presented(self).show(state, actions))
            except IllegalAction as error:
                raise self._process.fault(
                    f"{_ANOTHER}: an action of the play is not legal in the next one"
                ) from error
            except (LookupError, TypeError, ValueError) as error:
                raise self._process.fault(f"its `view` does not fit: {error!r}") from error
            if len({"rows" in scene for scene in scenes}) > 1:
                raise self._process.fault("`rows` gives rows in some states, and none in others")
            if record.fault is None and (state.ending, state.scores()) != (
                record.ending,
                record.scores,
            ):
                raise self._process.fault(
                    f"{_ANOTHER}: the same deal and actions gave {state.scores()}"
                    f" ({state.ending}) and {record.scores} ({record.ending})"
                )
        return pack_scenes(scenes)


@contextmanager
def refereed(
    folder: bytes, name: str, options: JsonObject, slot: Slot, checked: str = ""
) -> Iterator[RefereedGame]:
    """Yield the game of a stored folder, by these options. Raises GameFault and RulesError.

    ``checked``: the digest of the facts in its check, which are those that the site believes.
    """
    with rules_seat(folder, slot, name) as seat:
        facts = Retries(slot, seat.close).run(lambda: _facts(seat))
        sha256 = hashlib.sha256(folder).hexdigest()
        kind = uploaded_game(facts, sha256, RefereedGame)
        if kind.name != name:
            raise GameFault(f"{name}: its rules call themselves {kind.facts.own_name}")
        if checked and facts_digest(kind.facts) != checked:
            raise GameFault(f"{name}: its rules say other things of themselves than in their check")
        own: Any = type(kind.__name__, (kind,), {"seat": seat, "running": []})
        yield own.from_options(options)
        seat.give_back()


def _facts(seat: RulesSeat) -> str:
    with seat.process() as process:
        facts = msgspec.json.encode(process.ask("facts", False)).decode()  # noqa: FBT003 - no count
        try:
            read_facts(facts)
        except GameFault as fault:
            raise process.fault(str(fault)) from fault
        return facts


class RefereedState(State):
    """A play in a sandbox. What it answers is checked against the facts, and remembered until the
    next action."""

    def __init__(self, game: RefereedGame, process: RulesProcess, seed: bytes) -> None:
        self._game, self._process = game, process
        self._turn = 0
        self._told: dict[tuple[object, ...], Any] = {}
        self._events: dict[int, list[JsonObject]] = {}
        self._note(process.ask("deal", seed.hex()))

    def _note(self, look: Any) -> None:
        self._told.clear()
        try:
            acting, ending = [int(seat) for seat in look["acting"]], look["ending"]
            turn, self._pending = look["turn"], bool(look["pending"])
            self._continues = bool(look["continues"])
        except (LookupError, TypeError, ValueError):
            self._fail("its rules do not say whose turn it is")
        if type(turn) is not int or turn != self._turn:
            self._fail(f"`turn` is {checks.shown(turn)} after {self._turn} actions")
        if any(seat not in range(self._game.seats) for seat in acting) or len(set(acting)) < len(
            acting
        ):
            self._fail(f"`acting` names seats that are not there: {acting[:10]}")
        if bool(acting) is (ending is not None) or (
            ending is not None and (type(ending) is not str or ending not in self._game.endings)
        ):
            self._fail(f"`ending` is {checks.shown(ending)} while {len(acting)} seats act")
        if self._turn > _LONGEST_PLAY:
            self._fail(f"a play is not over after {_LONGEST_PLAY:,} actions")
        self._acting, self._ending = tuple(acting), ending

    def _fail(self, problem: str) -> NoReturn:
        raise self._process.fault(problem)

    def _ask(self, act: str, *words: object) -> Any:
        key = (act, *words)
        if key not in self._told:
            self._told[key] = self._process.ask(act, *words)
        return self._told[key]

    @property
    def turn(self) -> int:
        return self._turn

    @property
    def seat_to_act(self) -> int | None:
        return self._acting[0] if self._acting else None

    def acting(self) -> Sequence[int]:
        return self._acting

    @property
    def pending(self) -> bool:
        return self._pending

    @property
    def continues(self) -> bool:
        return self._continues

    @property
    def ending(self) -> str | None:
        return self._ending

    def legal_actions(self) -> Sequence[JsonObject]:
        return () if not self._acting else self.legal_for(self._acting[0])

    def legal_for(self, seat: int) -> Sequence[JsonObject]:
        if seat not in self._acting:
            return ()
        known: Sequence[JsonObject] | None = self._told.get(("legal_for", seat))
        if known is not None:
            return known
        legal = self._list("legal_for", self._ask("legal_for", seat))
        if not 0 < len(legal) <= _MOST_ACTIONS:
            self._fail(f"there are {len(legal)} legal actions; 1 to {_MOST_ACTIONS} are read")
        for problem in filter(None, map(checks.unanswerable, legal)):
            self._fail(f"no agent can answer with one of its legal actions: {problem}")
        return legal

    def apply(self, action: JsonObject) -> None:
        """Play an action. Raises IllegalAction unless it is one of the legal ones."""
        legal = self.legal_actions()
        chosen = checks.chosen(action, legal)
        at = next(at for at, each in enumerate(legal) if each is chosen)
        if isinstance(action, dict) and action is not chosen:
            # What the record has written by the rules is theirs, without an agent's own fields.
            action.clear()
            action.update(chosen)
        self._turn += 1
        self._note(self._process.ask("apply", at))

    def observe(self, seat: int) -> JsonObject:
        observation = self._ask("observe", seat)
        if not isinstance(observation, dict):
            self._fail("`observe` gives no object")
        return observation

    def events(self, seat: int) -> Sequence[JsonObject]:
        """All events; asked for from the ones that were told before, so that answers stay small."""
        known = self._events.setdefault(seat, [])
        if ("events", seat) not in self._told:
            known += self._list("events", self._process.ask("events", seat, len(known)))
            self._told["events", seat] = True
        return tuple(known)

    def scores(self) -> tuple[int, ...]:
        scores, (low, high) = self._ask("scores"), self._game.score_range
        if not isinstance(scores, list) or len(scores) != self._game.seats:
            self._fail(f"`scores` does not give {self._game.seats} numbers")
        if not all(type(score) is int and low <= score <= high for score in scores):
            shown = ", ".join(map(checks.shown, scores))
            self._fail(f"`scores` gives {shown}; `score_range` is {low} to {high}")
        return tuple(scores)

    def describe(self, action: JsonObject) -> str:
        legal = self.legal_actions()
        chosen = checks.chosen(action, legal)
        at = next(at for at, each in enumerate(legal) if each is chosen)
        return self._text("describe", _SENTENCE, at)

    def text(self) -> str:
        return self._text("text", _TEXT)

    def rows(self, seat: int | None) -> Sequence[Row]:
        try:
            rows = read_rows(self._ask("rows", seat))
        except RecordError as error:
            self._fail(f"`rows` cannot be drawn: {error}")
        if any(row.seat not in {None, *range(self._game.seats)} for row in rows):
            self._fail("`rows` gives a row of a seat that is not there")
        return rows

    def _text(self, act: str, most: int, *words: object) -> str:
        text = self._ask(act, *words)
        if not isinstance(text, str) or not text or len(text) > most:
            self._fail(f"`{act}` gives no text of at most {most} characters")
        return printable(text)

    def _list(self, act: str, value: Any) -> Sequence[JsonObject]:
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self._fail(f"`{act}` gives no list of objects")
        return value
