"""An unfinished game, derived from its deal and the actions so far.

No process has to remember it. ``play_on`` asks the referee for it again: every message that a seat
was sent, and the turn that waits for an answer. Players who are called in this process, such as
house agents, may answer on the way. Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from grader.core import wire
from grader.core.errors import IllegalAction, RecordError
from grader.core.games.base import Game, JsonObject, State
from grader.core.referee import FAULT_ENDING, Reply, Turn, TurnKind, referee

Send: TypeAlias = Callable[[JsonObject], JsonObject | None]
"""A player in this process: takes a message of the wire, returns the reply, if it has one."""
Told: TypeAlias = tuple[Turn, str]
"""A message to a seat, and the action that answered it, in the game's notation; ``None`` for a
start."""

_NOBODY: Final[Mapping[int, Send]] = {}
_READY: Final = Reply(None, 0)


class LocalFault(Exception):  # noqa: N818 - an agent of ours has a fault
    """A player in this process answered with an illegal action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The state of a game between two actions."""

    actions: tuple[str, ...]
    answered: tuple[Told, ...]
    """All messages that were answered, in order."""
    asked: Turn | None
    """The turn that waits for an answer; ``None`` when the game is over."""

    @property
    def seat(self) -> int | None:
        """The seat that acts next."""
        return None if self.asked is None else self.asked.seat

    @property
    def legal(self) -> Sequence[JsonObject]:
        """Legal actions of that seat."""
        return () if self.asked is None else self.asked.message["legal"]

    def told_to(self, seat: int) -> tuple[Told, ...]:
        """The messages that one seat has answered, its start first."""
        return tuple(answered for answered in self.answered if answered[0].seat == seat)


def play_on(
    game: Game, deal_seed: bytes, actions: Sequence[str], players: Mapping[int, Send] = _NOBODY
) -> Position:
    """Repeat the actions from the deal, then let ``players``, by seat, play until another acts.

    They receive every message from the start; while actions are repeated, their answers are
    ignored. Raises RecordError for actions that the rules refuse, and LocalFault for such an answer
    of a player.
    """
    done: list[str] = []
    answered: list[Told] = []
    play = referee(game, deal_seed)
    turn = next(play)
    while turn.kind is not TurnKind.END:
        answer = players[turn.seat](turn.message) if turn.seat in players else None
        if turn.kind is TurnKind.START:
            answered.append((turn, ""))
            turn = play.send(_READY)
            continue
        if len(done) < len(actions):
            notation = actions[len(done)]
        elif answer is not None:
            notation = _answered(game, turn, answer)
        else:
            return Position(actions=tuple(done), answered=tuple(answered), asked=turn)
        answered.append((turn, notation))
        turn = play.send(Reply(dict(game.parse(notation)), 0))
        if turn.kind is TurnKind.END and turn.message["ending"] == FAULT_ENDING:
            raise RecordError(f"action {len(done)}: the rules refuse {notation}")
        done.append(notation)
    if len(done) < len(actions):
        raise RecordError(f"the game was over before action {len(done)}")
    return Position(actions=tuple(done), answered=tuple(answered), asked=None)


def accepted(game: Game, deal_seed: bytes, actions: Sequence[str], action: JsonObject) -> str:
    """Check an answer to the turn that waits, and return it in the game's notation.

    Raises IllegalAction with the reason for the fault that it is, RecordError for actions before it
    that the rules refuse.
    """
    if (why := wire.refusal(action)) is not None:
        raise IllegalAction(why)
    state = state_after(game, deal_seed, actions)
    state.apply(action)
    return game.notate(action)


def state_after(game: Game, deal_seed: bytes, actions: Sequence[str]) -> State:
    """Return the table after these actions. Raises RecordError if the rules refuse one."""
    state = game.deal(deal_seed)
    try:
        for notation in actions:
            state.apply(game.parse(notation))
    except IllegalAction as error:
        raise RecordError(f"the rules refuse an action that was recorded: {error}") from error
    return state


def _answered(game: Game, turn: Turn, reply: JsonObject) -> str:
    action = reply.get("action")
    if action not in turn.message["legal"]:
        raise LocalFault(f"the answer of seat {turn.seat} in turn {turn.number} is not legal")
    assert action is not None  # noqa: S101 - none is no legal action
    return game.notate(action)
