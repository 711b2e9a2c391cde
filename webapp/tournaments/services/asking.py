"""What tournaments tell the machinery of batches; see ``evaluations.services.askers``."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction

from grader.core.records import BatchReport, BatchRequest
from grader.tournament import batch_request
from webapp.evaluations.models import Batch
from webapp.evaluations.services.batches import UNKNOWN_GAME_TURNS
from webapp.tournaments.models import Tournament
from webapp.tournaments.services import recording
from webapp.tournaments.services.course import participants_of, table_of

__all__ = ["TournamentAsker", "tournament_of"]

LONGEST_SLACK_SECONDS: Final = 600.0
"""A table of slow agents with generous limits must not keep a lost batch for hours."""


def tournament_of(batch: Batch) -> Tournament:
    """The tournament that a batch belongs to. Raises LookupError for an evaluation's."""
    if batch.tournament is None:
        raise LookupError(f"{batch} is of no tournament")
    return batch.tournament


class TournamentAsker:
    """Tournaments as something that asks graders for games."""

    def request_of(self, batch: Batch) -> BatchRequest:
        """One table's games; made anew each time, so no secret lies in the batch's row."""
        tournament = tournament_of(batch)
        return batch_request(
            tournament.parsed_spec,
            table_of(batch),
            tournament=str(tournament.uuid),
            name=str(batch.uuid),
            participants=participants_of(tournament),
            secret=bytes(tournament.secret),
        )

    def lease(self, batch: Batch) -> timedelta:
        """A fixed time and that of a slow game at this table; twice as long with every attempt."""
        spec = tournament_of(batch).parsed_spec
        turns = UNKNOWN_GAME_TURNS * max(spec.sizes)
        slack = min(turns * spec.limits.turn_seconds, LONGEST_SLACK_SECONDS)
        return timedelta(seconds=(settings.LEASE_SECONDS + slack) * 2 ** (batch.attempt - 1))

    @transaction.atomic
    def expire(self, batch: Batch, *, at: datetime) -> bool:
        """Its lease has run out; False if a report came in between."""
        return recording.expire(batch, at=at)

    @transaction.atomic
    def record(self, report: BatchReport, *, at: datetime) -> bool:
        """Take in a report; whether it is of a tournament that waits for it."""
        return recording.record(report, at=at, lease=self.lease)
