"""Permissions to see a leaderboard."""

from django.utils import timezone

from webapp.teaching.courses.models import Assignment, LeaderboardVisibility
from webapp.teaching.courses.permissions import Person, viewer_in


def may_see_board(user: Person, assignment: Assignment) -> bool:
    """Staff always; others once it has opened, as the assignment says. At most two queries."""
    if timezone.now() < assignment.opens_at:
        return viewer_in(user, assignment.course).is_staff
    if assignment.leaderboard == LeaderboardVisibility.PUBLIC:
        return True
    if assignment.leaderboard == LeaderboardVisibility.COURSE:
        return viewer_in(user, assignment.course).is_member
    return viewer_in(user, assignment.course).is_staff
