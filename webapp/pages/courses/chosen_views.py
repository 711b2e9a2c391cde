"""Acts for all rows that staff have chosen on the page of an assignment's teams."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from grader.core.words import counted
from webapp import pipeline
from webapp.accounts.models import User
from webapp.auditlog.services import recorded
from webapp.courses import services
from webapp.courses.models import Assignment, Enrolment, Role, Section, Team
from webapp.courses.permissions import (
    require_instructor,
    require_right,
    require_right_for,
    require_staff,
)
from webapp.courses.rights import Right
from webapp.pages.confirming import Question, ask
from webapp.pages.courses.forms import ExtensionForm
from webapp.pages.courses.forms.people import IntoSectionForm
from webapp.pages.courses.team_views import say
from webapp.pages.http import chosen_id, current_user, is_saved, say_done
from webapp.pages.lookup import visible_assignment


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
        """The students and the members of the teams, as far as they are in the course."""
        members = self.assignment.course.enrolments.active().filter(
            role=Role.STUDENT, user__memberships__team__in=self.teams
        )
        return [*members.select_related("user", "section"), *self.students]


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
    messages.warning(request, "Choose teams first.", "warn")
    return redirect("evaluations:staff", assignment.course.slug, assignment.slug)


@login_required
@require_http_methods(["GET", "POST"])
def extensions(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Give more time to the chosen, once it is said until when and why."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    by = current_user(request)
    require_staff(by, assignment.course)
    chosen = chosen_in(request, assignment)
    if not chosen.words:
        return ask_to_choose(request, assignment)
    for team in chosen.teams:
        require_right_for(by, team, Right.EXTEND)
    for place in chosen.students:
        require_right(by, assignment.course, Right.EXTEND, people=[place.user_id])
    with timezone.override(assignment.course.tz):
        form = ExtensionForm(request.POST or None, initial={"due_at": assignment.due_at})
        with recorded() as acts:
            saved = form.is_valid() and is_saved(
                form, lambda: extend_all(chosen, by, form.cleaned_data)
            )
        if saved:
            until = say(form.cleaned_data["due_at"])
            say_done(request, f"{chosen.words} got time until {until}.", acts)
            return redirect("evaluations:staff", course_slug, assignment_slug)
        status = 422 if form.errors else 200
        return ask(request, extensions_question(chosen, form), status=status)


def extend_all(chosen: Chosen, by: User, values: dict[str, Any]) -> None:
    """Hand the form's values to the service."""
    pipeline.change_dates(
        course=chosen.assignment.course,
        by=by,
        change=lambda: services.extend_all(
            assignment=chosen.assignment,
            teams=chosen.teams,
            students=chosen.students,
            by=by,
            **values,
        ),
    )


def extensions_question(chosen: Chosen, form: ExtensionForm) -> Question:
    """Ask for the new deadline, and the reason."""
    assignment = chosen.assignment
    return Question(
        title=f"Give {chosen.words} more time?",
        effects=(
            f"{chosen.names}.",
            "They get an e-mail. A later extension that one of them has is replaced.",
        ),
        undoing=f"Times are {assignment.course.timezone}. You can undo it right afterwards.",
        button="Give more time",
        back=reverse("evaluations:staff", args=[assignment.course.slug, assignment.slug]),
        form=form,
        course=assignment.course,
        assignment=assignment,
    )


@login_required
@require_http_methods(["GET", "POST"])
def into_section(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Move the chosen into a section, once it is said which."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    by = current_user(request)
    require_instructor(by, assignment.course)
    chosen = chosen_in(request, assignment)
    people = chosen.enrolments
    if not people:
        return ask_to_choose(request, assignment)
    form = IntoSectionForm(request.POST or None, course=assignment.course)
    with recorded() as acts:
        saved = form.is_valid() and is_saved(
            form, lambda: move(assignment, people, by, form.cleaned_data["section"])
        )
    if saved:
        into = form.cleaned_data["section"] or "no section"
        say_done(request, f"{counted(len(people), 'student')} moved to {into}.", acts)
        return redirect("evaluations:staff", course_slug, assignment_slug)
    status = 422 if form.errors else 200
    return ask(request, section_question(chosen, people, form), status=status)


def move(
    assignment: Assignment, people: Sequence[Enrolment], by: User, section: Section | None
) -> None:
    """Hand the section to the service; another one may change points."""
    pipeline.change_dates(
        course=assignment.course,
        by=by,
        change=lambda: services.change_people(
            course=assignment.course,
            by=by,
            enrolments=people,
            section=section,
            no_section=section is None,
        ),
    )


def section_question(
    chosen: Chosen, people: Sequence[Enrolment], form: IntoSectionForm
) -> Question:
    """Ask for the section."""
    assignment = chosen.assignment
    return Question(
        title=f"Move {counted(len(people), 'student')} to a section?",
        effects=(
            f"{chosen.names}.",
            "The section’s due dates hold for them in every assignment of the course.",
            "Points of uploads whose lateness changes are computed again.",
        ),
        undoing="You can undo it right afterwards.",
        button="Move to section",
        back=reverse("evaluations:staff", args=[assignment.course.slug, assignment.slug]),
        form=form,
        course=assignment.course,
        assignment=assignment,
    )
