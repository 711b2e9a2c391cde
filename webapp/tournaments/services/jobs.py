"""Tournaments as owners of jobs: what they ask graders for, and what a report leads to.

One row per (tournament, game, seating), inserted or ignored, is what makes recording idempotent.
What counts is for the ledger to say, which does not depend on the order of rows either.
"""

import logging
from dataclasses import replace
from datetime import datetime
from typing import Final

from grader.core.records import BatchPhase, BatchReport, BatchRequest
from grader.tournament import WantedGame, batch_request
from webapp.evaluations.models import Status, columns_of
from webapp.jobs.models import MAX_ATTEMPTS, Job, JobStatus
from webapp.jobs.owners import GamesOwner
from webapp.tournaments.models import Tournament, TournamentGame
from webapp.tournaments.models.game import seating_text
from webapp.tournaments.services.scheduling import (
    add_tables,
    ledger_of,
    participants_of,
    plan_of,
    schedule_next,
    table_of,
)

__all__ = ["TournamentJobs", "locked"]

logger = logging.getLogger(__name__)

UNBUILDABLE: Final = "could not be built"
"""Why the site takes somebody out by itself."""
SLOW_GAME_TURNS: Final = 30
"""Full turns of each seat that one game may take before we worry."""
LONGEST_SLACK_SECONDS: Final = 600.0
"""A table of slow agents with generous limits must not keep a lost job for hours."""


class TournamentJobs(GamesOwner):
    """The jobs of tournaments: one table's games each."""

    def request_of(self, job: Job) -> BatchRequest:
        """Make the request for one table's games."""
        tournament = _tournament_of(job)
        return batch_request(
            tournament.parsed_spec,
            table_of(job),
            tournament=str(tournament.uuid),
            name=str(job.uuid),
            participants=participants_of(tournament),
            secret=bytes(tournament.secret),
        )

    def slack_seconds(self, job: Job) -> float:
        """Return the time of a slow game at this table."""
        spec = _tournament_of(job).parsed_spec
        turns = SLOW_GAME_TURNS * max(spec.sizes)
        return min(turns * spec.limits.turn_seconds, LONGEST_SLACK_SECONDS)

    def lock(self, job: Job) -> bool:
        """Lock the tournament. One that was cancelled, or failed, still takes results."""
        job.tournament = tournament = locked(_tournament_of(job).pk)
        return tournament.status != Status.FINISHED

    def missing_games(self, job: Job) -> int:
        """Count its games that are not recorded. One query."""
        return len(_left_of(job))

    def is_complete(self, job: Job, report: BatchReport) -> bool:
        """Accept also an end after faults: the ledger says what is played then."""
        left = self.missing_games(job)
        has_stopped = report.phase == BatchPhase.DONE and report.stopped
        return not left or (has_stopped and left < job.n_games)

    def unrecorded_games(self, job: Job) -> set[int]:
        """Return its games without a row."""
        if _tournament_of(job).status == Status.FINISHED:
            return set()
        return {game.index for game in _left_of(job)}

    def insert(self, job: Job, report: BatchReport) -> None:
        """Insert rows for the games."""
        seated = {game.index: game for game in table_of(job).games}
        rows = [
            TournamentGame(
                tournament=_tournament_of(job),
                index=result.index,
                seating=seating_text(seated[result.index].seating),
                table=seated[result.index].table,
                **columns_of(result),
            )
            for result in report.results
        ]
        TournamentGame.objects.bulk_create(rows, ignore_conflicts=True)

    def begin(self, job: Job, *, at: datetime) -> None:
        """Start the tournament at its first report."""
        tournament = _tournament_of(job)
        if tournament.status == Status.QUEUED:
            tournament.advance(Status.PLAYING, started_at=tournament.started_at or at)

    def note_builds(self, job: Job, report: BatchReport, *, at: datetime) -> None:
        """Remove participants that cannot be built. Their games are played without them."""
        tournament = _tournament_of(job)
        builds = zip(table_of(job).participants, report.builds, strict=False)
        bad = [number for number, build in builds if not build.ok]
        for number in bad:
            tournament.participants.filter(number=number, excluded_from_round__isnull=True).update(
                excluded_from_round=_first_without(tournament, job, number),
                exclusion_reason=UNBUILDABLE,
                excluded_at=at,
            )
        if bad:
            job.advance(JobStatus.CANCELLED)
            schedule_next(tournament, at=at)

    def go_on(self, job: Job, *, closed: bool, at: datetime) -> None:
        """Ask for what is next when a table is done."""
        if closed:
            schedule_next(_tournament_of(job), at=at, thoroughly=False)

    def retry(self, job: Job, *, reason: str, at: datetime, send_after: datetime) -> None:
        """Send the games again that are still wanted, or fail the tournament.

        The rest of a job that brought some games starts as a first attempt, so that a long table on
        an unreliable grader gets through.
        """
        tournament, left = _tournament_of(job), _left_of(job)
        wanted = set(ledger_of(tournament).wanted)
        again = tuple(game for game in left if game in wanted)
        attempt = 1 if len(left) < job.n_games else job.attempt + 1
        if again and attempt > MAX_ATTEMPTS:
            logger.error("tournament %s failed: %s", tournament.uuid, reason)
            tournament.advance(Status.FAILED, system_fault=reason)
            tournament.jobs.cancel()
        elif again:
            table = replace(table_of(job), games=again)
            add_tables(tournament, [table], at=at, attempt=attempt, send_after=send_after)


def locked(pk: int) -> Tournament:
    """The tournament as it is now; reports of it come in one at a time."""
    return Tournament.objects.select_for_update(no_key=True).get(pk=pk)


def _tournament_of(job: Job) -> Tournament:
    """The tournament that a job belongs to. Raises LookupError for another's."""
    if job.tournament is None:
        raise LookupError(f"{job} is of no tournament")
    return job.tournament


def _left_of(job: Job) -> tuple[WantedGame, ...]:
    """The games of the job that are not recorded. One query."""
    games = table_of(job).games
    rows = TournamentGame.objects.filter(
        tournament=job.tournament_id, index__in=[game.index for game in games]
    )
    have = set(rows.values_list("index", "seating"))
    return tuple(game for game in games if (game.index, seating_text(game.seating)) not in have)


def _first_without(tournament: Tournament, job: Job, number: int) -> int:
    """The round from which on somebody is out that could not be built for this job.

    What it has played stands: sources whose build is a matter of time or chance must not be able to
    have everybody's earlier games played again.
    """
    if not tournament.games.of(number).exists():
        return 0
    table = table_of(job).table
    return next(each.round for each in plan_of(tournament).tables if each.number == table)
