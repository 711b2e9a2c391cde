"""Decides whether students may see a team's graded games and points. No other module does.

A held assignment shows students nothing of its graded evaluations until staff release them: for
everybody, or for a section. A team's are released when those of all its members are, so that no
partner learns them from another. Staff always see everything.
"""

from collections.abc import Collection, Iterable, Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet

from webapp.teaching.courses.models import (
    Assignment,
    Enrolment,
    EnrolmentState,
    GradeRelease,
    Membership,
    Role,
    Team,
)
from webapp.teaching.courses.permissions import Person, viewer_in


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
    of_assignment = GradeRelease.objects.filter(assignment=OuterRef(OuterRef("assignment")))
    first = Exists(of_assignment.filter(section=OuterRef("section")))
    own = first | Exists(of_assignment.filter(section__more_enrolments=OuterRef("pk")))
    by_section = Exists(members) & ~Exists(members.exclude(own))
    return Team.objects.filter(Q(assignment__holds_grades=False) | for_everybody | by_section)


def is_released(team: Team) -> bool:
    """Return whether the team's members may see its grade. One query at most."""
    return not team.assignment.holds_grades or released_teams().filter(pk=team.pk).exists()


# See webapp/decisions/held-grades.md
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
    """Return the keys of students from whom their points are hidden; of these, or of all."""
    return held_by_assignment([assignment], users)[assignment.pk]


def held_by_assignment(
    assignments: Collection[Assignment], users: Collection[int] | None = None
) -> dict[int, frozenset[int]]:
    """Return, by assignment, the keys of students from whom their points are hidden.

    With a team: as long as the team's are. Four queries at most, none where nothing is held.
    """
    holding = {assignment.pk: assignment for assignment in assignments if assignment.holds_grades}
    opened = _open_sections(holding) if holding else {}
    holding = {pk: each for pk, each in holding.items() if None not in opened.get(pk, ())}
    hidden: dict[int, set[int]] = {assignment.pk: set() for assignment in assignments}
    if not holding:
        return {pk: frozenset() for pk in hidden}
    members = _in_teams(holding, users)
    for (of, user), is_hidden in members.items():
        if is_hidden:
            hidden[of].add(user)
    for (course, user), sections in _places(holding, users).items():
        for pk, assignment in holding.items():
            is_alone = course == assignment.course_id and (pk, user) not in members
            if is_alone and sections.isdisjoint(opened.get(pk, ())):
                hidden[pk].add(user)
    return {pk: frozenset(of) for pk, of in hidden.items()}


def _open_sections(assignments: Iterable[int]) -> dict[int, set[int | None]]:
    """By assignment the sections whose grades are released; ``None``: everybody's."""
    opened: dict[int, set[int | None]] = {}
    releases = GradeRelease.objects.filter(assignment__in=assignments)
    for assignment, section in releases.values_list("assignment_id", "section_id"):
        opened.setdefault(assignment, set()).add(section)
    return opened


def _in_teams(
    assignments: Mapping[int, Assignment], users: Collection[int] | None
) -> dict[tuple[int, int], bool]:
    """By assignment and member of a team: are the team's grades hidden?"""
    members = Membership.objects.filter(assignment__in=assignments)
    if users is not None:
        members = members.filter(user__in=users)
    shown = released_teams().filter(assignment__in=assignments).values("pk")
    names = ("assignment_id", "user_id", "team_id")
    hidden = set(members.exclude(team__in=shown).values_list("team_id", flat=True))
    return {(of, user): team in hidden for of, user, team in members.values_list(*names)}


def _places(
    assignments: Mapping[int, Assignment], users: Collection[int] | None
) -> dict[tuple[int, int], set[int | None]]:
    courses = {assignment.course_id for assignment in assignments.values()}
    students = Enrolment.objects.filter(course__in=courses, role=Role.STUDENT)
    if users is not None:
        students = students.filter(user__in=users)
    sections: dict[tuple[int, int], set[int | None]] = {}
    names = ("course_id", "user_id", "section_id", "more_sections")
    for course, user, *some in students.values_list(*names):  # a row for each further section
        sections.setdefault((course, user), set()).update(some)
    return sections


def sees_grade(user: Person, team: Team) -> bool:
    """Return whether the user may see the team's graded games and points, if they see the team."""
    return is_released(team) or viewer_in(user, team.assignment.course).is_staff
