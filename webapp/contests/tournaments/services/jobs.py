"""Tournaments as owners of jobs: their requests to graders, and the consequences of reports.

The ledger decides which games count, regardless of the order of rows.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from grader import tournament as core
from grader.tournament import WantedGame
from webapp.contests.tables.games import SeatedGameQuerySet
from webapp.contests.tables.jobs import TableJobs, left_of, table_of
from webapp.contests.tournaments.models import Tournament, TournamentGame
from webapp.contests.tournaments.services.scheduling import (
    add_tables,
    ledger_of,
    plan_of,
    schedule_next,
)
from webapp.grading.jobs.models import Job, JobStatus, Sending
from webapp.grading.jobs.owners import RunOwner
from webapp.grading.jobs.runs import Status

UNBUILDABLE: Final = "could not be built"


class TournamentJobs(RunOwner[Tournament], TableJobs[Tournament]):
    field = "tournament"

    def games_of(self, job: Job) -> SeatedGameQuerySet[TournamentGame]:
        return TournamentGame.objects.filter(tournament=self.row_of(job))

    def takes_results(self, row: Tournament) -> bool:
        """Return whether it has not finished: one that was cancelled, or failed, still does."""
        return row.status != Status.FINISHED

    def participants_of(self, job: Job) -> dict[int, core.PlanParticipant]:
        participants = self.row_of(job).participants.filter(number__in=table_of(job).participants)
        return {participant.number: participant.as_value for participant in participants}

    def game_of(self, job: Job, **columns: Any) -> TournamentGame:
        return TournamentGame(tournament=self.row_of(job), **columns)

    def remove(self, job: Job, numbers: Sequence[int], *, at: datetime) -> None:
        tournament = self.row_of(job)
        for number in numbers:
            tournament.participants.filter(number=number, excluded_from_round__isnull=True).update(
                excluded_from_round=_first_without(tournament, job, number),
                exclusion_reason=UNBUILDABLE,
                excluded_at=at,
            )
        job.advance(JobStatus.CANCELLED)
        schedule_next(tournament, at=at)

    def go_on(self, job: Job, *, closed: bool, at: datetime) -> None:
        if closed:
            schedule_next(self.row_of(job), at=at, thoroughly=False)

    def send_again(self, job: Job, sending: Sending, *, reason: str) -> None:
        del reason
        if games := self._wanted(job):
            add_tables(self.row_of(job), [replace(table_of(job), games=games)], sending)

    def fail(self, job: Job, *, reason: str, at: datetime) -> None:
        if self._wanted(job):
            super().fail(job, reason=reason, at=at)

    def _wanted(self, job: Job) -> tuple[WantedGame, ...]:
        wanted = set(ledger_of(self.row_of(job)).wanted)
        return tuple(game for game in left_of(job, self.games_of(job)) if game in wanted)


def _first_without(tournament: Tournament, job: Job, number: int) -> int:
    """Return the first round without a participant that could not be built for this job.

    What it has played stands: sources that build by chance must not void everybody's games.
    """
    if not tournament.games.of(number).exists():
        return 0
    table = table_of(job).table
    return next(planned.round for planned in plan_of(tournament).tables if planned.number == table)
