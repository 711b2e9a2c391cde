"""Permissions in a tournament that is visible to the user (``Tournament.objects.visible_to``)."""

from webapp.contests.tournaments.models import Stage, Tournament, TournamentGame
from webapp.teaching.courses.models import Role
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.permissions import Person, viewer_in


def may_see_standings(role: Role | None, tournament: Tournament) -> bool:
    """Return whether this role sees the results, or anybody sees the standings."""
    return tournament.is_public or may_see_results(role, tournament)


def may_see_results(role: Role | None, tournament: Tournament) -> bool:
    """Return whether this role sees standings, games and faults: staff always.

    Deals are no secret after the release: agents cannot change, and every table plays them.
    """
    if tournament.stage == Stage.RESULTS:
        return role is not None
    return role in STAFF_ROLES


def may_see_evidence(user: Person, tournament: Tournament, game: TournamentGame) -> bool:
    """Return whether the user is staff or of the team at fault: a traceback shows sources."""
    if viewer_in(user, tournament.assignment.course).is_staff:
        return True
    if game.culprit is None or user.pk is None:
        return False
    mine = tournament.participants.filter(submission__team__memberships__user_id=user.pk)
    return mine.filter(number=game.culprit).exists()
