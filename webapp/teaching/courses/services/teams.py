"""Teams: everybody who submits has one, alone or with partners."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.aliases import free_alias
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment, Membership, Role, Team
from webapp.teaching.courses.permissions import (
    is_own_team,
    require_participant,
    require_right,
    require_right_for,
    require_unarchived,
    viewer_in,
)
from webapp.teaching.courses.resolution import resolution_of
from webapp.teaching.courses.rights import Right
from webapp.teaching.courses.work import work


@transaction.atomic
def team_for(*, user: User, assignment: Assignment) -> Team:
    """The user's team, made for them alone if they have none. Raises NotAllowed for outsiders."""
    require_participant(user, assignment.course)
    lock(assignment)  # one at a time: two tabs
    team = Team.objects.filter(assignment=assignment, memberships__user=user).first()
    if team is not None:
        return team
    team = Team.objects.create(
        assignment=assignment,
        name=_free_name(assignment, user.display_name),
        alias=free_alias(assignment),
    )
    Membership.objects.create(team=team, assignment=assignment, user=user)
    return team


@transaction.atomic
def join_team(
    *, user: User, assignment: Assignment, join_code: str, at: datetime | None = None
) -> Team:
    """Move to the team of the code, leaving behind only a team of one without submissions.

    Raises NotAllowed; Refused for an unknown code, for a team that is full, over its due date or
    graded, or if the user has submitted already.
    """
    require_participant(user, assignment.course)
    lock(assignment)
    team = _team_with(join_code, assignment)
    own = Membership.objects.filter(assignment=assignment, user=user).select_related("team").first()
    if own is not None and own.team == team:
        return team
    _refuse_closed(team, at or timezone.now())
    if own is not None:
        _leave(own)
    Membership.objects.create(team=team, assignment=assignment, user=user)
    return team


def _team_with(join_code: str, assignment: Assignment) -> Team:
    code = join_code.strip().upper().replace("\0", "")
    team = Team.objects.filter(join_code=code, assignment=assignment).first()
    if team is None:
        raise Refused("No team of this assignment has this code. Ask your partner for it again.")
    return team


@transaction.atomic
def move_student(*, user: User, team: Team, by: User, goes_back: bool = False) -> None:
    """Put a student into a team, at any time; what was submitted stays with the team that did.

    For staff, when students can no longer change teams. ``goes_back``: the student was in this
    team, so that ``by`` may act for it. Raises NotAllowed; Refused for a person who is not a
    student of the course, and for a full team.
    """
    assignment = team.assignment
    require_right(by, assignment.course, Right.TEAMS, people=[user.pk])
    lock(assignment)
    if viewer_in(user, assignment.course).role != Role.STUDENT:
        raise Refused("Only students of this course can be in its teams.")
    if team.memberships.filter(user=user).exists():
        return
    if not goes_back and team.memberships.exists():  # else staff of a section could enter any team
        require_right_for(by, team, Right.TEAMS)
    if team.memberships.count() >= (most := assignment.max_team_size):
        raise Refused(f"This team is full: at most {most} may work together.")
    own = Membership.objects.filter(assignment=assignment, user=user).select_related("team").first()
    if own is not None:
        own.delete()
        _remove_if_useless(own.team)
    Membership.objects.create(team=team, assignment=assignment, user=user)
    record(
        ActKind.TEAM_CHANGED,
        by=by,
        person=user,
        team=team,
        thing=assignment,
        before={"team": own and own.team_id},
        after={"team": team.pk},
    )


def _refuse_closed(team: Team, now: datetime) -> None:
    """Refuse a late joiner, who would share the team's grade: it must still be open to work for."""
    if team.memberships.count() >= (most := team.assignment.max_team_size):
        raise Refused(f"This team is full: at most {most} may work together.")
    if now > resolution_of(team).deadline.ends_at:
        raise Refused("This team's due date has passed: nobody can join it now.")
    if work().is_graded(team):
        raise Refused("This team has been graded: nobody can join it now.")


def _leave(membership: Membership) -> None:
    team = membership.team
    if work().has_uploads(team):
        raise Refused("Your team has already submitted. To change teams, ask your instructor.")
    membership.delete()
    _remove_if_useless(team)


def _remove_if_useless(team: Team) -> None:
    if not team.memberships.exists() and not work().has_uploads(team):
        team.delete()


@transaction.atomic
def rename_team(*, team: Team, by: User, name: str) -> None:
    """Give the team a name; its members and staff may. Raises Refused if it is taken."""
    own = is_own_team(by, team)
    require_unarchived(team.assignment.course)
    if not own:
        require_right_for(by, team, Right.TEAMS)
    lock(team.assignment)  # another team may take the name at this moment
    taken = Team.objects.filter(assignment=team.assignment, name=name.strip()).exclude(pk=team.pk)
    if taken.exists():
        raise Refused("Another team has this name.")
    before, team.name = team.name, name.strip()
    team.full_clean()
    team.save(update_fields=["name"])
    if not own:
        record(
            ActKind.TEAM_RENAMED,
            by=by,
            team=team,
            thing=team.assignment,
            before={"name": before},
            after={"name": team.name},
        )


def _free_name(assignment: Assignment, wanted: str) -> str:
    taken = set(
        Team.objects.filter(assignment=assignment, name__startswith=wanted[:70]).values_list(
            "name", flat=True
        )
    )
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted[:70]} {number}", number + 1
    return name
