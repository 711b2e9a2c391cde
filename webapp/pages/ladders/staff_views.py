"""Views of staff's actions on a ladder."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from webapp.contests.ladders import selectors, services
from webapp.contests.ladders.models import Ladder
from webapp.pages.confirming import Question, ask_first
from webapp.pages.http import chosen_id, current_user, is_saved, run_with_message, signed_in
from webapp.pages.ladders.forms import LadderForm
from webapp.pages.ladders.views import page_of
from webapp.pages.lookup import instructors_assignment, visible_assignment
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import require_instructor


def existing(
    request: HttpRequest, course_slug: str, assignment_slug: str
) -> tuple[Assignment, Ladder]:
    """The assignment and its ladder, or 404."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    ladder = selectors.ladder_of(assignment)
    if ladder is None:
        raise Http404("This assignment has no ladder.")
    return assignment, ladder


def back(assignment: Assignment) -> HttpResponse:
    """Redirect to the page of the ladder."""
    return redirect("ladders:ladder", assignment.course.slug, assignment.slug)


@signed_in("POST")
def open_one(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Open a ladder."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    return _save(
        request,
        assignment,
        selectors.ladder_of(assignment),
        LadderForm(request.POST, assignment=assignment, ladder=None),
        partial(services.open_ladder, assignment=assignment),
        done="The ladder is open.",
    )


@signed_in("POST")
def change(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Change the settings."""
    assignment, ladder = existing(request, course_slug, assignment_slug)
    require_instructor(current_user(request), assignment.course)
    return _save(
        request,
        assignment,
        ladder,
        LadderForm(request.POST, assignment=assignment, ladder=ladder),
        partial(services.change_ladder, ladder=ladder),
        done="The settings are saved.",
    )


def _save(
    request: HttpRequest,
    assignment: Assignment,
    ladder: Ladder | None,
    form: LadderForm,
    service: Callable[..., object],
    *,
    done: str,
) -> HttpResponse:
    if not is_saved(form, lambda: service(by=current_user(request), setting=form.setting())):
        return page_of(request, assignment, ladder, form=form, status=422)
    messages.success(request, done)
    return back(assignment)


def _acting(service: Callable[..., None], done: str) -> Callable[..., HttpResponse]:
    @signed_in("POST")
    def view(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
        assignment, ladder = existing(request, course_slug, assignment_slug)
        by = current_user(request)
        run_with_message(request, lambda: service(ladder=ladder, by=by), done=done)
        return back(assignment)

    return view


pause = _acting(services.pause_ladder, "The ladder is paused. Its games are kept.")
resume = _acting(services.resume_ladder, "The ladder is resumed.")


@signed_in("GET", "POST")
def close(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """End it, once it was asked for a second time."""
    assignment, ladder = existing(request, course_slug, assignment_slug)
    by = current_user(request)
    require_instructor(by, assignment.course)
    question = Question(
        title=f"Close the ladder of {assignment}?",
        effects=(
            "Nothing more is played, and the standings stay as they are.",
            "You can open another ladder, which begins without games.",
        ),
        button="Close ladder",
        back=reverse("ladders:ladder", args=[course_slug, assignment_slug]),
        assignment=assignment,
    )
    act = partial(services.close_ladder, ladder=ladder, by=by)
    return ask_first(request, question, act, done="The ladder is closed. Its standings stay.")


@signed_in("GET", "POST")
def withdraw(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Take a version off the ladder, once it was asked for a second time."""
    assignment, ladder = existing(request, course_slug, assignment_slug)
    asked = request.POST if request.method == "POST" else request.GET
    entry = get_object_or_404(ladder.entries, number=chosen_id(asked.get("entry", "")))
    by = current_user(request)
    services.require_may_withdraw(entry, by)
    question = Question(
        title=f"Withdraw {entry} from the ladder?",
        effects=(
            "It stops playing on this ladder.",
            "The previous version takes its place, if there is one.",
            "Grades are not affected.",
        ),
        button="Withdraw version",
        values={"entry": str(entry.number)},
        back=reverse("ladders:ladder", args=[course_slug, assignment_slug]),
        assignment=assignment,
    )
    act = partial(services.withdraw, entry=entry, by=by)
    return ask_first(request, question, act, done=f"{entry} has left the ladder.")
