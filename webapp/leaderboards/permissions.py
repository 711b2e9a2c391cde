"""Permissions to see a leaderboard."""

from django.utils import timezone

from webapp.courses.models import Assignment, LeaderboardVisibility
from webapp.courses.permissions import Person, is_member_of, is_staff_of


def may_see_board(user: Person, assignment: Assignment) -> bool:
    """Staff always; others once it has opened, as the assignment says. At most two queries."""
    if timezone.now() < assignment.opens_at:
        return is_staff_of(user, assignment.course)
    if assignment.leaderboard == LeaderboardVisibility.PUBLIC:
        return True
    if assignment.leaderboard == LeaderboardVisibility.COURSE:
        return is_member_of(user, assignment.course)
    return is_staff_of(user, assignment.course)
