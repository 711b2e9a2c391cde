"""The one place that decides whether students may see a team's graded games and points.

A held assignment shows students nothing of its graded evaluations until staff release them: for
everybody, or for a section. A team's are released when those of all its members are, so that no
partner learns them from another. Staff always see everything.
"""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from webapp.courses.models import (
    Assignment,
    Enrolment,
    EnrolmentState,
    GradeRelease,
    Membership,
    Role,
    Team,
)
from webapp.courses.permissions import Person, is_staff_of

__all__ = ["held_students", "held_teams", "is_held", "is_released", "released_teams", "sees_grade"]


def released_teams() -> QuerySet[Team]:
    """Return the teams whose grades students may see."""
    releases = GradeRelease.objects.filter(assignment=OuterRef("assignment"))
    for_everybody = Exists(releases.filter(section__isnull=True))
    members = Enrolment.objects.filter(
        user__memberships__team=OuterRef("pk"),
        course=OuterRef("assignment__course"),
        role=Role.STUDENT,
        state__in=(EnrolmentState.ACTIVE, EnrolmentState.WITHDRAWN),
    )
    own = GradeRelease.objects.filter(
        assignment=OuterRef(OuterRef("assignment")), section=OuterRef("section")
    )
    by_section = Exists(members) & ~Exists(members.exclude(Exists(own)))
    return Team.objects.filter(Q(assignment__holds_grades=False) | for_everybody | by_section)


def is_released(team: Team) -> bool:
    """Return whether the team's members may see its grade. One query at most."""
    return not team.assignment.holds_grades or released_teams().filter(pk=team.pk).exists()


def is_held(assignment: Assignment) -> bool:
    """Return whether some grades of the assignment are hidden from students. One query at most."""
    if not assignment.holds_grades:
        return False
    return not assignment.releases.filter(section__isnull=True).exists()


def held_teams(assignment: Assignment) -> frozenset[int]:
    """Return the keys of the teams whose grades are hidden from students. Two queries at most."""
    if not is_held(assignment):
        return frozenset()
    shown = released_teams().filter(assignment=assignment).values("pk")
    held = Team.objects.filter(assignment=assignment).exclude(pk__in=shown)
    return frozenset(held.values_list("pk", flat=True))


def held_students(assignment: Assignment, users: Collection[int] | None = None) -> frozenset[int]:
    """Return the keys of students from whom their points are hidden; of these, or of all.

    With a team: as long as the team's are. Four queries at most, none where nothing is held.
    """
    if not is_held(assignment):
        return frozenset()
    students = Enrolment.objects.filter(course=assignment.course_id, role=Role.STUDENT)
    in_teams = Membership.objects.filter(assignment=assignment)
    if users is not None:
        students, in_teams = students.filter(user__in=users), in_teams.filter(user__in=users)
    open_sections = assignment.releases.filter(section__isnull=False).values("section")
    alone = students.exclude(section__in=open_sections).values_list("user_id", flat=True)
    teams, held = dict(in_teams.values_list("user_id", "team_id")), held_teams(assignment)
    return frozenset(
        {user for user in alone if user not in teams}
        | {user for user, team in teams.items() if team in held}
    )


def sees_grade(user: Person, team: Team) -> bool:
    """Return whether the user may see the team's graded games and points, if they see the team."""
    return is_released(team) or is_staff_of(user, team.assignment.course)
