"""The front page: courses, assignments and standing, in a fixed number of queries."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Subquery

from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.gradebook.models import Grade
from webapp.grading.gradebook.points import Points, own_points
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.deadlines import Deadline
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Role, Team
from webapp.teaching.courses.permissions import Viewer
from webapp.teaching.courses.resolution import resolve_for


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentCard:
    """One assignment, as one person sees it."""

    assignment: Assignment
    team: Team | None
    """The person's team; ``None`` before the first upload and for staff."""
    deadline: Deadline
    """The deadline of the team, or of the person while they have none."""
    latest: Submission | None
    points: Points | None
    """The person's points, if there are any that they may see."""
    practice: Evaluation | None
    """Practice of the last submission that has finished one; with its submission."""

    @property
    def grade(self) -> Grade | None:
        """The worth of the team's games, with their evaluation and its submission."""
        return None if self.points is None else self.points.grade

    @property
    def judged_by(self) -> Evaluation | None:
        """The evaluation with the verdict on the latest submission; ``None`` before practice."""
        runs = (None if self.grade is None else self.grade.evaluation, self.practice)
        number = None if self.latest is None else self.latest.pk
        return next((run for run in runs if run is not None and run.submission_id == number), None)

    @property
    def due_at(self) -> datetime:
        """The due date, with all that was granted."""
        return self.deadline.due_at


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseCard:
    """One course and its assignments, by due date."""

    viewer: Viewer
    assignments: tuple[AssignmentCard, ...]


def my_courses(user: User) -> tuple[CourseCard, ...]:
    """Every course the person is in; operators see all, as instructors."""
    enrolments = Enrolment.objects.active().filter(user=user)
    roles = {course: Role(role) for course, role in enrolments.values_list("course_id", "role")}
    courses = list(Course.objects.visible_to(user))
    cards = assignment_cards(user, Assignment.objects.visible_to(user).select_related("course"))
    return tuple(
        CourseCard(
            viewer=Viewer(user, course, roles.get(course.pk, Role.INSTRUCTOR)),
            assignments=tuple(card for card in cards if card.assignment.course_id == course.pk),
        )
        for course in courses
    )


def assignment_cards(user: User, assignments: Iterable[Assignment]) -> tuple[AssignmentCard, ...]:
    """One card for each assignment."""
    assignments = list(assignments)
    teams = Team.objects.filter(memberships__user=user, assignment__in=assignments)
    mine = {team.assignment_id: team for team in teams.select_related("assignment")}
    latest = latest_submissions(mine.values())
    points = own_points(user, assignments)
    practice = latest_practice(mine.values())
    resolutions = resolve_for(user, assignments)
    return tuple(
        AssignmentCard(
            assignment=assignment,
            team=(team := mine.get(assignment.pk)),
            deadline=resolutions[assignment.pk].of(user.pk).deadline,
            latest=latest.get(team.pk) if team else None,
            points=points.get(assignment.pk),
            practice=practice.get(team.pk) if team else None,
        )
        for assignment in assignments
    )


def latest_submissions(teams: Iterable[Team]) -> dict[int, Submission]:
    """Each team's last upload, by the team's key."""
    newest = Submission.objects.filter(team=OuterRef("team")).order_by("-number").values("pk")[:1]
    submissions = Submission.objects.filter(
        team__in=[team.pk for team in teams], pk=Subquery(newest)
    )
    return {submission.team_id: submission for submission in submissions}


def latest_practice(teams: Iterable[Team]) -> dict[int, Evaluation]:
    """Each team's finished practice of its last submission that has one, by the team's key."""
    current = Evaluation.objects.current().filter(
        submission__team__in=[team.pk for team in teams], kind=Kind.PRACTICE
    )
    return {
        evaluation.submission.team_id: evaluation
        for evaluation in current.select_related("submission").order_by("submission__number")
        if evaluation.submission is not None
    }
