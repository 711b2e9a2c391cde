"""Requests of instructors: stop a tournament, continue it, remove a participant, release it."""

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.contests.tables.jobs import table_of
from webapp.contests.tournaments.models import Participant, Stage, Tournament
from webapp.contests.tournaments.services.scheduling import (
    ledger_of,
    plan_of,
    schedule_next,
    sum_up,
)
from webapp.grading.jobs.owners import locked
from webapp.grading.jobs.runs import Status
from webapp.grading.submissions.selectors import require_sources
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.permissions import require_instructor

_ORDER: Final = list(Stage)


@transaction.atomic
def cancel(*, tournament: Tournament, by: User, at: datetime | None = None) -> None:
    """Stop requesting games; ``resume`` continues from there. Raises NotAllowed, Refused."""
    require_instructor(by, tournament.assignment.course)
    now = at or timezone.now()
    tournament = locked(tournament)
    if not tournament.advance(Status.CANCELLED, finished_at=now):
        raise Refused("This tournament is already over.")
    tournament.jobs.cancel()
    _record(ActKind.TOURNAMENT_CANCELLED, tournament, by, at=now)
    sum_up(tournament, ledger_of(tournament), at=now)


@transaction.atomic
def resume(*, tournament: Tournament, by: User, at: datetime | None = None) -> None:
    """Play the games that a cancelled or failed tournament misses. Raises NotAllowed, Refused."""
    require_instructor(by, tournament.assignment.course)
    tournament = locked(tournament)
    _require_programs(tournament)
    if tournament.status == Status.FINISHED or not tournament.advance(
        Status.QUEUED, system_fault="", finished_at=None
    ):
        raise Refused("Only a cancelled or failed tournament can be resumed.")
    now = at or timezone.now()
    _record(ActKind.TOURNAMENT_RESUMED, tournament, by, at=now)
    schedule_next(tournament, at=now)


@transaction.atomic
def exclude(
    *,
    participant: Participant,
    by: User,
    reason: str,
    from_beginning: bool,
    at: datetime | None = None,
) -> None:
    """Remove a participant: disqualified from the beginning, or withdrawn from the next round on.

    From the beginning: all its games are void and played again without it, also after the end.
    Raises NotAllowed, Refused.
    """
    require_instructor(by, participant.tournament.assignment.course)
    if not reason.strip():
        raise Refused("Give a reason, so that everybody can understand it later.")
    now = at or timezone.now()
    tournament = locked(participant.tournament)
    if not from_beginning and tournament.status == Status.FINISHED:
        raise Refused("All games have been played, so there is no later round to withdraw from.")
    first = 0 if from_beginning else _next_round(tournament)
    remaining = tournament.participants.filter(number=participant.number).filter(
        Q(excluded_from_round__isnull=True) | Q(excluded_from_round__gt=first)
    )
    if not remaining.update(
        excluded_from_round=first,
        exclusion_reason=reason.strip()[:200],
        excluded_by=by,
        excluded_at=now,
    ):
        raise Refused("This participant has already been removed.")
    submission = participant.submission
    after = {"participant": participant.number, "from round": first}
    team = None if submission is None else submission.team_id
    _record(
        ActKind.PARTICIPANT_EXCLUDED, tournament, by, at=now, team=team, after=after, reason=reason
    )
    _play_without(tournament, now)


def _require_programs(tournament: Tournament) -> None:
    playing = tournament.participants.filter(excluded_from_round__isnull=True)
    for participant in playing.filter(submission__isnull=False).select_related("submission"):
        if participant.submission is not None:
            require_sources(participant.submission)


def _play_without(tournament: Tournament, now: datetime) -> None:
    if tournament.status == Status.FINISHED:
        _require_programs(tournament)
        tournament.advance(Status.QUEUED, finished_at=None)
    if not tournament.is_open:
        sum_up(tournament, ledger_of(tournament), at=now)
    schedule_next(tournament, at=now)


def _next_round(tournament: Tournament) -> int:
    """The first round that was not sent to graders yet, self-play counted as rounds."""
    rounds = {table.number: table.round for table in plan_of(tournament).tables}
    asked = tournament.jobs.all()
    return 1 + max((rounds[table_of(job).table] for job in asked), default=-1)


@transaction.atomic
def release(*, tournament: Tournament, by: User, stage: Stage) -> None:
    """Release a part of the tournament to the course, for good. Raises NotAllowed, Refused."""
    require_instructor(by, tournament.assignment.course)
    before = _ORDER[: _ORDER.index(stage)]
    rows = Tournament.objects.filter(pk=tournament.pk, stage__in=before)
    if not rows.update(stage=stage):
        raise Refused("This has been released already.")
    _record(ActKind.TOURNAMENT_RELEASED, tournament, by, after={"stage": stage.value})
    tournament.stage = stage


def _record(kind: ActKind, tournament: Tournament, by: User, **details: Any) -> None:
    assignment = tournament.assignment
    thing = f"{assignment}, {tournament}"
    record(kind, by=by, course=assignment.course, thing=thing, **details)
