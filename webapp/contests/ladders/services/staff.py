"""People's decisions about a ladder: open, change, pause and close it; take an agent off it."""

from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from grader.core.records import AgentRef
from grader.house.catalogue import AGENTS
from webapp.base.errors import NotAllowed, Refused
from webapp.contests.ladders.models import Departure, Ladder, LadderEntry
from webapp.contests.ladders.services.entering import enter_versions, leave
from webapp.contests.ladders.services.scheduling import (
    forget_cancelled,
    schedule_next,
    spec_of,
    sum_up,
)
from webapp.contests.tables.contests import stored_house_agents
from webapp.grading.jobs.owners import locked
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import (
    is_own_team,
    require_instructor,
    require_unarchived,
    viewer_in,
)
from webapp.teaching.courses.rights import Right


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderSetting:
    """The settings that an instructor chooses."""

    half_width: float = 0.5
    max_games: int = 1000
    versions: int = 2
    house_agents: tuple[str, ...] = ()


def open_ladder(
    *, assignment: Assignment, by: User, setting: LadderSetting, at: datetime | None = None
) -> Ladder:
    """Begin a ladder, with a secret of its own and no game. Raises NotAllowed, Refused."""
    require_instructor(by, assignment.course)
    house = stored_house_agents(assignment, setting.house_agents)
    now = at or timezone.now()
    with transaction.atomic():
        lock(assignment)
        assignment.require_installed_game()
        if assignment.ladders.open().exists():
            raise Refused("This assignment has a ladder already.")
        if assignment.rules.seats < 2:
            raise Refused(
                "By these rules an agent plays only with itself, so a ladder is not possible."
            )
        spec = msgspec.to_builtins(spec_of(assignment))
        ladder = Ladder(assignment=assignment, spec=spec, opened_by=by, opened_at=now)
        _apply(ActKind.LADDER_OPENED, ladder, setting, house, by, now)
    return ladder


def change_ladder(
    *, ladder: Ladder, by: User, setting: LadderSetting, at: datetime | None = None
) -> None:
    """Change the settings; agents enter and leave accordingly. Raises NotAllowed, Refused."""
    require_instructor(by, ladder.assignment.course)
    house = stored_house_agents(ladder.assignment, setting.house_agents)
    now = at or timezone.now()
    with transaction.atomic():
        _apply(ActKind.LADDER_CHANGED, _open_one(ladder), setting, house, by, now)


def _apply(
    kind: ActKind,
    ladder: Ladder,
    setting: LadderSetting,
    house: dict[str, AgentRef],
    by: User,
    at: datetime,
) -> None:
    """Raises Refused for values that are out of bounds."""
    ladder.half_width = setting.half_width
    ladder.max_games = setting.max_games
    ladder.versions = setting.versions
    try:
        ladder.clean_fields(exclude=["secret", "spec"])
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from error
    ladder.save()
    _record(kind, ladder, by, at)
    _enter_house(ladder, house, at)
    enter_versions(ladder, at=at)
    schedule_next(ladder, at=at)


def _enter_house(ladder: Ladder, house: dict[str, AgentRef], at: datetime) -> None:
    known = {entry.house_agent: entry for entry in ladder.entries.exclude(house_agent="")}
    number = max(ladder.entries.values_list("number", flat=True), default=-1)
    for name, agent in house.items():
        if name not in known:
            number += 1
            LadderEntry.objects.create(
                ladder=ladder,
                number=number,
                name=name,
                house_agent=name,
                agent=msgspec.to_builtins(agent),
                ms_per_game=AGENTS[name].ms_per_game,
                entered_at=at,
            )
    for name, entry in known.items():
        if name in house and not entry.plays:
            entry.departure, entry.left_at = Departure.NONE, None
            entry.agent = msgspec.to_builtins(house[name])
            entry.save(update_fields=["departure", "left_at", "agent"])
        elif name not in house and entry.plays:
            leave(entry, Departure.WITHDRAWN, at=at)


@transaction.atomic
def pause_ladder(*, ladder: Ladder, by: User, at: datetime | None = None) -> None:
    """Pause the ladder: no more games are requested. Raises NotAllowed, Refused."""
    require_instructor(by, ladder.assignment.course)
    ladder = _open_one(ladder)
    if ladder.paused_at is not None:
        raise Refused("The ladder is paused already.")
    now = at or timezone.now()
    _stop(ladder, now)
    _record(ActKind.LADDER_PAUSED, ladder, by, now)


def _stop(ladder: Ladder, at: datetime) -> None:
    ladder.paused_at, ladder.paused_because = at, ""
    ladder.save(update_fields=["paused_at", "paused_because"])
    ladder.jobs.cancel()
    sum_up(ladder, at=at)


@transaction.atomic
def resume_ladder(*, ladder: Ladder, by: User, at: datetime | None = None) -> None:
    """Let a paused ladder go on. Raises NotAllowed, Refused."""
    require_instructor(by, ladder.assignment.course)
    ladder = _open_one(ladder)
    if ladder.paused_at is None:
        raise Refused("The ladder is not paused.")
    now = at or timezone.now()
    ladder.paused_at, ladder.paused_because = None, ""
    ladder.save(update_fields=["paused_at", "paused_because"])
    _record(ActKind.LADDER_RESUMED, ladder, by, now)
    forget_cancelled(ladder)
    enter_versions(ladder, at=now)
    schedule_next(ladder, at=now)


@transaction.atomic
def close_ladder(*, ladder: Ladder, by: User, at: datetime | None = None) -> None:
    """End it; its standings stay, and another can be opened. Raises NotAllowed, Refused."""
    require_instructor(by, ladder.assignment.course)
    ladder = _open_one(ladder)
    now = at or timezone.now()
    _stop(ladder, now)
    ladder.closed_at = now
    ladder.save(update_fields=["closed_at"])
    _record(ActKind.LADDER_CLOSED, ladder, by, now)


def _record(kind: ActKind, ladder: Ladder, by: User, at: datetime, team: int | None = None) -> None:
    record(kind, by=by, team=team, thing=ladder.assignment, at=at)


@transaction.atomic
def withdraw(*, entry: LadderEntry, by: User, at: datetime | None = None) -> None:
    """Remove a team's version from the ladder permanently. An earlier one may replace it.

    Its team and staff may. Raises NotAllowed, Refused.
    """
    require_unarchived(entry.ladder.assignment.course)
    ladder = _open_one(entry.ladder)
    entry = ladder.entries.select_related("submission__team").get(pk=entry.pk)
    require_may_withdraw(entry, by)
    if not entry.plays:
        raise Refused("This version has left the ladder already.")
    now = at or timezone.now()
    leave(entry, Departure.WITHDRAWN, at=now)
    submission = entry.submission
    if submission is not None and not is_own_team(by, submission.team):
        _record(ActKind.LADDER_WITHDRAWN, ladder, by, now, team=submission.team_id)
    enter_versions(ladder, at=now)
    schedule_next(ladder, at=now)


def require_may_withdraw(entry: LadderEntry, user: User) -> None:
    """Raise NotAllowed unless the version is of the user's team, or they may grade it."""
    submission = entry.submission
    if submission is not None and (
        is_own_team(user, submission.team)
        or Right.GRADE in viewer_in(user, entry.ladder.assignment.course).rights
    ):
        return
    raise NotAllowed("Only its team and the course’s staff may withdraw an agent.")


def _open_one(ladder: Ladder) -> Ladder:
    ladder = locked(ladder, "assignment")
    if not ladder.is_open:
        raise Refused("The ladder is closed.")
    return ladder
