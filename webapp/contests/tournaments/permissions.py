"""Permissions in a tournament that is visible to the user (``Tournament.objects.visible_to``)."""

from webapp.contests.tournaments.models import Stage, Tournament, TournamentGame
from webapp.teaching.courses.models import Role
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.permissions import Person, viewer_in


def may_see_standings(role: Role | None, tournament: Tournament) -> bool:
    """Return whether who has this role in the course may see standings: if they may see the
    results, or, by alias, if it is public."""
    return tournament.is_public or may_see_results(role, tournament)


def may_see_results(role: Role | None, tournament: Tournament) -> bool:
    """Return whether who has this role in the course may see standings, games and faults: staff
    always, others enrolled once they are released.

    Deals are no secret then: agents cannot change any more, and every table plays them.
    """
    if tournament.stage == Stage.RESULTS:
        return role is not None
    return role in STAFF_ROLES


def may_see_evidence(user: Person, tournament: Tournament, game: TournamentGame) -> bool:
    """Return whether the user may see input and output of the agent at fault: its team, staff.

    A traceback shows sources."""
    if viewer_in(user, tournament.assignment.course).is_staff:
        return True
    if game.culprit is None or user.pk is None:
        return False
    mine = tournament.participants.filter(submission__team__memberships__user_id=user.pk)
    return mine.filter(number=game.culprit).exists()
