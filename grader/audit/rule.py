"""The replay audit: does a seat repeat its moves when it plays alone and with other pauses?

Isolation leaves two seats of a game one channel: how long each of them takes to answer. So a seat
is run again, alone, on exactly the messages it received (the referee derives them from the record),
with other pauses between them than in the game. An agent that decides by its messages and its seed
then repeats its moves, turn by turn.

**The rule.** A run ends where its action first differs from the record's, or repeats all of it.

1. First look: two runs without pauses, then two with random ones. All repeat: ``same``. A run
   without pauses that repeats and one that does not: ``not auditable``.
2. The first run that differs makes the seat a suspect, its pauses are *the others*. Six rounds
   follow, each in a new container: one run with the game's own pauses, one with the others, in
   alternating order. Only these twelve decide:
   a. The runs of one kind all end alike, and no run of the other kind ends so: the pauses decide
      what the agent does. ``differs``, cause ``pauses``.
   b. All end alike, as the first one did, yet unlike the record: ``differs``, cause ``record``.
   c. Anything else: the agent differs from itself. ``not auditable``.
3. A run that ends in a timeout, for lack of memory, or without an answer is run again; if that
   happens twice, or if nothing but faults speaks for (b): ``inconclusive``. A crash or an illegal
   action that only the other pauses bring about, six times of six, counts as a difference.

**How often it errs.** Let runs of an agent that does not look at the pauses end in way x with
probability p(x), whatever the pauses; p may differ from container to container (addresses do),
which the two runs of a round share, so that it cannot part them. In one round the first kind ends
in x and the second does not with probability a(x), the mean of p(x)(1-p(x)): at most 1/4, and all
a(x) together at most 1. Six times the same x: the sum of a(x)⁶, at most 1/4⁵. For both kinds
together (a) errs once in 512 suspects at most, for an agent made for it. (Without rounds two
samples of a random agent would differ nearly always.) Alternation guards against whatever drifts.
For (b), seven containers agree and the record does not: at most the largest p⁶(1-p), once in 17
suspects; if nothing depends on the container, p¹²(1-p), once in 34. It is the weaker flag.

**What it misses.** If a seat decides by a pause in k of its turns, and a random pause turns each
such decision over with probability q, all runs of the first look repeat with (1-q)^2k at most; for
q = 1/4 and k = 8, one game in 100. A pause that changed no action changed no score. An agent that
turns random when it feels watched is not auditable, which is shown, or is caught by (a).

**A flag is not a verdict.** An honest agent that limits its search by a clock of its own depends on
time and may be flagged, by (b) more likely than by (a). No points depend on the audit.

Pure: no clock, no process. ``grader.worker.auditor`` runs what ``audit_seat`` asks for.
"""

import hmac
import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

from grader.audit.records import (
    Attempt,
    AuditCause,
    AuditEvidence,
    Conclusion,
    Pace,
    SeatAudit,
)
from grader.core.deals import shuffled
from grader.core.errors import IllegalAction
from grader.core.games import Game, JsonObject, State
from grader.core.records import FaultKind, Record
from grader.core.referee import Reply, Turn, TurnKind, referee
from grader.results.replay import game_of, replay

FIRST_LOOKS: Final = 2
"""Runs of each kind before a seat is believed."""
ROUNDS: Final = 6
"""Pairs of runs before a suspect is flagged."""
MAX_FLAGS: Final = 3
"""An audit ends when this many seats differ: staff need no more."""

_SHORT_US: Final = 1_000
_LEAST_LONG_US: Final = 5_000
_LEAST_RANGE_US: Final = 80_000
_LARGEST_RANGE_US: Final = 400_000
_STRETCH: Final = 1.5
"""Random pauses reach beyond the longest of the game by this factor."""
_CIRCUMSTANTIAL: Final = frozenset({FaultKind.TIMEOUT, FaultKind.IDLE, FaultKind.MEMORY})
"""Faults that the host may have caused."""


class Cue(NamedTuple):
    """One turn of the seat as the record has it."""

    turn: Turn
    """The delay of the message, as it was sent."""
    recorded: str
    charged_us: int
    paused_us: int


@dataclass(frozen=True, slots=True)
class Script:
    """All messages to one seat in a game, and its answers."""

    game: Game
    record: Record
    start: Turn
    cues: tuple[Cue, ...]

    def played(self, cue: Cue, action: JsonObject) -> str | None:
        """An answer in the game's notation, ``None`` if the rules refuse it at that turn."""
        if _text(self.game.parse(cue.recorded)) == _text(action):
            return cue.recorded  # it was legal there: the game need not be played up to it
        try:
            self._before(cue).apply(action)
        except IllegalAction:
            return None
        return self.game.notate(action)

    def words(self, cue: Cue, notations: Iterable[str]) -> dict[str, str]:
        """Return these actions, legal at that turn, in words."""
        state = self._before(cue)
        return {notation: state.describe(self.game.parse(notation)) for notation in notations}

    def _before(self, cue: Cue) -> State:
        state = self.game.deal(bytes.fromhex(self.record.deal_seed))
        for notation in self.record.actions.split()[: cue.turn.number]:
            state.apply(self.game.parse(notation))
        return state


