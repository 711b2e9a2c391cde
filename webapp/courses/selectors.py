"""What is asked about courses and teams."""

from webapp.courses.models import Assignment, Team
from webapp.courses.permissions import Person


def team_of(user: Person, assignment: Assignment) -> Team | None:
    """The user's team with its members, if they have one. Two queries."""
    if not user.is_authenticated:
        return None
    return (
        Team.objects.filter(assignment=assignment, memberships__user=user)
        .select_related("assignment__course")
        .prefetch_related("users")
        .first()
    )
