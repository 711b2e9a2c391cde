"""Games of visitors with house agents: kept in the session, on deals drawn at random."""

import logging
from collections.abc import Mapping, MutableMapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec
from django.core import signing
from django.utils import timezone

from grader.core.errors import RecordError
from grader.core.games import GAMES, Game, game_from_options
from grader.core.position import LocalFault, play_on
from grader.house.catalogue import answering
from webapp.base.errors import Refused
from webapp.contests.playing.models import YOU, GameStatus, HumanGame, Occupant, new_deal
from webapp.contests.playing.services.moves import (
    PlayedMove,
    fields_after,
    legal_moves,
    local_players,
)

logger = logging.getLogger(__name__)

_CHOOSE: Final = "Choose a game and its agents from the list."
_KEY: Final = "visitor_game"
_FIELDS: Final = (
    *("game", "rules_version", "options", "seat", "seats", "deal_seed"),
    *("actions", "turns", "charged_us", "status", "system_fault"),
)

_SHOWN: Final = (
    "game",
    "rules_version",
    "options",
    "seat",
    "seats",
    "deal_seed",
    "actions",
    "status",
)
_SALT: Final = "visitor_game"

Session = MutableMapping[str, Any]


@cache
def offered_games() -> Mapping[str, Game]:
    """Return the games with agents that answer at once, by name, with their default rules."""
    games = {
        name: game_from_options(name, {"players": game.default_players})
        for name, game in GAMES.items()
    }
    return {name: rules for name, rules in games.items() if agents_for(rules)}


def agents_for(rules: Game) -> Mapping[str, Occupant]:
    """Return the house agents that answer at once, by key, weakest first."""
    quick = answering(rules)
    names = sorted(quick, key=lambda name: quick[name].means.get(rules.seats, 0.0))
    return {f"house:{name}": Occupant(name=name, house=name) for name in names}


def begin(
    session: Session, *, rules: Game, seat: int, agents: Sequence[str], deal_seed: str = ""
) -> None:
    """Deal a game with these agents in the other seats, in their order. Raises Refused."""
    known = agents_for(rules)
    if (
        len(agents) != rules.seats - 1
        or not 0 <= seat < rules.seats
        or not known.keys() >= {*agents}
    ):
        raise Refused(_CHOOSE)
    occupants = [known[key] for key in agents]
    occupants.insert(seat, Occupant(name=YOU))
    game = HumanGame(
        seat=seat,
        seats=msgspec.to_builtins(occupants),
        game=rules.name,
        rules_version=rules.rules_version,
        options=dict(rules.options),
        deal_seed=deal_seed or new_deal(),
    )
    _go_on(session, game)


def begin_again(session: Session, *, same_deal: bool) -> None:
    """Start another game at the same table. Raises Refused."""
    game = kept_game(session)
    if game is None or game.is_open:
        raise Refused(_CHOOSE)
    try:
        rules = game.rules
    except RecordError as error:
        raise Refused(_CHOOSE) from error
    agents = [f"house:{occupant.house}" for occupant in game.others]
    deal_seed = game.deal_seed if same_deal else ""
    begin(session, rules=rules, seat=game.seat or 0, agents=agents, deal_seed=deal_seed)


# See webapp/decisions/visitors-games.md
def kept_game(session: Session) -> HumanGame | None:
    """Return the visitor's game, a row that is never stored; ``None`` if there is none."""
    kept = session.get(_KEY)
    if kept is None or set(kept) != set(_FIELDS):  # by another version of the site
        return None
    return HumanGame(**kept)


def token_of(game: HumanGame) -> str:
    """Return a game that is over as signed text for an address, some thousand characters."""
    shown = {name: getattr(game, name) for name in _SHOWN}
    return signing.dumps(shown, salt=_SALT, compress=True)


def game_of(token: str) -> HumanGame:
    """Return the game that a token holds, a row that is never stored. Raises BadSignature."""
    return HumanGame(**signing.loads(token, salt=_SALT))


def make_move(session: Session, *, turn: int, move: str) -> None:
    """Play the visitor's move, then the agents'. Raises Refused."""
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
