"""Scheduling of ladders: a few tables at a time, in the queue served last."""
# See webapp/decisions/ladder-tables.md

from collections import Counter
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count

from grader.core.records import to_json
from grader.ladder import (
    Contender,
    LadderTable,
    RatedGame,
    games_at_table,
    ladder_standings,
    next_table,
    settled,
    table_batch,
)
from grader.ladder.tables import BATCH_SECONDS
from grader.tournament import Policy, TableBatch, TournamentSpec
from webapp.contests.ladders.models import Ladder, LadderEntry, LadderGame, TableRow
from webapp.contests.tables.games import seating_text
from webapp.contests.tables.jobs import add_tables
from webapp.grading.jobs.capacity import slots
from webapp.grading.jobs.models import OPEN, Job, Sending
from webapp.grading.jobs.queues import Queue
from webapp.teaching.courses.models import Assignment

LATEST_TABLES: Final = 5_000
"""The maximum number of tables that ratings are computed from: it bounds the time that takes."""
FAULTS_IN_A_ROW: Final = 3
"""Faults of one agent in a row that end a table."""
MANY_GAMES: Final = 2_000
"""From this many on, computing ratings takes longer than recording a report; at most seconds."""
MANY_AGENTS: Final = 200
"""The same: the time grows with the cube of their number, to 4 s for 1,000."""


def spec_of(assignment: Assignment) -> TournamentSpec:
    """Return the rules and limits of games by an assignment's settings."""
    return TournamentSpec(
        **assignment.plan,
        sizes=(assignment.rules.seats,),
        rounds=1,
        policy=Policy(faults_to_removal=FAULTS_IN_A_ROW),
    )


def schedule_next(ladder: Ladder, *, at: datetime) -> None:
    """Ask for the next tables, as many as there is room for. The caller holds the lock."""
    if not ladder.is_open or ladder.paused_at is not None or is_outdated(ladder):
        return
    room = _room(ladder)
    entries = {entry.number: entry for entry in ladder.entries.active()} if room > 0 else {}
    teams = {entry.name for entry in entries.values()}
    if len(teams) < ladder.seats or not _is_needed(ladder, entries):
        return
    rows = list(ladder.tables.order_by("-number")[:LATEST_TABLES])[::-1]
    tables = [row.as_value for row in rows]
    games: Counter[int] = Counter()
    for table, row in zip(tables, rows, strict=True):
        games.update(dict.fromkeys(table.members, row.n_games))
    for _ in range(room):
        chosen = next_table(
            _contenders(ladder, entries, games),
            tables,
            seats=ladder.seats,
            goal=ladder.goal,
            secret=bytes(ladder.secret),
        )
        if chosen is None:
            return
        paces = [entries[number].ms_per_game for number in chosen.members]
        n_games = games_at_table(ladder.seats, paces)
        _ask_for(ladder, chosen, n_games, at=at)
        tables.append(chosen)
        games.update(dict.fromkeys(chosen.members, n_games))


def is_outdated(ladder: Ladder) -> bool:
    """Return whether the assignment's rules or limits are others than the ladder's."""
    return spec_of(ladder.assignment) != ladder.parsed_spec


def _room(ladder: Ladder) -> int:
    asked = Counter(
        Job.objects.filter(queue=Queue.LADDER, status__in=OPEN).values_list("ladder", flat=True)
    )
    there = slots(Queue.LADDER)
    share = max(there // max(Ladder.objects.playing().count(), 1), 1)
    return min(there - asked.total(), share - asked[ladder.pk])


def _is_needed(ladder: Ladder, entries: dict[int, LadderEntry]) -> bool:
    rated = _contenders(ladder, entries, Counter())
    return not all(settled(row, ladder.goal) for row in rated)


def _contenders(
    ladder: Ladder, entries: dict[int, LadderEntry], games: Counter[int]
) -> list[Contender]:
    standings = ladder.standings
    widths = {
        row.participant: row.adjusted.half_width
        for row in (() if standings is None else standings.rows)
        if row.adjusted is not None
    }
    return [
        Contender(
            number=number, games=games[number], half_width=widths.get(number), team=entry.name
        )
        for number, entry in entries.items()
    ]


def _ask_for(ladder: Ladder, table: LadderTable, n_games: int, *, at: datetime) -> None:
    TableRow.objects.create(
        ladder=ladder,
        number=table.number,
        round=table.round,
        members=seating_text(table.members),
        n_games=n_games,
    )
    add_table(ladder, table_batch(table, n_games), Sending(at=at))


def forget_cancelled(ladder: Ladder) -> None:
    """Count at its tables the games there are: those that a pause has cancelled are not played.

    The caller holds the lock, and no table is being played. Their rows stay: see ``LadderJobs``.
    """
    counted = ladder.games.values("table").annotate(games=Count("pk")).order_by()
    played = dict(counted.values_list("table", "games"))
    for number, n_games in ladder.tables.values_list("number", "n_games"):
        if n_games != (there := played.get(number, 0)):
            ladder.tables.filter(number=number).update(n_games=there)


def add_table(ladder: Ladder, batch: TableBatch, sending: Sending) -> None:
    """Add a job for these games."""
    columns = {"ladder": ladder, "queue": Queue.LADDER, "seconds": BATCH_SECONDS}
    add_tables(ladder, [batch], sending, **columns)


def sum_up_now_and_then(ladder: Ladder, *, at: datetime) -> None:
    """Sum up if the last time is some seconds ago; a minute where it takes long.

    Where it does, not to be called while something is locked: see ``is_quick``.
    """
    every = timedelta(seconds=5 if is_quick(ladder) else 60)
    last = ladder.summed_up_at
    if last is None or at - last >= every:
        sum_up(ladder, at=at)


def is_quick(ladder: Ladder) -> bool:
    """Return whether summing up takes less than a moment. One query at most."""
    return ladder.n_games <= MANY_GAMES and ladder.entries.count() <= MANY_AGENTS


def sum_up(ladder: Ladder, *, at: datetime) -> None:
    """Store the current standings, unless another call has stored some meanwhile."""
    n_games = ladder.games.count()
    entries = {entry.number: entry for entry in ladder.entries.all()}
    active = {number for number, entry in entries.items() if entry.plays}
    known = ladder.standings
    if known is not None and n_games == ladder.n_games and active == _ranked(ladder):
        return
    games = _rated_games(ladder)
    played = {number for game in games for number in game.played.seating}
    standings = ladder_standings(
        games,
        {number: entries[number].as_value for number in active | played},
        active=active,
        rules=ladder.rules,
    )
    values = {"standings_json": to_json(standings), "n_games": n_games, "summed_up_at": at}
    unchanged = Ladder.objects.filter(pk=ladder.pk, summed_up_at=ladder.summed_up_at)
    if unchanged.update(**values):
        for name, value in values.items():
            setattr(ladder, name, value)


def _ranked(ladder: Ladder) -> set[int]:
    standings = ladder.standings
    return (
        {row.participant for row in standings.rows if row.removal is None} if standings else set()
    )


def _rated_games(ladder: Ladder) -> list[RatedGame]:
    """Games at the latest tables. Two queries."""
    rounds = dict(ladder.tables.order_by("-number").values_list("number", "round")[:LATEST_TABLES])
    if not rounds:
        return []
    games = LadderGame.objects.filter(ladder=ladder, table__gte=min(rounds)).order_by("index")
    return [
        RatedGame(table=table, round=rounds[table], played=played)
        for table, played in games.by_table()
        if table in rounds
    ]
