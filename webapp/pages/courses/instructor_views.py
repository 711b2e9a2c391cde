"""Views for instructors: an assignment's form, its leaderboard, its secret."""

from copy import copy
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grader.core.games import DEFAULT_GAME, GAMES
from grader.core.words import counted
from webapp import pipeline
from webapp.courses import references, services
from webapp.courses.models import Assignment, Course, LeaderboardVisibility
from webapp.courses.models.assignment import default_limits
from webapp.courses.permissions import require_instructor
from webapp.courses.resolution import last_ends_at
from webapp.evaluations.selectors import references_of
from webapp.gradebook.overview import staff_overview
from webapp.gradebook.selectors import n_graded
from webapp.pages.courses.forms import AssignmentForm
from webapp.pages.courses.forms.initial import first_rules, initial_of, initial_of_new
from webapp.pages.courses.forms.refresh import (
    REFRESH,
    Source,
    kept_inputs,
    parse_rules,
    refresh_form,
)
from webapp.pages.http import attempt, person, tell_form
from webapp.pages.lookup import visible_assignment, visible_course


@login_required
@require_http_methods(["GET", "POST"])
def new_assignment(request: HttpRequest, course: str) -> HttpResponse:
    """Create an assignment."""
    found = visible_course(request, course)
    require_instructor(person(request), found)
    game = asked_game(request)
    source = Source(
        defaults=lambda rules: {
            "leaderboard": found.leaderboard_default,
            "opens_at": timezone.now(),
            **initial_of_new(rules),
        },
        build=lambda game, initial: AssignmentForm(course=found, game=game, initial=initial),
    )
    with timezone.override(found.tz):
        if REFRESH in request.POST:
            return follow(request, found, game=game, source=source)
        form = AssignmentForm(
            request.POST or None,
            course=found,
            game=game,
            initial=source.defaults(first_rules(game)),
        )
        if form.is_valid():
            made = tell_form(form, lambda: create(request, found, form))
            if made is not None:
                messages.success(request, "Assignment created.", "good")
                return redirect("courses:assignment", found.slug, made.slug)
        return show_form(request, found, form, kept=kept_inputs(request.POST, form))


def asked_game(request: HttpRequest) -> str:
    """Return the game of a new assignment, from the form or from a link to it."""
    wanted = request.POST.get("game") or request.GET.get("game", "")
    return wanted if wanted in GAMES else DEFAULT_GAME


def follow(
    request: HttpRequest,
    course: Course,
    *,
    game: str,
    source: Source,
    assignment: Assignment | None = None,
) -> HttpResponse:
    """Show the form for the chosen game and variant, and keep what was typed.

    htmx gets the parts that differ; a page without scripts is sent whole.
    """
    before = parse_rules(request.POST.get("shown_rules", "")) or first_rules(game)
    shown = refresh_form(request.POST, before=before, game=game, source=source)
    template = "assignment_form.html"
    if request.headers.get("HX-Request"):
        template = "_assignment_changes.html"
    return show_form(
        request, course, shown.form, assignment, kept=shown.kept, shown=shown, template=template
    )


def show_form(
    request: HttpRequest,
    course: Course,
    form: AssignmentForm,
    assignment: Assignment | None = None,
    *,
    template: str = "assignment_form.html",
    **context: object,
) -> HttpResponse:
    """Render the form's page, or a part of it."""
    common = {
        "form": form,
        "course": course,
        "assignment": assignment,
        "measured": references.measured_means(form.rules.name),
        "nav": "home",
    }
    return render(request, f"courses/{template}", {**common, **context})


def create(request: HttpRequest, course: Course, form: AssignmentForm) -> Assignment:
    """Hand the form's values to the service."""
    fields = form.fields_for_service(default_limits())
    return services.create_assignment(course=course, by=person(request), **fields)


@login_required
@require_http_methods(["GET", "POST"])
def edit_assignment(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Change an assignment."""
    found = visible_assignment(request, course, assignment)
    require_instructor(person(request), found.course)
    details: dict[str, Any] = {
        "course": found.course,
        "assignment": found,
        "frozen": services.is_frozen(found),
        "n_graded": n_graded(found),
        "references": references_of(found),
    }
    source = Source(
        defaults=lambda _: initial_of(found),
        build=lambda _, initial: AssignmentForm(**details, initial=initial),
    )
    with timezone.override(found.course.tz):
        if REFRESH in request.POST:
            return follow(request, found.course, game=found.game, source=source, assignment=found)
        form = AssignmentForm(request.POST or None, **details, initial=initial_of(found))
        if form.is_valid():
            regraded = tell_form(form, lambda: update(request, found, form))
            if regraded is not None:
                say_changed(request, regraded)
                return redirect("courses:assignment", found.course.slug, found.slug)
        return show_form(request, found.course, form, found)


def update(request: HttpRequest, assignment: Assignment, form: AssignmentForm) -> int:
    """Hand the form's values to the service, with a copy: a refused change must not be shown."""
    fields = form.fields_for_service(assignment.limits)
    return pipeline.update_assignment(assignment=copy(assignment), by=person(request), **fields)


def say_changed(request: HttpRequest, regraded: int) -> None:
    """Tell that the assignment was saved, and how many teams have new points."""
    words = "Assignment saved."
    if regraded:
        words += f" The points of {counted(regraded, 'team')} were recomputed."
    messages.success(request, words, "good")


BOARD_SEEN_BY: Final = {
    LeaderboardVisibility.HIDDEN: "only staff see it",
    LeaderboardVisibility.COURSE: "everybody in the course sees it",
    LeaderboardVisibility.PUBLIC: "everybody sees it, visitors too",
}


@login_required
@require_POST
def set_leaderboard(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Publish or hide the leaderboard."""
    found = visible_assignment(request, course, assignment)
    wanted = request.POST.get("visibility", "")
    if wanted in LeaderboardVisibility.values:
        visibility = LeaderboardVisibility(wanted)
        attempt(
            request,
            lambda: services.set_leaderboard(
                assignment=found, by=person(request), visibility=visibility
            ),
            done=f"The leaderboard was changed: {BOARD_SEEN_BY[visibility]}.",
        )
    return redirect("evaluations:staff", found.course.slug, found.slug)


@login_required
@require_GET
def confirm_reveal(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Explain what revealing the secret does, and ask for confirmation."""
    found = visible_assignment(request, course, assignment)
    require_instructor(person(request), found.course)
    rows = [row for row in staff_overview(found) if row.counted]
    last = last_ends_at(found)
    context = {
        "assignment": found,
        "course": found.course,
        "last_ends_at": last,
        "is_over": timezone.now() > last,
        "ungraded": [row for row in rows if not row.is_graded],
        "nav": "home",
    }
    return render(request, "courses/reveal.html", context)


@login_required
@require_POST
def reveal_secret(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Reveal the secret of the graded deals to the course."""
    found = visible_assignment(request, course, assignment)
    attempt(
        request,
        lambda: services.reveal_secret(assignment=found, by=person(request)),
        done="The secret is now on the assignment's page, and graded games can be replayed.",
    )
    return redirect("evaluations:staff", found.course.slug, found.slug)
