"""The referee: a pure generator that plays one game.

It yields a ``Turn`` for every message to a seat, is sent a ``Reply`` or a ``PlayerFailure``, and
returns a ``Record``. The same deal seed and the same replies give the same record, byte for byte,
regardless of who sends them: sandboxed agents, house agents, a test's list, a replay.
"""

from collections.abc import Generator, Sequence
from enum import Enum
from typing import Any, Final, TypeAlias

import msgspec

from grader.core import wire
from grader.core.deals import agent_seed
from grader.core.errors import IllegalAction
from grader.core.games.base import Game, JsonObject, State
from grader.core.records import Fault, FaultKind, Mode, Record

FAULT_ENDING = "fault"
"""A record's ending when an agent's fault ended the game."""
BEFORE_FIRST_TURN = -1
"""A fault's turn number when it happened while the agent was starting."""


class TurnKind(Enum):
    """The kind of answer that a turn asks for."""

    START = "start"
    """Load the agent and say ready; the reply carries no action."""
    ACT = "act"
    """Choose an action."""
    END = "end"
    """Nothing: the game is over, send ``None``."""


# Names for the members: Python 3.11 calls a function for each ``TurnKind.ACT``, which every turn
# would need several times.
START: Final = TurnKind.START
ACT: Final = TurnKind.ACT
END: Final = TurnKind.END


class Turn(msgspec.Struct, frozen=True):
    """One message to one seat. Of all kinds of classes, this one is made and read fastest."""

    seat: int
    kind: TurnKind
    number: int
    """Number of the turn, ``BEFORE_FIRST_TURN`` for a start."""
    message: JsonObject
    continued: bool = False
    """True if it continues the seat's previous turn, whose clock runs on."""
    also: tuple["Turn", ...] = ()
    """Turns of seats that act together with this one. The referee yields each of them next, in this
    order, whatever the answers; they may be asked at the same time."""


class Reply(msgspec.Struct, frozen=True):
    """A player's answer."""

    action: dict[str, Any] | None
    """An action still to be checked; ``None`` after a start."""
    charged_us: int


class PlayerFailure(msgspec.Struct, frozen=True):
    """A failure of a player to answer: the agent's doing, not ours."""

    kind: FaultKind
    detail: str
    charged_us: int


Referee: TypeAlias = Generator[Turn, Reply | PlayerFailure | None, Record]


def referee(game: Game, deal_seed: bytes, mode: Mode = Mode.SEAT) -> Referee:
    """Play one game from a 32-byte deal seed. The mode is only recorded: every turn belongs to one
    seat. Where seats act together, their first fault counts, once all of them have answered."""
    state = game.deal(deal_seed)
    has_joint_moves = type(state).acting is not State.acting
    sent = [0] * game.seats
    charged: list[int] = []
    actions: list[JsonObject] = []
    fault = yield from _start(game, deal_seed)
    while fault is None and (seat := state.seat_to_act) is not None:
        if has_joint_moves and len(state.acting()) > 1:
            fault = yield from _joint_move(state, sent, charged, actions)
            continue
        events = state.events(seat)
        number = state.turn
        message = wire.turn_message(
            number, events[sent[seat] :], state.observe(seat), state.legal_actions()
        )
        sent[seat] = len(events)
        answer = yield Turn(seat, ACT, number, message, state.continues)
        assert answer is not None, "a turn was answered with nothing"  # noqa: S101
        charged.append(answer.charged_us)
        if isinstance(answer, Reply):
            fault = _apply(state, seat, answer.action or {}, actions)
        else:
            fault = _fault(seat, answer, number)
    scores, ending = yield from _end(game, state, sent, fault)
    return Record(
        game=game.name,
        rules_version=game.rules_version,
        options=dict(game.options),
        deal_seed=deal_seed.hex(),
        actions=" ".join(map(game.notate, actions)),
        charged_us=tuple(charged),
        ending=ending,
        fault=fault,
        scores=scores,
        mode=mode,
    )


def _start(
    game: Game, deal_seed: bytes
) -> Generator[Turn, Reply | PlayerFailure | None, Fault | None]:
    options = game.options
    for seat in range(game.seats):
        message = wire.start_message(
            game=game.name,
            rules_version=game.rules_version,
            options=options,
            seat=seat,
            players=game.seats,
            seed=agent_seed(deal_seed, seat),
        )
        answer = yield Turn(seat, START, BEFORE_FIRST_TURN, message)
        if isinstance(answer, PlayerFailure):
            return _fault(seat, answer, BEFORE_FIRST_TURN)
    return None


def _end(
    game: Game, state: State, sent: Sequence[int], fault: Fault | None
) -> Generator[Turn, Reply | PlayerFailure | None, tuple[tuple[int, ...], str]]:
    scores = state.scores() if fault is None else game.forfeit(fault.seat)
    ending = (state.ending or "") if fault is None else FAULT_ENDING
    for seat in range(game.seats):
        events = state.events(seat)[sent[seat] :]
        last = wire.end_message(events, scores, ending)
        yield Turn(seat, END, state.turn, last)
    return scores, ending


def _joint_move(
    state: State, sent: list[int], charged: list[int], actions: list[JsonObject]
) -> Generator[Turn, Reply | PlayerFailure | None, Fault | None]:
    """Ask all seats that act together, then apply their answers; return the first fault, if any."""
    turns = []
    for number, seat in enumerate(state.acting(), state.turn):
        events = state.events(seat)
        message = wire.turn_message(
            number, events[sent[seat] :], state.observe(seat), state.legal_for(seat)
        )
        sent[seat] = len(events)
        turns.append(Turn(seat, ACT, number, message))
    turns[0] = msgspec.structs.replace(turns[0], also=tuple(turns[1:]))
    answers = []
    for turn in turns:
        answer = yield turn
        answers.append(answer)
    for turn, answer in zip(turns, answers, strict=True):
        assert answer is not None, "a turn was answered with nothing"  # noqa: S101
        charged.append(answer.charged_us)
        if isinstance(answer, Reply):
            fault = _apply(state, turn.seat, answer.action or {}, actions)
        else:
            fault = _fault(turn.seat, answer, turn.number)
        if fault is not None:
            return fault
    return None


def _apply(state: State, seat: int, action: JsonObject, actions: list[JsonObject]) -> Fault | None:
    try:
        state.apply(action)
    except IllegalAction as error:
        detail = wire.refusal(action) or str(error)
        return Fault(seat=seat, kind=FaultKind.ILLEGAL, turn=state.turn, detail=detail)
    actions.append(action)
    return None


def _fault(seat: int, failed: PlayerFailure, turn: int) -> Fault:
    return Fault(seat=seat, kind=failed.kind, turn=turn, detail=failed.detail)
