"""Queries on tournaments: standings, limited to what the viewer may know."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from grader.core.games.outcomes import Tally
from grader.core.records import FaultKind
from grader.core.words import counted
from grader.tournament import (
    Balance,
    ParticipantRole,
    PlannedTable,
    balance_of,
)
from webapp.contests.tables.contests import RankedEntry
from webapp.contests.tournaments.models import Participant, Tournament, TournamentGame
from webapp.contests.tournaments.permissions import may_see_results
from webapp.contests.tournaments.services.scheduling import ledger_of, plan_of
from webapp.grading.evaluations.models import STOPPED, Kind, Status
from webapp.grading.evaluations.selectors import Progress
from webapp.grading.jobs.waiting import wait_of
from webapp.grading.operations.selectors import served_queues
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.models import Role as CourseRole
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.permissions import Person, viewer_in

SAME_DEAL_LISTED: Final = 30

Counting = frozenset[tuple[int, tuple[int, ...]]]
"""Games by index and seating."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentEntry(RankedEntry[Participant]):
    sees_reasons: bool

    @property
    def is_filler(self) -> bool:
        return self.entry.plays_as is ParticipantRole.FILLER

    @property
    def note(self) -> str:
        if not self.entry.house_agent:
            return ""
        return "fills seats" if self.is_filler else "house agent"

    @property
    def why_out(self) -> str:
        if self.entry.is_out and not self.sees_reasons:
            return self.entry.out_since
        if self.entry.is_out:
            return f"{self.entry.out_since}: {self.entry.exclusion_reason}"
        if self.standing is None or self.standing.removal is None:
            return ""
        return f"removed after {counted(self.standing.removal.faults, 'fault')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """A participant's faults that ended games, by kind."""

    participant: Participant
    kinds: Mapping[FaultKind, int]
    first: TournamentGame
    beside: tuple[tuple[Participant, int], ...]
    """Other participants with their number of these games, most frequent first.

    A friend who gains from spoiled games is among them: such games are played again."""

    @property
    def total(self) -> int:
        return sum(self.kinds.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Partner:
    """Games of one participant with another at the table; with itself: self-play."""

    name: str
    number: int
    games: int
    mean: float | None
    tally: Tally | None


def progress(tournament: Tournament) -> Progress:
    """Return its progress. At most three queries."""
    waits = tournament.status == Status.QUEUED
    wait = wait_of("tournament", tournament.pk) if waits else None
    return Progress(
        status=Status(tournament.status),
        games_done=tournament.games_done,
        n_games=tournament.n_games,
        percent=tournament.percent,
        games_ahead=None if wait is None else wait.games_ahead,
        seconds_left=None,
        grader_ready=not tournament.is_open or Kind.GRADED in served_queues(),
        why="" if wait is None else wait.why,
    )


def entries(
    tournament: Tournament, viewer: Person, role: CourseRole | None, *, with_results: bool
) -> list[TournamentEntry]:
    """Return all participants by rank, then by mean; without standings by number. Four queries.

    ``role``: the viewer's in the course.
    """
    course = tournament.assignment.course
    sees_names = role in STAFF_ROLES or (role is not None and course.show_names)
    latest = None if not with_results else tournament.standings
    standings = {} if latest is None else {row.participant: row for row in latest.rows}
    ranking = {} if latest is None else latest.ranking
    order = {number: rank for rank, number in enumerate(standings)}
    participants = tournament.participants.select_related("submission__team").prefetch_related(
        "submission__team__users"
    )
    rows = (
        TournamentEntry.of(
            participant,
            viewer,
            sees_names=sees_names,
            standing=standings.get(participant.number),
            # The standings may be those of the minute before.
            rank=None if participant.is_disqualified else ranking.get(participant.number),
            sees_reasons=role is not None,
        )
        for participant in participants
    )
    return sorted(
        rows,
        key=lambda row: (
            row.rank is None,
            row.rank or 0,
            order.get(row.entry.number, row.entry.number),
        ),
    )


def public_tournaments() -> QuerySet[Tournament]:
    """All public tournaments, the newest first. One query."""
    tournaments = Tournament.objects.public().select_related("assignment__course")
    return tournaments.order_by("-requested_at", "-pk")


def entries_for_everybody(tournament: Tournament) -> list[TournamentEntry]:
    """Return participants as anybody may see them. Four queries."""
    return entries(tournament, AnonymousUser(), None, with_results=True)


def agent_entries(
    assignment: Assignment, viewer: Person, name: str
) -> list[tuple[Tournament, TournamentEntry]]:
    """Return the tournaments in which an agent took part, newest first, as the viewer may see them.

    Four queries a tournament.
    """
    visible = Tournament.objects.visible_to(viewer).filter(assignment=assignment)
    taken = visible.filter(participants__name=name).select_related("assignment__course")
    role = viewer_in(viewer, assignment.course).role
    return [
        (tournament, row)
        for tournament in taken.distinct()
        for row in entries(tournament, viewer, role, with_results=may_see_results(role, tournament))
        if row.entry.name == name
    ]


def partners(tournament: Tournament, number: int, names: Mapping[int, str]) -> list[Partner]:
    """Return a participant's line of the matrix, without those that it never met."""
    cross_play = tournament.cross_play
    if cross_play is None:
        return []
    tallies = cross_play.tallies[number] if cross_play.tallies else (None,) * len(names)
    line = zip(cross_play.games[number], cross_play.means[number], tallies, strict=True)
    return [
        Partner(name=names[other], number=other, games=games, mean=mean, tally=tally)
        for other, (games, mean, tally) in enumerate(line)
        if games
    ]


def faults(tournament: Tournament) -> list[Faults]:
    """Return participants that spoiled games, counting or not, most first. Three queries."""
    people = {participant.number: participant for participant in tournament.participants.all()}
    spoiled = tournament.games.exclude(fault_kind="")
    kinds: dict[int, Counter[FaultKind]] = {}
    beside: dict[int, Counter[int]] = {}
    firsts: dict[int, int] = {}
    columns = ("pk", "seating", "fault_seat", "fault_kind")
    for game in spoiled.only(*columns, "index").order_by("index", "pk"):
        number = game.culprit
        if number is not None:
            kinds.setdefault(number, Counter())[FaultKind(game.fault_kind)] += 1
            others = set(game.numbers) - {number}
            beside.setdefault(number, Counter()).update(sorted(others))
            firsts.setdefault(number, game.pk)
    shown = {game.pk: game for game in spoiled.defer("packed").filter(pk__in=firsts.values())}
    rows = [
        Faults(
            participant=people[number],
            kinds=dict(faults_by_kind),
            first=shown[firsts[number]],
            beside=tuple((people[other], n) for other, n in beside[number].most_common()),
        )
        for number, faults_by_kind in kinds.items()
    ]
    return sorted(rows, key=lambda row: (-row.total, row.participant.number))


def neighbours(game: TournamentGame) -> tuple[int | None, int | None]:
    """Return the keys of the games before and after one, in the order of lists. Two queries."""
    games = game.tournament.games
    before = games.filter(Q(index__lt=game.index) | Q(index=game.index, pk__lt=game.pk))
    after = games.filter(Q(index__gt=game.index) | Q(index=game.index, pk__gt=game.pk))
    return (
        before.order_by("-index", "-pk").values_list("pk", flat=True).first(),
        after.order_by("index", "pk").values_list("pk", flat=True).first(),
    )


def on_same_deal(game: TournamentGame) -> list[TournamentGame]:
    """Return other games of the deal: all tables of a round play the same deals. Two queries."""
    rounds = plan_of(game.tournament).rounds
    tables = next((tables for tables in rounds if _is_among(game.table, tables)), ())
    planned = [planned for table in tables for planned in table.games]
    deals = {one.deal for one in planned if one.index == game.index}
    same = [one.index for one in planned if one.deal in deals]
    elsewhere = game.tournament.games.defer("packed").filter(index__in=same).exclude(pk=game.pk)
    return list(elsewhere.exclude(ending=STOPPED)[:SAME_DEAL_LISTED])


def _is_among(number: int, tables: Sequence[PlannedTable]) -> bool:
    return bool(tables) and tables[0].number <= number <= tables[-1].number


def counting(tournament: Tournament) -> Counting | None:
    """Return the games that count, or are charged to the agent that spoiled them.

    ``None`` while it is played: each game may change the answer, which takes a moment.
    """
    if not tournament.is_over:
        return None
    exclusions = tournament.participants.filter(excluded_from_round__isnull=False)
    marks = exclusions.values_list("number", "excluded_from_round")
    return _counting(tournament.uuid, tournament.games.count(), tuple(marks))


@lru_cache(maxsize=4)
def _counting(key: UUID, *_state: object) -> Counting:
    """Few are kept: of 100,000 games an answer takes some 30 MB."""
    return ledger_of(Tournament.objects.get(uuid=key)).counting


def is_passed_over(game: TournamentGame, counted: Counting | None) -> bool:
    """Return whether the game does not count for any agent; False while that may change."""
    return counted is not None and (game.index, game.numbers) not in counted


def balance(tournament: Tournament) -> Balance:
    """Measure the balance of the plan, which takes a moment for a large one."""
    return _balance(tournament.uuid)


@lru_cache(maxsize=32)
def _balance(key: UUID) -> Balance:
    return balance_of(plan_of(Tournament.objects.get(uuid=key)))


def names_of(people: Sequence[TournamentEntry]) -> dict[int, str]:
    """By number."""
    return {row.entry.number: row.entry.name for row in people}
