"""Decides, alone, which points a student has, and which of them a person may see.

Staff see everything; a student sees their own, once they are released.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.gradebook.models import Grade, ManualPoints
from webapp.teaching.courses.models import Assignment, Membership, Team
from webapp.teaching.courses.permissions import Person, viewer_in
from webapp.teaching.courses.releases import held_by_assignment

_NOTHING: Final = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    grade: Grade | None
    manual: tuple[ManualPoints, ...] = ()
    """Points by hand that hold, by their sources."""
    is_held: bool = False

    @property
    def total(self) -> Decimal | None:
        """Never below zero; ``None`` without points. Nothing is deducted before games give any."""
        fixed = [row.points for row in self.manual if row.replaces and row.points is not None]
        if fixed:
            return fixed[0]
        more = sum((row.points for row in self.manual if row.points is not None), _NOTHING)
        if self.grade is None:
            return more if more > 0 else None
        return max(self.grade.points + more, _NOTHING)

    @property
    def is_adjusted(self) -> bool:
        return any(row.points is not None for row in self.manual)

    @property
    def by_hand(self) -> ManualPoints | None:
        """The row that staff gave by hand, and not a tournament."""
        return next((row for row in self.manual if not row.source), None)

    @property
    def comments(self) -> str:
        return "\n".join(row.comment for row in self.manual if row.comment)

    @property
    def exists(self) -> bool:
        return self.grade is not None or bool(self.manual)


def all_points(
    assignments: Collection[Assignment],
    users: Collection[int] | None = None,
    *,
    with_runs: bool = True,
) -> dict[tuple[int, int], Points]:
    """Return the points by assignment and user, of these users or of all. For staff only.

    Seven queries at most, three where nothing is held. Without ``with_runs``, grades are read
    without their evaluations and long columns.
    """
    memberships = Membership.objects.filter(assignment__in=assignments)
    grades = Grade.objects.filter(team__assignment__in=assignments, is_current=True)
    if users is not None:
        memberships = memberships.filter(user__in=users)
        grades = grades.filter(team__in=memberships.values("team"))
    if with_runs:
        grades = grades.select_related("evaluation__submission")
    else:
        grades = grades.only("team_id", "points", "graded_at")
    by_team = {grade.team_id: grade for grade in grades}
    manual = manual_points(assignments, users)
    held = held_by_assignment(assignments, users)
    keys = memberships.values_list("assignment_id", "user_id", "team_id")
    teams = {(assignment, user): team for assignment, user, team in keys}
    return {
        (assignment, user): Points(
            grade=by_team.get(teams.get((assignment, user), 0)),
            manual=manual.get((assignment, user), ()),
            is_held=user in held[assignment],
        )
        for assignment, user in dict.fromkeys([*manual, *teams])
    }


def own_points(user: Person, assignments: Iterable[Assignment]) -> dict[int, Points]:
    """Return the user's own points that they may see, by assignment. A fixed number of queries."""
    wanted = list(assignments)
    if user.pk is None or not wanted:
        return {}
    return {
        assignment: points
        for (assignment, _), points in all_points(wanted, [user.pk]).items()
        if points.exists and (not points.is_held or _is_staff(user, assignment, wanted))
    }


def _is_staff(user: Person, pk: int, assignments: Iterable[Assignment]) -> bool:
    asked = (assignment for assignment in assignments if assignment.pk == pk)
    return any(viewer_in(user, assignment.course).is_staff for assignment in asked)


def own_points_of(user: Person, assignment: Assignment) -> Points | None:
    """Return the user's own points for one assignment, if there are any that they may see."""
    return own_points(user, [assignment]).get(assignment.pk)


def manual_points(
    assignments: Collection[Assignment], users: Collection[int] | None = None
) -> Mapping[tuple[int, int], tuple[ManualPoints, ...]]:
    """Return the points by hand that hold, by assignment and user. One query."""
    rows = ManualPoints.objects.filter(assignment__in=assignments).select_related("given_by")
    if users is not None:
        rows = rows.filter(user__in=users)
    latest: dict[tuple[int, int], dict[str, ManualPoints]] = defaultdict(dict)
    for row in rows.order_by("pk"):  # as they were given under the lock; clocks may be wrong
        latest[row.assignment_id, row.user_id][row.source] = row
    return {key: tuple(by_source.values()) for key, by_source in latest.items()}


def comment_by_hand(assignment: Assignment, user: int) -> str:
    """Return the comment by hand that the student sees now."""
    rows = manual_points([assignment], [user]).get((assignment.pk, user), ())
    return next((row.comment for row in rows if not row.source), "")


def grade_of(team: Team) -> Grade | None:
    """Return the team's grade. One query."""
    return team.grades.filter(is_current=True).select_related("evaluation__submission").first()


def grades_by(evaluations: Iterable[Evaluation]) -> dict[int, Grade]:
    """Return the points that evaluations are worth, by their keys. One query at most.

    They need not be the team's grade now.
    """
    graded = [run.pk for run in evaluations if run.kind == Kind.GRADED and not run.is_open]
    if not graded:
        return {}
    grades = Grade.objects.filter(evaluation__in=graded)
    return {
        grade.evaluation_id: grade for grade in grades.order_by("is_current", "graded_at", "pk")
    }
