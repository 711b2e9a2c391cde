"""Public links as their owners and visitors see them. Nothing here names another team or person."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, Final

from grader.core.games import Game
from grader.house.catalogue import title_of
from grader.results.drawn import shown_again
from grader.results.evaluation import game_setup
from grader.results.replay import game_of, rendered
from grader.viewer import Seat, played, shown
from webapp.contests.ladders.models import LadderGame
from webapp.contests.playing.models import HumanGame
from webapp.contests.playing.selectors import text_of
from webapp.contests.sharing.models import AnyGame, GameLink, column_of
from webapp.contests.tables.spoiled_games import fault_for_others, record_for_others
from webapp.contests.tournaments.models import TournamentGame
from webapp.grading.evaluations.models import GameResult
from webapp.grading.evaluations.selectors import drawn_of
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Membership, Team

LISTED: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter:
    """The occupant of a seat, and the names that it could be shown with."""

    key: object
    """The same for two seats of one agent."""
    house: str = ""
    team: Team | None = None
    person: User | None = None
    is_person: bool = False
    """True also for a visitor, who has no account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedGame:
    """A game as the page of a public link shows it."""

    rules: Game
    names: tuple[str, ...]
    data: Mapping[str, Any]
    text: str


def links_of(user: User) -> list[GameLink]:
    """Return the links that a person has made and not taken back, newest first. One query."""
    return list(GameLink.objects.kept().with_games().filter(owner=user)[:LISTED])


def link_to(game: AnyGame, owner: User) -> GameLink | None:
    """Return the person's link to a game. One query."""
    links = GameLink.objects.kept().select_related("assignment")
    return links.filter(owner=owner, **{column_of(game): game}).first()


def own_names(game: AnyGame, owner: User) -> list[str]:
    """Return the names that the owner's link shows only if the owner says so."""
    own = _own_teams(owner)
    names = (_own_name(sitter, owner, own) for sitter in _sitters(game))
    return list(dict.fromkeys(filter(None, names)))


def shared_game(game: AnyGame, *, named: User | None = None) -> SharedGame:
    """Return what anybody may see of the game. Raises RecordError if it cannot be replayed.

    Of people and teams only ``named`` and theirs have a name.
    """
    names = _names(game, named)
    seats = [Seat(name=name) for name in names]
    if isinstance(game, HumanGame):
        fault = game.ending_fault
        data = played(
            game.rules,
            game.seed,
            game.notations,
            seats=seats,
            fault=None if fault is None else fault_for_others(fault),
        )
        return SharedGame(rules=game.rules, names=names, data=data, text=text_of(game))
    record = game.record
    if record is None:
        raise LookupError(f"{game} was not played")
    playback = shown_again(record_for_others(record), drawn_of(game))
    return SharedGame(
        rules=game_of(record),
        names=names,
        data=shown(playback, seats=seats),
        text=rendered(playback),
    )


def _names(game: AnyGame, named: User | None) -> tuple[str, ...]:
    sitters = list(_sitters(game))
    teams = frozenset() if named is None else _own_teams(named)
    said = [title_of(sitter.house) or _own_name(sitter, named, teams) for sitter in sitters]
    unnamed = [
        sitter.key
        for sitter, name in zip(sitters, said, strict=True)
        if not name and not sitter.is_person
    ]
    letters = dict(zip(dict.fromkeys(unnamed), ascii_uppercase, strict=False))
    return tuple(
        name or ("A person" if sitter.is_person else f"Agent {letters[sitter.key]}")
        for sitter, name in zip(sitters, said, strict=True)
    )


def _own_name(sitter: Sitter, owner: User | None, teams: frozenset[int]) -> str:
    if owner is not None and sitter.person == owner:
        return owner.display_name
    return sitter.team.name if sitter.team is not None and sitter.team.pk in teams else ""


def _own_teams(owner: User) -> frozenset[int]:
    return frozenset(Membership.objects.filter(user=owner).values_list("team", flat=True))


def _sitters(game: AnyGame) -> Iterator[Sitter]:
    match game:
        case GameResult():
            yield from _of_evaluation(game)
        case TournamentGame():
            yield from _of_table(game, game.tournament.participants.all())
        case LadderGame():
            yield from _of_table(game, game.ladder.entries.all())
        case HumanGame():
            yield from _of_person(game)


def _of_evaluation(game: GameResult) -> Iterator[Sitter]:
    run = game.evaluation
    team = None if run.submission is None else run.submission.team
    own = Sitter(key=run.pk, house=run.house_agent, team=team)
    spec = run.parsed_spec
    agents = [own, *(Sitter(key=name, house=name) for name in spec.opponents)]
    yield from (agents[agent] for agent in game_setup(spec, game.index).seating)


def _of_table(game: TournamentGame | LadderGame, entries: Any) -> Iterator[Sitter]:
    at_table = entries.filter(number__in=game.numbers).select_related("submission__team")
    by_number = {entry.number: entry for entry in at_table}
    for number in game.numbers:
        entry = by_number[number]
        team = None if entry.submission is None else entry.submission.team
        yield Sitter(key=number, house=entry.name if entry.house_agent else "", team=team)


def _of_person(game: HumanGame) -> Iterator[Sitter]:
    keys: Sequence[int] = [each.submission for each in game.occupants if each.submission]
    submissions = Submission.objects.select_related("team").in_bulk(keys)
    for seat, occupant in enumerate(game.occupants):
        if seat == game.seat:
            person = game.person if game.person_id else None
            yield Sitter(key=seat, person=person, is_person=True)
        else:
            submission = submissions.get(occupant.submission or 0)
            team = None if submission is None else submission.team
            yield Sitter(key=occupant.submission or seat, house=occupant.house, team=team)
