"""Permissions in a tournament that a user may see at all (``Tournament.objects.visible_to``)."""

from webapp.courses.permissions import Person, is_member_of, is_staff_of
from webapp.tournaments.models import Stage, Tournament, TournamentGame

__all__ = ["may_see_evidence", "may_see_results", "may_see_standings"]


def may_see_standings(user: Person, tournament: Tournament) -> bool:
    """Return whether the user may see standings: if they may see the results, or, by alias, if it
    is public."""
    return tournament.is_public or may_see_results(user, tournament)


def may_see_results(user: Person, tournament: Tournament) -> bool:
    """Return whether the user may see standings, games and faults: staff always, others enrolled
    once they are released.

    Deals are no secret then: agents cannot change any more, and every table plays them.
    """
    course = tournament.assignment.course
    if tournament.stage == Stage.RESULTS:
        return is_member_of(user, course)
    return is_staff_of(user, course)


def may_see_evidence(user: Person, tournament: Tournament, game: TournamentGame) -> bool:
    """Return whether the user may see input and output of the agent at fault: its team, staff.

    A traceback shows sources."""
    if is_staff_of(user, tournament.assignment.course):
        return True
    if game.culprit is None or user.pk is None:
        return False
    mine = tournament.participants.filter(submission__team__memberships__user_id=user.pk)
    return mine.filter(number=game.culprit).exists()
