"""Scheduling of a tournament: which tables are sent next, and when it has finished.

All is derived from the rows of games under the lock: the order of reports does not matter.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from grader import tournament as core
from grader.core.records import from_json, to_json
from grader.tournament import (
    Ledger,
    Plan,
    TableBatch,
    TournamentSpec,
    WantedGame,
    cross_play,
    plan_tournament,
    rules_of,
    standings,
    table_batches,
)
from webapp.contests.tables import jobs
from webapp.contests.tournaments.models import Tournament
from webapp.grading.jobs.capacity import slots
from webapp.grading.jobs.models import JobStatus, Sending
from webapp.grading.jobs.queues import Queue
from webapp.grading.jobs.runs import Status

TABLES_A_SLOT: Final = 8
"""The most tables per slot that wait or are played at a time. The next tables follow from all
games, which with this many are rarely read."""
FEW_TABLES_A_SLOT: Final = 2
"""With more than these per slot, the graders have enough: no core idles while a table is sent."""
TABLE_SECONDS: Final = 3.0
"""Estimated core seconds of a table: opening its sandboxes and a few games."""
LARGE: Final = 2000
"""The number of games from which reading all of them takes longer than recording a report."""
SUMMED_UP_EVERY: Final = timedelta(seconds=30)
"""Standings of a few hundred agents take a second or more: not for each report."""


def participants_of(tournament: Tournament) -> tuple[core.PlanParticipant, ...]:
    """Return the participants in the order of their numbers. One query."""
    return tuple(participant.as_value for participant in tournament.participants.all())


def plan_of(tournament: Tournament) -> Plan:
    """Every table and deal of the tournament. One query."""
    fills = [
        participant.role is core.ParticipantRole.FILLER
        for participant in participants_of(tournament)
    ]
    text = to_json(tournament.parsed_spec)
    return _planned(text, fills.count(False), fills.count(True), bytes(tournament.secret))


@lru_cache(maxsize=8)
def _planned(spec: str, players: int, fillers: int, secret: bytes) -> Plan:
    """Half a second for 200 agents and 20,000 games: made once a process."""
    parsed = from_json(spec, TournamentSpec)
    return plan_tournament(parsed, players=players, fillers=fillers, secret=secret)


def ledger_of(tournament: Tournament, *, last: int | None = None) -> Ledger:
    """Return the ledger of its games, or of those up to the key ``last``. Three queries."""
    games = tournament.games.all() if last is None else tournament.games.filter(pk__lte=last)
    exclusions = (participant.exclusion for participant in tournament.participants.all())
    return Ledger(
        plan_of(tournament),
        tournament.parsed_spec.policy,
        secret=bytes(tournament.secret),
        exclusions=[exclusion for exclusion in exclusions if exclusion is not None],
        results=games.as_played(),
    )


def schedule_next(tournament: Tournament, *, at: datetime, thoroughly: bool = True) -> None:
    """Send the next tables, or finish the tournament, whose lock the caller holds.

    ``thoroughly=False``: skip a large tournament while the graders have enough tables.
    """
    if not tournament.is_open:
        return
    open_tables, cores = tournament.jobs.open().count(), slots(Queue.GRADED)
    hurry = not thoroughly and tournament.n_games > LARGE
    if hurry and open_tables > FEW_TABLES_A_SLOT * cores:
        return
    room = TABLES_A_SLOT * cores - open_tables
    ledger = ledger_of(tournament)
    in_play = _drop_unwanted(tournament, ledger)
    wanted = [game for game in ledger.wanted if _key(game) not in in_play]
    add_tables(tournament, table_batches(wanted)[: max(room, 0)], Sending(at=at))
    _note(tournament, ledger, at)


def _key(game: WantedGame) -> tuple[int, tuple[int, ...]]:
    return game.index, game.seating


def _drop_unwanted(tournament: Tournament, ledger: Ledger) -> set[tuple[int, tuple[int, ...]]]:
    """Cancel jobs none of whose games is wanted any more; return the games of the others."""
    wanted = {_key(game) for game in ledger.wanted}
    in_play = set()
    for job in tournament.jobs.open():
        games = {_key(game) for game in jobs.table_of(job).games}
        if games & wanted:
            in_play |= games
        else:
            job.advance(JobStatus.CANCELLED)
    return in_play


def add_tables(tournament: Tournament, tables: Sequence[TableBatch], sending: Sending) -> None:
    """Add a job for each of these tables."""
    columns = {"tournament": tournament, "queue": Queue.GRADED, "seconds": TABLE_SECONDS}
    jobs.add_tables(tournament, tables, sending, **columns)


def _note(tournament: Tournament, ledger: Ledger, at: datetime) -> None:
    tournament.games_done = len(ledger.counted) + len(ledger.void)
    tournament.faults = len(ledger.charges)
    tournament.save(update_fields=["games_done", "faults"])
    last = tournament.summed_up_at
    is_time = last is None or at - last >= SUMMED_UP_EVERY
    if ledger.finished or (is_time and ledger.counted):
        sum_up(tournament, ledger, at=at)
    if ledger.finished and tournament.advance(Status.FINISHED, finished_at=at):
        tournament.jobs.cancel()


def sum_up(tournament: Tournament, ledger: Ledger, *, at: datetime) -> None:
    """Store the current standings."""
    participants = participants_of(tournament)
    rules = rules_of(tournament.parsed_spec)
    tournament.standings_json = to_json(standings(ledger, participants, rules))
    tournament.cross_play_json = to_json(cross_play(ledger.counted, len(participants), rules))
    tournament.summed_up_at = at
    tournament.save(update_fields=["standings_json", "cross_play_json", "summed_up_at"])
