"""Ladders as owners of jobs: their requests to graders, and the consequences of reports."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

from grader.tournament import PlanParticipant
from webapp.contests.ladders.models import Departure, Ladder, LadderEntry, LadderGame
from webapp.contests.ladders.services.entering import leave, leave_if_faulty
from webapp.contests.ladders.services.scheduling import (
    add_table,
    is_quick,
    schedule_next,
    sum_up_now_and_then,
)
from webapp.contests.tables.games import SeatedGameQuerySet
from webapp.contests.tables.jobs import TableJobs, left_of, table_of
from webapp.grading.jobs.models import Job, JobStatus, Sending

logger = logging.getLogger(__name__)


class OnDeparture(Protocol):
    """The step that follows when an agent had to leave, in the same transaction."""

    def __call__(self, entry: LadderEntry, *, at: datetime) -> None:
        """Do it."""


class LadderJobs(TableJobs[Ladder]):
    """The jobs of ladders: one table's games each."""

    field = "ladder"
    related = ("assignment",)

    def __init__(self, then: OnDeparture) -> None:
        """``then`` is called for an agent that left for its faults, or could not be built."""
        self._then = then

    def games_of(self, job: Job) -> SeatedGameQuerySet[LadderGame]:
        return LadderGame.objects.filter(ladder=self.row_of(job))

    def takes_results(self, row: Ladder) -> bool:
        return row.is_open

    def participants_of(self, job: Job) -> dict[int, PlanParticipant]:
        entries = self.row_of(job).entries.filter(number__in=table_of(job).participants)
        return {entry.number: entry.as_value for entry in entries}

    def game_of(self, job: Job, **columns: Any) -> LadderGame:
        return LadderGame(ladder=self.row_of(job), **columns)

    def begin(self, job: Job, *, at: datetime) -> None:
        """Do nothing: a ladder has no beginning."""

    def remove(self, job: Job, numbers: Sequence[int], *, at: datetime) -> None:
        """Take agents off the ladder that cannot be built, and end the table with the games it has.

        Its row stays: the next table must not get its number, nor its games the same indices.
        """
        ladder, number = self.row_of(job), table_of(job).table
        for entry in ladder.entries.active().filter(number__in=numbers):
            leave(entry, Departure.UNBUILDABLE, at=at)
            self._then(entry, at=at)
        job.advance(JobStatus.CANCELLED)
        n_games = ladder.games.filter(table=number).count()
        ladder.tables.filter(number=number).update(n_games=n_games)
        schedule_next(ladder, at=at)

    def go_on(self, job: Job, *, closed: bool, at: datetime) -> None:
        """Remove agents that failed too often, and request the next table when one is done."""
        if not closed:
            return
        ladder = self.row_of(job)
        indices = [game.index for game in table_of(job).games]
        spoiled = self.games_of(job).filter(index__in=indices).exclude(fault_kind="")
        culprits = {game.culprit for game in spoiled.only("fault_seat", "seating")}
        numbers = [culprit for culprit in culprits if culprit is not None]
        for entry in leave_if_faulty(ladder, numbers, at=at):
            self._then(entry, at=at)
        if is_quick(ladder):  # else the periodic task does it
            sum_up_now_and_then(ladder, at=at)
        schedule_next(ladder, at=at)

    def send_again(self, job: Job, sending: Sending, *, reason: str) -> None:
        """Send the missing games again, unless the ladder is paused."""
        del reason
        ladder = self.row_of(job)
        if ladder.paused_at is None:
            left = left_of(job, self.games_of(job))
            add_table(ladder, replace(table_of(job), games=left), sending)

    def fail(self, job: Job, *, reason: str, at: datetime) -> None:
        ladder = self.row_of(job)
        logger.error("ladder %s is paused: %s", ladder.uuid, reason)
        ladder.paused_at, ladder.paused_because = at, reason
        ladder.save(update_fields=["paused_at", "paused_because"])
        ladder.jobs.cancel()
