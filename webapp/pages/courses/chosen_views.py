"""Acts for all rows that staff have chosen on the page of an assignment's teams."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from grader.core.words import counted
from webapp.grading.gradebook.services import Reminder, remind, reminder_of
from webapp.pages.confirming import Question, ask_with_form
from webapp.pages.courses.dates_views import change_dates
from webapp.pages.courses.forms.dates import ExtensionForm
from webapp.pages.courses.forms.people import IntoSectionForm, ReminderForm
from webapp.pages.courses.team_views import say
from webapp.pages.http import chosen_id, current_user, signed_in, viewer_of
from webapp.pages.lookup import visible_assignment
from webapp.teaching.courses import services
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


@signed_in("GET", "POST")
def extensions(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Give more time to the chosen, once it is said until when and why."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    chosen = chosen_in(request, assignment)
    chosen.require(viewer_of(request, assignment.course), Right.EXTEND)
    if not chosen.words:
        return ask_to_choose(request, assignment)
    course, whom = assignment.course, {"teams": chosen.teams, "students": chosen.students}
    question = chosen.question(
        title=f"Give {chosen.words} more time?",
        effects=(
            f"{chosen.names}.",
            "They get an e-mail. If one of them already has a later extension, it is replaced.",
        ),
        undoing=f"Times are in the time zone {course.timezone}. You can undo it right afterwards.",
        button="Give more time",
    )
    with timezone.override(course.tz):
        form = ExtensionForm(request.POST or None, initial={"due_at": assignment.due_at})
        return ask_with_form(
            request,
            question,
            form,
            act=lambda values: change_dates(
                request, course, services.extend_all, assignment=assignment, **whom, **values
            ),
            done=lambda _: f"{chosen.words} got time until {say(form.cleaned_data['due_at'])}.",
        )


@signed_in("GET", "POST")
def into_section(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Move the chosen into a section, once it is said which."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    chosen = chosen_in(request, assignment)
    viewer_of(request, assignment.course).require_instructor()
    people = chosen.enrolments
    if not people:
        return ask_to_choose(request, assignment)
    number = counted(len(people), "student")
    question = chosen.question(
        title=f"Move {number} to a section?",
        effects=(
            f"{chosen.names}.",
            "The section’s due dates apply to them in every assignment of the course.",
            "Points are recomputed for uploads whose lateness changes.",
        ),
        undoing="You can undo it right afterwards.",
        button="Move to section",
    )
    form = IntoSectionForm(request.POST or None, course=assignment.course)
    return ask_with_form(
        request,
        question,
        form,
        act=lambda values: change_dates(
            request,
            assignment.course,
            services.change_people,
            course=assignment.course,
            enrolments=people,
            section=values["section"],
            no_section=values["section"] is None,
        ),
        done=lambda _: f"{number} moved to {form.cleaned_data['section'] or 'no section'}.",
    )


@signed_in("GET", "POST")
def remind_chosen(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Show which of the chosen would get an e-mail, ask for its text, and send it."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    by, chosen = current_user(request), chosen_in(request, assignment)
    chosen.require(viewer_of(request, assignment.course), Right.ANNOUNCE)
    if not chosen.words:
        return ask_to_choose(request, assignment)
    teams, students = chosen.teams, chosen.students
    reminder = reminder_of(assignment, teams, students, at=timezone.now())
    if not reminder.readers:
        words = " ".join(["None of the chosen gets an e-mail.", *left_out(reminder)])
        messages.warning(request, words)
        return redirect("evaluations:staff", course_slug, assignment_slug)
    number = counted(len(reminder.readers), "student")
    return ask_with_form(
        request,
        reminder_question(chosen, reminder, number),
        ReminderForm(request.POST or None),
        act=lambda values: remind(
            assignment=assignment, teams=teams, students=students, by=by, **values
        ),
        done=lambda _: f"{number} will get an e-mail within minutes.",
    )


def left_out(reminder: Reminder) -> list[str]:
    """Return a sentence for each reason why some of the chosen get no e-mail."""
    numbers = (
        (reminder.uploaded, "have uploaded something", "has uploaded something"),
        (reminder.lately, "were reminded within the last day", "was reminded within the last day"),
        (reminder.switched_off, "switched reminders off", "switched reminders off"),
    )
    return [f"{number} {one if number == 1 else many}." for number, many, one in numbers if number]


def reminder_question(chosen: Chosen, reminder: Reminder, number: str) -> Question:
    """Ask for the text of the e-mail, and list its recipients."""
    names = ", ".join(sorted(map(str, reminder.readers)))
    return chosen.question(
        title=f"Remind {number}?",
        effects=(
            f"{number} get{'s' if len(reminder.readers) == 1 else ''} an e-mail: {names}.",
            *left_out(reminder),
            "It says when the work is due, with your message above it.",
        ),
        button="Send reminder",
    )
