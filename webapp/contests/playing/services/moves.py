"""Moves in people's games: the person's, and those of agents that answer in this process.

A game's row changes by conditional UPDATEs that name the number of actions before: of two that play
on from the same place one wins, and nothing is locked while agents think.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from firebox.seat import LocalSeat
from grader.core.errors import RecordError
from grader.core.position import LocalFault, Position, Send, play_on, state_after
from grader.house.catalogue import AGENTS
from webapp.base.errors import Refused
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.contests.playing.services.ending import require_own
from webapp.grading.jobs.adding import add_jobs
from webapp.grading.jobs.models import Job, Requester, Sending
from webapp.grading.jobs.queues import Queue
from webapp.people.accounts.models import User
from webapp.teaching.courses.permissions import require_unarchived

logger = logging.getLogger(__name__)

MOVED_ON = "The game has moved on. This is how it stands now."


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMove:
    """One more action of a game."""

    notation: str
    charged_us: int | None = None
    """Time charged, if an agent in a sandbox made it."""


def act(*, game: HumanGame, by: User, turn: int, move: str, at: datetime | None = None) -> None:
    """Play the person's moves, then the agents' up to the next one that is not ours.

    ``turn`` is the number of actions that the person saw. All of ``move`` is played or nothing.
    Raises NotAllowed; Refused for a move that cannot be made now.
    """
    require_own(game, by)
    require_unarchived(game.assignment.course)
    now = at or timezone.now()
    try:
        moves = legal_moves(game, turn=turn, move=move)
    except RecordError as error:
        game.advance(GameStatus.FAILED, ended_at=now, system_fault=str(error))
        raise Refused(f"This game cannot go on: {error}.") from error
    if not go_on(game, *moves, at=now):
        raise Refused(MOVED_ON)


def legal_moves(game: HumanGame, *, turn: int, move: str) -> list[PlayedMove]:
    """Return the person's moves, which must be legal one after another.

    Raises Refused; RecordError if the rules have changed since the game began.
    """
    if not game.is_open:
        raise Refused("This game is over.")
    if turn != game.turns:
        raise Refused(MOVED_ON)
    rules, moves = game.rules, move.split() or [move]
    state = state_after(rules, game.seed, game.notations)
    for notation in moves:
        if state.seat_to_act != game.seat:
            raise Refused("It is not your turn.")
        legal = {rules.notate(action): action for action in state.legal_actions()}
        if notation not in legal:
            raise Refused("This move is not allowed now.")
        state.apply(legal[notation])
    return [PlayedMove(notation=notation) for notation in moves]


def go_on(game: HumanGame, *moves: PlayedMove, at: datetime) -> bool:
    """Add legal moves and our own agents' answers; False if another call has played on already.

    A failure of ours ends the game.
    """
    notations = [*game.notations, *(move.notation for move in moves)]
    try:
        position = play_on(game.rules, game.seed, notations, local_players(game))
    except (LocalFault, RecordError) as error:
        logger.exception("%s cannot go on", game)
        return game.advance(GameStatus.FAILED, ended_at=at, system_fault=str(error))
    return _store(game, position, moves, at)


def local_players(game: HumanGame) -> dict[int, Send]:
    """Create our own agents, by seat."""
    players: dict[int, Send] = {}
    for seat, occupant in enumerate(game.occupants):
        if (
            not occupant.needs_grader
            and occupant.house
            and (local := AGENTS[occupant.house].local) is not None
        ):
            players[seat] = LocalSeat(local()).send
    return players


def fields_after(
    game: HumanGame, position: Position, moves: Sequence[PlayedMove], at: datetime
) -> dict[str, Any]:
    """Return a game's fields once these moves, and those that our own agents answered, are made."""
    new = len(position.actions) - game.turns
    charged = [move.charged_us for move in moves]
    fields: dict[str, Any] = {
        "actions": " ".join(position.actions),
        "turns": len(position.actions),
        "charged_us": [*game.charged_us, *charged, *[None] * (new - len(charged))],
        "acted_at": at,
    }
    if position.asked is None:
        fields |= {"status": GameStatus.FINISHED, "ended_at": at}
    return fields


@transaction.atomic
def _store(game: HumanGame, position: Position, moves: Sequence[PlayedMove], at: datetime) -> bool:
    fields = fields_after(game, position, moves, at)
    here = HumanGame.objects.open().filter(pk=game.pk, turns=game.turns)
    if not here.update(**fields):
        return False
    for name, value in fields.items():
        setattr(game, name, value)
    if position.seat is not None and game.occupants[position.seat].agent is not None:
        ask_agent(game, Sending(at=at), seat=position.seat)
    return True


def ask_agent(game: HumanGame, sending: Sending, *, seat: int) -> None:
    """Add a job in which a grader asks the submission at this seat for its next move."""
    job = Job(
        human_game=game,
        queue=Queue.LIVE,
        payload={"turn": game.turns, "seat": seat},
        n_games=1,
        **sending.columns,
    )
    add_jobs([job], by=Requester(course=game.assignment.course_id))
