"""Tables as jobs: the games that the same participants play together, on one grader.

One row per (owner, game, seating), inserted or ignored, is what makes recording idempotent.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, Protocol, cast
from uuid import UUID

import msgspec

from grader.core.games import game_named
from grader.core.games.uploaded import for_requests
from grader.core.records import BatchPhase, BatchReport, BatchRequest
from grader.tournament import PlanParticipant, TableBatch, TournamentSpec, WantedGame, batch_request
from webapp.contests.tables.builds import UNCONFIRMED, confirmed, doubters, note, to_decline
from webapp.contests.tables.games import SeatedGame, SeatedGameQuerySet, seating_text
from webapp.grading.evaluations.models import columns_of
from webapp.grading.jobs.adding import add_jobs
from webapp.grading.jobs.models import Job, Requester, Sending
from webapp.grading.jobs.owners import GamesOwner, Row
from webapp.grading.jobs.sending import give_up

SLOW_GAME_TURNS: Final = 30
"""Full turns of each seat that one game may take before we worry."""
LONGEST_SLACK_SECONDS: Final = 600.0


class TableOwner(Protocol):
    """A row whose jobs are tables."""

    assignment: Any  # a foreign key

    @property
    def uuid(self) -> UUID:
        """The name that graders know it by."""

    @property
    def parsed_spec(self) -> TournamentSpec:
        """Rules and limits of its games."""

    @property
    def secret(self) -> bytes | memoryview:
        """The secret that its deals follow from."""


def table_of(job: Job) -> TableBatch:
    """Return the job's table: the agents and seats of each game."""
    return msgspec.convert(job.payload, TableBatch)


class TableJobs(GamesOwner[Row]):
    """The jobs of tables: one table's games each."""

    @abstractmethod
    def games_of(self, job: Job) -> SeatedGameQuerySet[Any]:
        """Return all games of the row that a job belongs to."""

    @abstractmethod
    def participants_of(
        self, job: Job
    ) -> Mapping[int, PlanParticipant] | Sequence[PlanParticipant]:
        """Return participants by number, at least those of the job."""

    @abstractmethod
    def game_of(self, job: Job, **columns: Any) -> SeatedGame:
        """Make a game of the row, without saving it."""

    def request_of(self, job: Job) -> BatchRequest:
        row = cast("TableOwner", self.row_of(job))
        table = table_of(job)
        request = batch_request(
            row.parsed_spec,
            table,
            tournament=str(row.uuid),
            name=str(job.uuid),
            participants=self.participants_of(job),
            secret=bytes(row.secret),
        )
        return replace(
            request,
            not_by=to_decline(job, table.participants) or msgspec.UNSET,
            game_version=row.assignment.game_version or msgspec.UNSET,
            **for_requests(game_named(request.game)),
        )

    def may_decline(self, job: Job, key: str) -> bool:
        return super().may_decline(job, key) or key in doubters(job, table_of(job).participants)

    def note_builds(self, job: Job, report: BatchReport, *, at: datetime) -> None:
        """Remove participants that cannot be built; ask another grader before, if there is one."""
        participants = table_of(job).participants
        builds = zip(participants, report.builds, strict=False)
        failed = [number for number, build in builds if not build.ok]
        gone = confirmed(job, failed, at=at)
        note(job, failed)
        if gone:
            self.remove(job, gone, at=at)
        elif failed:
            everybody = self.participants_of(job)
            names = ", ".join(everybody[number].name for number in failed)
            give_up(job, reason=UNCONFIRMED.format(names), at=at, lost=False)

    @abstractmethod
    def remove(self, job: Job, numbers: Sequence[int], *, at: datetime) -> None:
        """Remove participants that cannot be built, close the job, and go on without them."""

    def slack_seconds(self, job: Job) -> float:
        spec = cast("TableOwner", self.row_of(job)).parsed_spec
        turns = SLOW_GAME_TURNS * max(spec.sizes)
        return min(turns * spec.limits.turn_seconds, LONGEST_SLACK_SECONDS)

    def missing_games(self, job: Job) -> int:
        return len(left_of(job, self.games_of(job)))

    def is_complete(self, job: Job, report: BatchReport) -> bool:
        """Return whether it is done: also after an early end by faults, with some games played."""
        left = self.missing_games(job)
        has_stopped = report.phase == BatchPhase.DONE and report.stopped
        return not left or (has_stopped and left < job.n_games)

    def unrecorded_games(self, job: Job) -> set[int]:
        if not self.takes_results(self.row_of(job)):
            return set()
        return {game.index for game in left_of(job, self.games_of(job))}

    def insert(self, job: Job, report: BatchReport) -> None:
        seated = {game.index: game for game in table_of(job).games}
        rows = [
            self.game_of(
                job,
                index=result.index,
                seating=seating_text(seated[result.index].seating),
                table=seated[result.index].table,
                **columns_of(result),
            )
            for result in report.results
        ]
        self.games_of(job).model._default_manager.bulk_create(rows, ignore_conflicts=True)


def add_tables(
    row: TableOwner, tables: Iterable[TableBatch], sending: Sending, **columns: Any
) -> None:
    """Add a job for each of these tables of a row, with these columns: owner, queue, seconds."""
    jobs = (
        Job(
            payload=msgspec.to_builtins(table),
            n_games=len(table.games),
            **columns,
            **sending.columns,
        )
        for table in tables
    )
    add_jobs(jobs, by=Requester(course=row.assignment.course_id))


def left_of(job: Job, games: SeatedGameQuerySet[Any]) -> tuple[WantedGame, ...]:
    """Return the job's games that have no row yet. One query."""
    asked = table_of(job).games
    rows = games.filter(index__in=[game.index for game in asked])
    have = set(rows.values_list("index", "seating"))
    return tuple(game for game in asked if (game.index, seating_text(game.seating)) not in have)
