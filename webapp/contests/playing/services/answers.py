"""Answers of submissions in people's games: sent for, recorded, sent for again when lost."""

import logging
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone

from grader.core.errors import IllegalAction, RecordError
from grader.core.games.versions import version_of
from grader.core.live import SeatFault, SeatReport, SeatRequest
from grader.core.position import accepted
from grader.core.records import Fault, FaultKind
from grader.interfaces import interface_named
from webapp.base.storable import storable
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.contests.playing.services.moves import PlayedMove, ask_agent, go_on
from webapp.grading.jobs.models import Job, JobStatus, Sending
from webapp.grading.jobs.owners import JobOwner
from webapp.grading.jobs.sending import give_up

logger = logging.getLogger(__name__)

BUILD_SHARE: Final = 0.5
"""The part of a compiler's longest time to wait for: usually the agent was built before."""
PRINTED_CHARACTERS: Final = 16_000


class HumanGameJobs(JobOwner[HumanGame]):
    field = "human_game"

    def request_of(self, job: Job) -> SeatRequest:
        game, seat = self.row_of(job), int(job.payload["seat"])
        if (agent := game.occupants[seat].agent) is None:
            raise LookupError(f"{job} is for a seat without a submission")
        own = tuple(at for at, other in enumerate(game.occupants) if other.agent == agent)
        return SeatRequest(
            ask=str(job.uuid),
            table=str(game.uuid),
            game=game.game,
            rules_version=game.rules_version,
            options=game.options,
            deal_seed=game.deal_seed,
            actions=game.actions,
            seat=seat,
            agent=agent,
            limits=game.agent_limits,
            own_seats=own if len(own) > 1 else msgspec.UNSET,
            game_version=version_of(type(game.rules)) or msgspec.UNSET,
        )

    def slack_seconds(self, job: Job) -> float:
        """Return the time to start the agent and tell it all of the game again."""
        game = self.row_of(job)
        limits = game.agent_limits
        built = max(
            (
                interface_named(occupant.agent.interface).build.seconds
                for occupant in game.occupants
                if occupant.agent is not None
            ),
            default=0.0,
        )
        seats, origin, told = len(game.occupants), game.played_on_from, 0.0
        if origin is not None and game.turns < origin.turns + seats:  # its first turn
            told = origin.turns / seats * limits.turn_seconds
        return BUILD_SHARE * built + limits.start_seconds + told + 3 * limits.turn_wall_seconds

    def takes_results(self, row: HumanGame) -> bool:
        return row.is_open

    def missing_games(self, job: Job) -> int:
        """Count the turn, unless the game has gone on."""
        return int(job.payload["turn"] == self.row_of(job).turns)

    def send_again(self, job: Job, sending: Sending, *, reason: str) -> None:
        del reason
        ask_agent(self.row_of(job), sending, seat=job.payload["seat"])

    def fail(self, job: Job, *, reason: str, at: datetime) -> None:
        self.row_of(job).advance(GameStatus.FAILED, ended_at=at, system_fault=reason)

    def go_on(self, job: Job, *, closed: bool, at: datetime) -> None:
        """Do nothing: recording an answer already continues the game."""


@transaction.atomic
def record_answer(report: SeatReport, *, key: str = "", at: datetime | None = None) -> None:
    """Record an answer of the grader with this public key, and let the game go on.

    Late, repeated and unknown answers change nothing. Raises RecordError for an answer to another
    request than was sent; an answer without a key is trusted.
    """
    now = at or timezone.now()
    job = Job.objects.open().filter(uuid=_id(report), human_game__isnull=False).first()
    owner = HumanGameJobs()
    if job is None or not owner.lock(job) or not owner.missing_games(job):
        logger.info("no game waits for this answer: %s", report.ask)
        return
    game = owner.row_of(job)
    request = owner.request_of(job)
    if key and report.request != request.digest():
        raise RecordError(f"turn {report.ask} was answered for another request than was sent")
    if report.system_fault:
        reason = storable(report.system_fault, characters=5000)
        give_up(job, reason=reason, at=now, lost=False)
        return
    if not job.advance(JobStatus.FINISHED, claimed_by=key, lease_until=now):
        return
    if report.differs_at is not None and game.differs_at is None:
        game.differs_at = report.differs_at
        game.save(update_fields=["differs_at"])
    _take(game, report, request.seat, now)


def _take(game: HumanGame, report: SeatReport, seat: int, at: datetime) -> None:
    fault = report.fault
    if fault is None:
        try:
            notation = accepted(game.rules, game.seed, game.notations, report.action or {})
        except RecordError as error:
            game.advance(GameStatus.FAILED, ended_at=at, system_fault=str(error))
            return
        except IllegalAction as error:
            fault = SeatFault(kind=FaultKind.ILLEGAL, detail=str(error))
        else:
            go_on(game, PlayedMove(notation=notation, charged_us=max(report.charged_us, 0)), at=at)
            return
    ended = Fault(
        seat=seat, kind=fault.kind, turn=game.turns, detail=storable(fault.detail, characters=1000)
    )
    printed = "" if report.evidence is None else report.evidence.stderr[-PRINTED_CHARACTERS:]
    game.advance(
        GameStatus.FAULTED,
        ended_at=at,
        fault=msgspec.to_builtins(ended),
        printed=storable(printed, characters=PRINTED_CHARACTERS),
    )


def _id(report: SeatReport) -> UUID:
    try:
        return UUID(report.ask)
    except ValueError as error:
        raise RecordError(f"an answer with a malformed id: {error}") from error
