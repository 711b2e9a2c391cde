"""Views of what people decide about a ladder."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from webapp.courses.models import Assignment
from webapp.courses.permissions import require_instructor
from webapp.ladders import selectors, services
from webapp.ladders.models import Ladder
from webapp.pages.http import attempt, chosen_id, is_saved, person
from webapp.pages.ladders.forms import LadderForm
from webapp.pages.ladders.views import page_of
from webapp.pages.lookup import visible_assignment


def existing(request: HttpRequest, course: str, assignment: str) -> tuple[Assignment, Ladder]:
    """The assignment and its ladder, or 404."""
    found = visible_assignment(request, course, assignment)
    ladder = selectors.ladder_of(found)
    if ladder is None:
        raise Http404("This assignment has no ladder.")
    return found, ladder


def back(assignment: Assignment) -> HttpResponse:
    """To the page of the ladder."""
    return redirect("ladders:ladder", assignment.course.slug, assignment.slug)


@login_required
@require_POST
def open_one(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Open a ladder."""
    found = visible_assignment(request, course, assignment)
    require_instructor(person(request), found.course)
    form = LadderForm(request.POST, assignment=found, ladder=None)

    def act() -> None:
        services.open_ladder(assignment=found, by=person(request), setting=form.setting())

    if not (form.is_valid() and is_saved(form, act)):
        return page_of(request, found, selectors.ladder_of(found), form=form, status=422)
    messages.success(request, "The ladder is open.", "good")
    return back(found)


@login_required
@require_POST
def change(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Change the settings."""
    found, ladder = existing(request, course, assignment)
    require_instructor(person(request), found.course)
    form = LadderForm(request.POST, assignment=found, ladder=ladder)

    def act() -> None:
        services.change_ladder(ladder=ladder, by=person(request), setting=form.setting())

    if not (form.is_valid() and is_saved(form, act)):
        return page_of(request, found, ladder, form=form, status=422)
    messages.success(request, "The settings are saved.", "good")
    return back(found)


def act_on(
    request: HttpRequest,
    course: str,
    assignment: str,
    action: Callable[[Ladder], None],
    done: str,
) -> HttpResponse:
    """Do it to the ladder, and show its page."""
    found, ladder = existing(request, course, assignment)
    attempt(request, lambda: action(ladder), done=done)
    return back(found)


@login_required
@require_POST
def pause(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Ask for no more games."""
    return act_on(
        request,
        course,
        assignment,
        lambda ladder: services.pause_ladder(ladder=ladder, by=person(request)),
        "The ladder is paused. Its games are kept.",
    )


@login_required
@require_POST
def resume(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Let it go on."""
    return act_on(
        request,
        course,
        assignment,
        lambda ladder: services.resume_ladder(ladder=ladder, by=person(request)),
        "The ladder plays again.",
    )


@login_required
@require_POST
def close(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """End it."""
    return act_on(
        request,
        course,
        assignment,
        lambda ladder: services.close_ladder(ladder=ladder, by=person(request)),
        "The ladder is closed. Its standings stay.",
    )


@login_required
@require_POST
def withdraw(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Take a version off the ladder."""
    found, ladder = existing(request, course, assignment)
    entry = get_object_or_404(ladder.entries, number=chosen_id(request.POST.get("entry", "")))
    attempt(
        request,
        lambda: services.withdraw(entry=entry, by=person(request)),
        done=f"{entry} has left the ladder.",
    )
    return back(found)
