"""The rows that staff have chosen on the page of an assignment's teams."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from grader.core.words import counted
from webapp.pages.confirming import Question
from webapp.pages.http import chosen_id
from webapp.teaching.courses.models import Assignment, Enrolment, Membership, Role, Team
from webapp.teaching.courses.permissions import Viewer
from webapp.teaching.courses.rights import Right


@dataclass(frozen=True, slots=True)
class Chosen:
    """The teams that an address names, and the students without a team."""

    assignment: Assignment
    teams: Sequence[Team]
    students: Sequence[Enrolment]

    @property
    def words(self) -> str:
        """Their number: ``2 teams and 1 student``."""
        numbers = ((len(self.teams), "team"), (len(self.students), "student"))
        return " and ".join(counted(number, noun) for number, noun in numbers if number)

    @property
    def names(self) -> str:
        """Their names, by the alphabet."""
        return ", ".join(sorted(map(str, (*self.teams, *(one.user for one in self.students)))))

    @property
    def enrolments(self) -> list[Enrolment]:
        """Return the students and the teams' members who are still in the course."""
        members = self.assignment.course.enrolments.active().filter(
            role=Role.STUDENT, user__memberships__team__in=self.teams
        )
        return [*members.select_related("user", "course", "section"), *self.students]

    def require(self, viewer: Viewer, right: Right) -> None:
        """Raise NotAllowed unless the viewer has the right over each of them."""
        members: dict[int, list[int]] = {team.pk: [] for team in self.teams}
        memberships = Membership.objects.filter(team__in=self.teams)
        for team, user in memberships.values_list("team", "user"):
            members[team].append(user)
        groups = [*members.values(), *([one.user_id] for one in self.students)]
        viewer.require_right_over_each(right, groups)

    def question(self, **words: Any) -> Question:
        """Ask about them, and lead back to the page where they were chosen."""
        assignment = self.assignment
        return Question(
            **words,
            back=reverse("evaluations:staff", args=[assignment.course.slug, assignment.slug]),
            assignment=assignment,
        )


def chosen_in(request: HttpRequest, assignment: Assignment) -> Chosen:
    """Return the chosen rows that the assignment has."""
    teams, students = (
        [key for text in request.GET.getlist(name) if (key := chosen_id(text))]
        for name in ("team", "student")
    )
    places = assignment.course.enrolments.active().filter(role=Role.STUDENT, pk__in=students)
    return Chosen(
        assignment,
        list(assignment.teams.filter(pk__in=teams).select_related("assignment__course")),
        list(places.select_related("user", "course", "section")),
    )


def ask_to_choose(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Send back who has chosen nothing."""
    messages.warning(request, "Choose teams first.")
    return redirect("evaluations:staff", assignment.course.slug, assignment.slug)
