"""Games of visitors with house agents, by the standard rules: kept in the session and nowhere else.

No row is stored, no grader is asked, and the deals are drawn at random: they are those of no
evaluation or tournament.
"""

import logging
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import msgspec
from django.utils import timezone

from grader.core.errors import RecordError
from grader.core.games import GAMES, Game, game_from_options
from grader.core.position import LocalFault, play_on
from grader.house.catalogue import answering
from webapp.base.errors import Refused
from webapp.contests.playing.models import GameStatus, HumanGame, Occupant, new_deal
from webapp.contests.playing.services.moves import (
    PlayedMove,
    fields_after,
    legal_moves,
    local_players,
)

logger = logging.getLogger(__name__)

SEAT: Final = 0
"""The visitor's."""
_KEY: Final = "visitor_game"
_FIELDS: Final = (
    *("game", "rules_version", "options", "seat", "seats", "deal_seed"),
    *("actions", "turns", "charged_us", "status", "system_fault"),
)

Session = MutableMapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A game that visitors may play, and the house agents that answer at once, weakest first."""

    rules: Game
    agents: tuple[str, ...]


@cache
def offers() -> Mapping[str, Offer]:
    """The games that visitors may play, by name: those with agents that answer at once."""
    tables = {
        name: game_from_options(name, {"players": game.default_players})
        for name, game in GAMES.items()
    }
    return {
        name: Offer(rules=rules, agents=agents)
        for name, rules in tables.items()
        if (agents := _agents(rules))
    }


def _agents(rules: Game) -> tuple[str, ...]:
    """Return the agents that answer at once, by their measured means with this number of seats."""
    quick = answering(rules)
    return tuple(sorted(quick, key=lambda name: quick[name].means.get(rules.seats, 0.0)))


def begin(session: Session, *, game: str, agent: str, deal_seed: str = "") -> None:
    """Deal a game in which a house agent has all seats but the visitor's.

    The deal is a new one if none is given.
    Raises Refused for a game or an agent that is not offered.
    """
    offer = offers().get(game)
    if offer is None or agent not in offer.agents:
        raise Refused("Choose a game and an agent from the list.")
    _deal(session, offer.rules, agent, deal_seed or new_deal())


def begin_again(session: Session, *, same_deal: bool) -> None:
    """Start another game with the same agent, by the current rules.

    Raises Refused if there is no game that is over, or its agent is no longer offered.
    """
    game = kept_game(session)
    if game is None or game.is_open:
        raise Refused("Choose a game and an agent from the list.")
    deal_seed = game.deal_seed if same_deal else ""
    begin(session, game=game.game, agent=game.others[0].house, deal_seed=deal_seed)


# See webapp/decisions/visitors-games.md
def kept_game(session: Session) -> HumanGame | None:
    """Return the visitor's game, a row that is never stored; ``None`` if there is none."""
    kept = session.get(_KEY)
    if kept is None or set(kept) != set(_FIELDS):  # by another version of the site
        return None
    return HumanGame(**kept)


def make_move(session: Session, *, turn: int, move: str) -> None:
    """Play the visitor's move, then the agents'. Raises Refused for one that cannot be made now."""
    game = kept_game(session)
    if game is None:
        raise Refused("This game is no longer kept. Start another one.")
    try:
        moves = legal_moves(game, turn=turn, move=move)
    except RecordError as error:
        raise Refused(f"This game cannot go on: {error}.") from error
    _go_on(session, game, *moves)


def leave_game(session: Session) -> None:
    """End the game: all cards are shown."""
    game = kept_game(session)
    if game is not None and game.is_open:
        game.status = GameStatus.LEFT
        _keep(session, game)


def _deal(session: Session, rules: Game, agent: str, deal_seed: str) -> None:
    occupants = [Occupant(name=agent, house=agent)] * rules.seats
    occupants[SEAT] = Occupant(name="you")
    game = HumanGame(
        seat=SEAT,
        seats=msgspec.to_builtins(occupants),
        game=rules.name,
        rules_version=rules.rules_version,
        options=dict(rules.options),
        deal_seed=deal_seed,
    )
    _go_on(session, game)


def _go_on(session: Session, game: HumanGame, *moves: PlayedMove) -> None:
    notations = [*game.notations, *(move.notation for move in moves)]
    try:
        position = play_on(game.rules, game.seed, notations, local_players(game))
    except (LocalFault, RecordError) as error:
        logger.exception("a visitor's game of %s cannot go on", game.game)
        game.status, game.system_fault = GameStatus.FAILED, str(error)
    else:
        for name, value in fields_after(game, position, moves, timezone.now()).items():
            setattr(game, name, value)
    _keep(session, game)


def _keep(session: Session, game: HumanGame) -> None:
    session[_KEY] = {name: getattr(game, name) for name in _FIELDS}