def _text(action: JsonObject) -> str:
    """Return one text for equal actions, and another one for ``true`` than for ``1``."""
    return json.dumps(action, sort_keys=True)


class RunOrder(NamedTuple):
    """A requested run."""

    pace: Pace
    salt: int = 0
    """Seed of the random pauses: the same number gives the same pauses."""
    renewed: bool = False
    """In a container that has served no other run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """The end of a run, and the time that its turns took."""

    turn: int | None = None
    """The first turn that differed from the record, ``BEFORE_FIRST_TURN`` for a fault while
    starting; ``None`` if the run repeated all of them."""
    action: str = ""
    """The action taken instead; empty after a fault."""
    fault: FaultKind | None = None
    detail: str = ""
    paused_us: tuple[int, ...]
    """Per turn of the seat, up to the end."""
    charged_us: tuple[int, ...]

    @property
    def way(self) -> tuple[object, ...]:
        """A key that is equal for runs that ended alike."""
        return (self.turn, self.action, self.fault)


Audit: TypeAlias = Generator[RunOrder, RunEnd | None, SeatAudit]


def sample(indices: Iterable[int], *, games: int, seed: int) -> tuple[int, ...]:
    """Choose ``games`` of these indices, ascending; every choice is equally likely over the
    seeds."""
    key = hmac.digest(b"firebox audit sample v1", str(seed).encode(), "sha256")
    return tuple(sorted(shuffled(sorted(indices), key)[:games]))


def script_of(record: Record, seat: int) -> Script:
    """Derive a seat's messages, up to the record's last action. Raises RecordError."""
    replay(record)
    game = game_of(record)
    turns = list(_turns(game, record))
    cues, waited_us = [], 0
    for turn, recorded, charged_us in turns:
        if turn.kind is not TurnKind.ACT:
            continue
        if turn.seat == seat:
            cues.append(Cue(turn, recorded, charged_us, waited_us))
            waited_us = 0
        else:
            waited_us += charged_us
    return Script(game=game, record=record, start=turns[seat][0], cues=tuple(cues))


def _turns(game: Game, record: Record) -> Iterator[tuple[Turn, str, int]]:
    actions = record.actions.split()
    play = referee(game, bytes.fromhex(record.deal_seed))
    turn = next(play)
    while turn.kind is TurnKind.START:
        yield turn, "", 0
        turn = play.send(Reply(None, 0))
    for recorded, charged_us in zip(actions, record.charged_us, strict=False):
        yield turn, recorded, charged_us
        turn = play.send(Reply(dict(game.parse(recorded)), charged_us))
    play.close()


def pauses_us(script: Script, order: RunOrder, *, seed: int) -> tuple[int, ...]:
    """Return the delay of each message of a run, in microseconds.

    Random pauses are short or long with equal chance, a long one anything up to one and a half
    times the longest of the game: so they cover any code that the game's pauses could have used.
    """
    recorded = [cue.paused_us for cue in script.cues]
    if order.pace is Pace.INSTANT:
        return (0,) * len(recorded)
    if order.pace is Pace.RECORDED:
        return tuple(recorded)
    most = min(max(_STRETCH * max(recorded, default=0), _LEAST_RANGE_US), _LARGEST_RANGE_US)
    label = f"{script.record.deal_seed} {script.start.seat} {order.salt}"
    key = hmac.digest(f"firebox audit pauses v1 {seed}".encode(), label.encode(), "sha256")
    return tuple(_random_pause(key, number, int(most)) for number in range(len(recorded)))


def _random_pause(key: bytes, number: int, most_us: int) -> int:
    bits = int.from_bytes(hmac.digest(key, number.to_bytes(8, "big"), "sha256")[:8], "big")
    if bits & 1:
        return (bits >> 1) % _SHORT_US
    return _LEAST_LONG_US + (bits >> 1) % (most_us - _LEAST_LONG_US)


def audit_seat(index: int, script: Script) -> Audit:
    """Ask for runs until the rule above decides. Receives ``None`` when time is over."""
    inquiry = _Inquiry(index, script)
    first = [RunOrder(Pace.INSTANT)] * FIRST_LOOKS
    first += [RunOrder(Pace.JITTERED, salt) for salt in range(FIRST_LOOKS)]
    for number, order in enumerate(first if script.cues else ()):
        end = yield from _run(order)
        if end is None:
            return inquiry.closed(Conclusion.LEFT_OUT)
        inquiry.add(order, end)
        if end.fault in _CIRCUMSTANTIAL:
            return inquiry.closed(Conclusion.INCONCLUSIVE, detail=end.detail)
        if end.turn is not None:
            if order.pace is Pace.INSTANT and number:
                return inquiry.closed(Conclusion.NOT_AUDITABLE)
            return (yield from _confirm(inquiry, order, end))
    return inquiry.closed(Conclusion.SAME)


def _run(order: RunOrder) -> Generator[RunOrder, RunEnd | None, RunEnd | None]:
    end = yield order
    if end is not None and end.fault in _CIRCUMSTANTIAL:
        end = yield order
    return end


def _confirm(inquiry: "_Inquiry", varied: RunOrder, first: RunEnd) -> Audit:
    ends: dict[bool, list[RunEnd]] = {True: [], False: []}
    cause = None
    for number in range(ROUNDS):
        as_recorded = bool(number % 2)
        for renewed, recorded in ((True, as_recorded), (False, not as_recorded)):
            pace, salt = (Pace.RECORDED, 0) if recorded else (varied.pace, varied.salt)
            end = yield from _run(RunOrder(pace, salt, renewed))
            if end is None:
                detail = "time was over before the difference was confirmed"
                return inquiry.closed(Conclusion.INCONCLUSIVE, detail=detail)
            inquiry.add(RunOrder(pace, salt), end)
            if end.fault in _CIRCUMSTANTIAL:
                return inquiry.closed(Conclusion.INCONCLUSIVE, detail=end.detail)
            ends[recorded].append(end)
        cause = _cause(ends[True], ends[False], first)
        if cause is None:
            return inquiry.closed(Conclusion.NOT_AUDITABLE)
    if cause is AuditCause.RECORD and first.fault is not None:
        return inquiry.closed(Conclusion.INCONCLUSIVE, detail=first.detail)
    return inquiry.closed(Conclusion.DIFFERS, cause=cause)


def _cause(paced: Sequence[RunEnd], varied: Sequence[RunEnd], first: RunEnd) -> AuditCause | None:
    """Return the cause, if known; further runs do not turn ``None`` into one."""
    if _apart(paced, varied) or _apart(varied, paced):
        return AuditCause.PAUSES
    alike = all(end.way == first.way for end in chain(paced, varied))
    return AuditCause.RECORD if alike else None


def _apart(these: Sequence[RunEnd], others: Sequence[RunEnd]) -> bool:
    ways = {end.way for end in these}
    return len(ways) == 1 and not ways & {end.way for end in others}


class _Inquiry:
    """The runs of one seat, and the result that follows from them."""

    def __init__(self, index: int, script: Script) -> None:
        self._index = index
        self._script = script
        self._runs: list[tuple[RunOrder, RunEnd]] = []

    def add(self, order: RunOrder, end: RunEnd) -> None:
        self._runs.append((order, end))

    def closed(self, conclusion: Conclusion, **fields: Any) -> SeatAudit:
        return SeatAudit(
            index=self._index,
            seat=self._script.start.seat,
            conclusion=conclusion,
            turns=len(self._script.cues),
            runs=len(self._runs),
            evidence=self._evidence(),
            **fields,
        )

    def _evidence(self) -> AuditEvidence | None:
        turns = [end.turn for _, end in self._runs if end.turn is not None and end.turn >= 0]
        if not turns:
            return None
        cues = self._script.cues
        at = next(at for at, cue in enumerate(cues) if cue.turn.number == min(turns))
        cue = cues[at]
        reached = [(order, end) for order, end in self._runs if len(end.charged_us) > at]
        attempts = tuple(_attempt(order.pace, end, at, cue) for order, end in reached)
        actions = dict.fromkeys([cue.recorded, *(attempt.action for attempt in attempts)])
        return AuditEvidence(
            turn=cue.turn.number,
            recorded=cue.recorded,
            paused_us=cue.paused_us,
            charged_us=cue.charged_us,
            attempts=attempts,
            words=self._script.words(cue, filter(None, actions)),
        )


def _attempt(pace: Pace, end: RunEnd, at: int, cue: Cue) -> Attempt:
    here = end.turn == cue.turn.number
    return Attempt(
        pace=pace,
        paused_us=end.paused_us[at],
        action=end.action if here else cue.recorded,
        fault=end.fault if here else None,
        charged_us=end.charged_us[at],
    )


def left_out(index: int, script: Script) -> SeatAudit:
    """Return the result of a seat that was not examined."""
    return _Inquiry(index, script).closed(Conclusion.LEFT_OUT)
