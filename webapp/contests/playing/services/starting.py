"""Start a person's game: check opponents and limits, choose where it begins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from grader.core.errors import RecordError
from grader.core.games import Game
from webapp.base.artefacts import stored_house_agent
from webapp.base.errors import Refused
from webapp.contests.playing.models import YOU, HumanGame, Occupant, Origin, new_deal
from webapp.contests.playing.origins import PastGame
from webapp.contests.playing.selectors import agents_for
from webapp.contests.playing.services.ending import IDLE_AFTER, require_own
from webapp.contests.playing.services.moves import go_on
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, PlayWith
from webapp.teaching.courses.permissions import require_member

MAX_OPEN_GAMES: Final = 3


def start_game(
    *,
    assignment: Assignment,
    by: User,
    seat: int,
    agents: Sequence[str],
    at: datetime | None = None,
) -> HumanGame:
    """Start a game of a person with agents, and let those play that come first.

    ``agents`` are keys of ``agents_for`` for the other seats. Raises NotAllowed, Refused.
    """
    require_member(by, assignment.course)
    rules = assignment.rules
    if not 0 <= seat < rules.seats or len(agents) != rules.seats - 1:
        raise Refused(f"A game has {rules.seats} seats: yours, and an agent at each of the others.")
    known = agents_for(by, assignment)
    if unknown := [key for key in agents if key not in known]:
        raise Refused(f"You cannot play with this agent here: {unknown[0]}.")
    occupants = [known[key] for key in agents]
    occupants.insert(seat, Occupant(name=YOU))
    deal = _Deal(rules=rules, seed=new_deal())
    return _start(assignment, by, seat, occupants, deal, at=at or timezone.now())


def play_on(
    *, game: PastGame, turns: int, by: User, seats: Sequence[str], at: datetime | None = None
) -> HumanGame:
    """Start a game with the deal and the first ``turns`` actions of a game that is over.

    ``seats`` has a key of ``agents_for`` for each seat, or YOU at one at most: without YOU the
    person only watches. Agents are asked for their turns again; where one answers otherwise than
    was played, the action that was played stands. The page checks whether the person may see the
    game. Raises NotAllowed, Refused.
    """
    require_member(by, game.assignment.course)
    rules = game.rules
    game.require_going_on(turns)
    if len(seats) != rules.seats or seats.count(YOU) > 1:
        raise Refused(f"A game has {rules.seats} seats, and you can take one of them.")
    known = {**agents_for(by, game.assignment, rules), YOU: Occupant(name=YOU)}
    if unknown := [key for key in seats if key not in known]:
        raise Refused(f"You cannot play with this agent here: {unknown[0]}.")
    deal = _Deal(
        rules=rules,
        seed=game.deal_seed,
        actions=game.actions[:turns],
        origin=game.origin(turns),
    )
    own = seats.index(YOU) if YOU in seats else None
    occupants = [known[key] for key in seats]
    return _start(game.assignment, by, own, occupants, deal, at=at or timezone.now())


def play_again(
    *, game: HumanGame, by: User, same_deal: bool, at: datetime | None = None
) -> HumanGame:
    """Start another game with the same agents, by the current rules.

    The same deal of a game that was played on from another begins at the same turn. Raises
    NotAllowed, Refused.
    """
    require_own(game, by)
    require_member(by, game.assignment.course)
    if game.is_open:
        raise Refused("This game is not over yet.")
    deal = _deal_again(game, same=same_deal)
    offered = {_key(agent): agent for agent in agents_for(by, game.assignment, deal.rules).values()}
    occupants = [offered[_key(agent)] for agent in game.others if _key(agent) in offered]
    if deal.rules.seats != len(game.occupants) or len(occupants) < len(game.others):
        raise Refused("These agents are no longer available. Choose others.")
    if game.seat is not None:
        occupants.insert(game.seat, Occupant(name=YOU))
    return _start(game.assignment, by, game.seat, occupants, deal, at=at or timezone.now())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deal:
    rules: Game
    seed: str
    actions: tuple[str, ...] = ()
    origin: Origin | None = None


def _deal_again(game: HumanGame, *, same: bool) -> _Deal:
    origin = game.played_on_from
    if not same or origin is None:
        seed = game.deal_seed if same else new_deal()
        return _Deal(rules=game.assignment.rules, seed=seed)
    try:
        rules = game.rules
    except RecordError as error:
        raise Refused(f"Nobody can play on from there: {error}.") from error
    actions = game.notations[: origin.turns]
    return _Deal(rules=rules, seed=game.deal_seed, actions=actions, origin=origin)


@transaction.atomic
def _start(
    assignment: Assignment,
    person: User,
    seat: int | None,
    occupants: Sequence[Occupant],
    deal: _Deal,
    *,
    at: datetime,
) -> HumanGame:
    assignment.require_installed_game()
    if assignment.play_with == PlayWith.NOBODY:
        raise Refused("People cannot play with this assignment's agents.")
    _refuse_too_many(person, at)
    rules = deal.rules
    game = HumanGame.objects.create(
        assignment=assignment,
        person=person,
        seat=seat,
        seats=msgspec.to_builtins(list(map(_with_program, occupants))),
        game=rules.name,
        rules_version=rules.rules_version,
        options=dict(rules.options),
        limits=assignment.limits,
        deal_seed=deal.seed,
        actions=" ".join(deal.actions),
        turns=len(deal.actions),
        charged_us=[None] * len(deal.actions),
        origin=None if deal.origin is None else msgspec.to_builtins(deal.origin),
        created_at=at,
        acted_at=at,
    )
    go_on(game, at=at)
    return game


def _with_program(occupant: Occupant) -> Occupant:
    if not occupant.sandboxed:
        return occupant
    return replace(occupant, agent=stored_house_agent(occupant.house))


def _key(agent: Occupant) -> tuple[str, int | None]:
    """Return which agent it is, whatever its team is called now."""
    return agent.house, agent.submission


def _refuse_too_many(person: User, at: datetime) -> None:
    User.objects.select_for_update().get(pk=person.pk)  # two clicks at once
    open_games = HumanGame.objects.open()
    if open_games.filter(person=person).count() >= MAX_OPEN_GAMES:
        raise Refused(f"You are playing {MAX_OPEN_GAMES} games already. Leave one of them first.")
    # One that has waited for a grader for longer keeps nobody busy.
    waiting = open_games.filter(acted_at__gte=at - IDLE_AFTER).count()
    if waiting >= settings.MAX_HUMAN_GAMES:
        raise Refused(f"{waiting} games are being played, which is the maximum. Try again soon.")
