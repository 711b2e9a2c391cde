"""Remind chosen teams and students who have uploaded nothing."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from grader.core.words import counted
from webapp.courses.permissions import require_right, require_right_for, require_staff
from webapp.courses.rights import Right
from webapp.gradebook.services import Reminder, remind, reminder_of
from webapp.pages.confirming import Question, ask
from webapp.pages.courses.chosen_views import Chosen, ask_to_choose, chosen_in
from webapp.pages.courses.forms.people import ReminderForm
from webapp.pages.http import current_user, is_saved
from webapp.pages.lookup import visible_assignment


@login_required
@require_http_methods(["GET", "POST"])
def remind_chosen(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Show who of the chosen would get an e-mail, ask for its words, and send it."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    by = current_user(request)
    require_staff(by, assignment.course)
    chosen = chosen_in(request, assignment)
    if not chosen.words:
        return ask_to_choose(request, assignment)
    for team in chosen.teams:
        require_right_for(by, team, Right.ANNOUNCE)
    for place in chosen.students:
        require_right(by, assignment.course, Right.ANNOUNCE, people=[place.user_id])
    reminder = reminder_of(assignment, chosen.teams, chosen.students, at=timezone.now())
    form = ReminderForm(request.POST or None)
    if not reminder.readers:
        words = " ".join(["None of the chosen gets an e-mail.", *left_out(reminder)])
        messages.warning(request, words, "warn")
    elif form.is_valid() and is_saved(
        form,
        lambda: remind(
            assignment=assignment,
            teams=chosen.teams,
            students=chosen.students,
            by=by,
            message=form.cleaned_data["message"],
        ),
    ):
        words = f"{counted(len(reminder.readers), 'student')} will get an e-mail within minutes."
        messages.success(request, words, "good")
    else:
        return ask(request, question(chosen, reminder, form), status=422 if form.errors else 200)
    return redirect("evaluations:staff", course_slug, assignment_slug)


def left_out(reminder: Reminder) -> list[str]:
    """Return a sentence for each reason why some of the chosen get no e-mail."""
    numbers = (
        (reminder.uploaded, "have uploaded something", "has uploaded something"),
        (reminder.lately, "were reminded within the last day", "was reminded within the last day"),
        (reminder.switched_off, "switched reminders off", "switched reminders off"),
    )
    return [f"{number} {one if number == 1 else many}." for number, many, one in numbers if number]


def question(chosen: Chosen, reminder: Reminder, form: ReminderForm) -> Question:
    """Ask for the words of the e-mail, and say who gets it."""
    assignment = chosen.assignment
    number = counted(len(reminder.readers), "student")
    names = ", ".join(sorted(map(str, reminder.readers)))
    return Question(
        title=f"Remind {number}?",
        effects=(
            f"{number} get{'s' if len(reminder.readers) == 1 else ''} an e-mail: {names}.",
            *left_out(reminder),
            "It says when the work is due, with your message above it.",
        ),
        button="Send reminder",
        back=reverse("evaluations:staff", args=[assignment.course.slug, assignment.slug]),
        form=form,
        course=assignment.course,
        assignment=assignment,
    )
