"""Views for instructors: an assignment's form, its leaderboard, its secret."""

from collections.abc import Mapping
from copy import copy
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from grader.core.games import DEFAULT_GAME, GAMES
from grader.core.words import counted
from webapp.base.errors import SAVED_ELSEWHERE, Refused
from webapp.flow import pipeline
from webapp.grading.evaluations.selectors import references_of
from webapp.grading.evaluations.work import is_frozen
from webapp.grading.gradebook.models import Grade
from webapp.grading.gradebook.services import Move, preview_scheme
from webapp.grading.gradebook.work import Work
from webapp.pages.courses.forms.assignment import AssignmentForm
from webapp.pages.courses.forms.initial import (
    REFRESH,
    Source,
    first_rules,
    initial_of,
    initial_of_new,
    kept_inputs,
    parse_rules,
    refresh_form,
)
from webapp.pages.http import (
    assignment_context,
    course_context,
    current_user,
    run_with_form_errors,
    run_with_message,
    saved,
    signed_in,
)
from webapp.pages.lookup import instructors_assignment, instructors_course, visible_assignment
from webapp.pages.saved_values import SEEN, differences_in_words, digest_of
from webapp.teaching.courses import references, services
from webapp.teaching.courses.models import (
    Assignment,
    Course,
    GameFolder,
    LeaderboardVisibility,
)
from webapp.teaching.courses.models.assignment import default_limits

PREVIEW_REASON: Final = "scheme_reason"
"""The field of the preview that says why another scheme holds."""
PREVIEW_BACK: Final = "scheme_back"
"""The button of the preview that leads back to the form."""
MOVES_LISTED: Final = 200


@signed_in("GET", "POST")
def new_assignment(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Create an assignment."""
    course = instructors_course(request, course_slug)
    game = asked_game(request, course)
    source = Source(
        defaults=lambda rules: {
            "leaderboard": course.leaderboard_default,
            **first_dates(),
            **initial_of_new(rules),
        },
        build=lambda game, initial: AssignmentForm(course=course, game=game, initial=initial),
    )
    with timezone.override(course.tz):
        if REFRESH in request.POST:
            return follow(request, course, game=game, source=source)
        form = AssignmentForm(
            request.POST or None,
            course=course,
            game=game,
            initial=source.defaults(first_rules(game)),
        )
        made = saved(form, lambda: create(request, course, form))
        if made is not None:
            messages.success(request, "Assignment created.")
            return redirect("courses:assignment", course.slug, made.slug)
        return show_form(request, course, form, kept=kept_inputs(request.POST, form))


def first_dates() -> dict[str, datetime]:
    """Return the dates that a new assignment is offered, in the active time zone: from now on, due
    at the end of the day in two weeks."""
    now = timezone.localtime()
    due = (now + timedelta(days=14)).replace(hour=23, minute=59, second=0, microsecond=0)
    return {"opens_at": now, "due_at": due}


def asked_game(request: HttpRequest, course: Course) -> str:
    """Return the game of a new assignment, from the form or from a link to it."""
    wanted = request.POST.get("game") or request.GET.get("game", "")
    own = course.game_folders.filter(name=wanted, status=GameFolder.Status.PASSED)
    return wanted if wanted in GAMES or (wanted and own.exists()) else DEFAULT_GAME


def follow(
    request: HttpRequest,
    course: Course,
    *,
    game: str,
    source: Source,
    assignment: Assignment | None = None,
) -> HttpResponse:
    """Show the form for the chosen game and variant, with the values already entered.

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
    """Render the form's page, or a part."""
    common = {
        **course_context(course),
        "form": form,
        "assignment": assignment,
        "measured": references.measured_means(form.rules.name),
        "seen": None if assignment is None else seen_of(request, assignment),
    }
    return render(request, f"courses/{template}", {**common, **context})


def seen_of(request: HttpRequest, assignment: Assignment) -> str:
    """Return the digest for the form: the one that it came with, until a change has been told."""
    initial = initial_of(assignment)
    seen = digest_of(initial)
    was_told = REFRESH not in request.POST and was_changed_meanwhile(request, initial)
    return seen if was_told else request.POST.get(SEEN, seen)


def create(request: HttpRequest, course: Course, form: AssignmentForm) -> Assignment:
    """Hand the form's values to the service."""
    fields = form.fields_for_service(default_limits())
    return services.create_assignment(course=course, by=current_user(request), **fields)


@signed_in("GET", "POST")
def edit_assignment(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Change an assignment."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    frozen = is_frozen(assignment)
    if reason := reason_not_to_edit(assignment, frozen=frozen):
        messages.error(request, reason)
        return redirect("courses:assignment", assignment.course.slug, assignment.slug)
    details: dict[str, Any] = {
        "course": assignment.course,
        "assignment": assignment,
        "frozen": frozen,
        "n_graded": Grade.objects.filter(team__assignment=assignment, is_current=True).count(),
        "references": references_of(assignment),
    }
    source = Source(
        defaults=lambda _: initial_of(assignment),
        build=lambda _, initial: AssignmentForm(**details, initial=initial),
    )
    with timezone.override(assignment.course.tz):
        if REFRESH in request.POST:
            return follow(
                request,
                assignment.course,
                game=assignment.game,
                source=source,
                assignment=assignment,
            )
        initial = initial_of(assignment)
        form = AssignmentForm(request.POST or None, **details, initial=initial)
        if was_changed_meanwhile(request, initial):
            form.add_error(None, f"{SAVED_ELSEWHERE} {differences_in_words(form)}")
        elif form.is_valid() and PREVIEW_BACK not in request.POST:
            if moves := unconfirmed_moves(request, assignment, form):
                return show_preview(request, assignment, form, moves)
            regraded = run_with_form_errors(form, lambda: update(request, assignment, form))
            if regraded is not None:
                say_changed(request, regraded)
                return redirect("courses:assignment", assignment.course.slug, assignment.slug)
        return show_form(request, assignment.course, form, assignment)


def reason_not_to_edit(assignment: Assignment, *, frozen: bool) -> str:
    """Return why the assignment's game keeps its form from opening; empty if it does not."""
    if assignment.rules.is_installed and not frozen:
        return ""  # saving it moves it to the version that is installed
    try:
        assignment.require_installed_game()
    except Refused as error:
        return str(error)
    return ""


def was_changed_meanwhile(request: HttpRequest, initial: Mapping[str, object]) -> bool:
    """Return whether someone else saved the assignment since this form was shown."""
    seen = digest_of(initial)
    return request.POST.get(SEEN, seen) != seen


def unconfirmed_moves(
    request: HttpRequest, assignment: Assignment, form: AssignmentForm
) -> list[Move]:
    """Return the points that another scheme would change, unless that was seen and confirmed."""
    if request.POST.get(PREVIEW_REASON, "").strip() or form.scheme() == assignment.scheme:
        return []
    return preview_scheme(assignment, form.scheme())


def show_preview(
    request: HttpRequest, assignment: Assignment, form: AssignmentForm, moves: list[Move]
) -> HttpResponse:
    """Show who gains and who loses by another scheme, before anything is saved."""
    changed = [move for move in moves if move.by]
    context = {
        **assignment_context(assignment),
        "scheme": form.scheme(),
        "moves": changed[:MOVES_LISTED],
        "n_changed": len(changed),
        "n_up": sum(move.by > 0 for move in changed),
        "n_down": sum(move.by < 0 for move in changed),
        "n_same": len(moves) - len(changed),
        "lacks_reason": PREVIEW_REASON in request.POST,
        "kept": _entered(request),
    }
    return render(request, "courses/scheme_preview.html", context)


def _entered(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of the form, for the preview to send again."""
    own = {PREVIEW_REASON, PREVIEW_BACK, "csrfmiddlewaretoken"}
    lists = ((name, values) for name, values in request.POST.lists() if name not in own)
    return [(name, str(value)) for name, values in lists for value in values]


def update(request: HttpRequest, assignment: Assignment, form: AssignmentForm) -> int:
    """Hand the form's values to the service, with a copy: a refused change must not be shown."""
    fields = form.fields_for_service(assignment.limits)
    return pipeline.update_assignment(
        assignment=copy(assignment),
        by=current_user(request),
        reason=request.POST.get(PREVIEW_REASON, "")[:200],
        **fields,
    )


def say_changed(request: HttpRequest, regraded: int) -> None:
    """Tell that the assignment was saved, and how many teams have new points."""
    words = "Assignment saved."
    if regraded:
        words += f" The points of {counted(regraded, 'team')} were recomputed."
    messages.success(request, words)


BOARD_SEEN_BY: Final = {
    LeaderboardVisibility.HIDDEN: "only staff see it",
    LeaderboardVisibility.COURSE: "everybody in the course sees it",
    LeaderboardVisibility.PUBLIC: "everybody sees it, visitors too",
}


@signed_in("POST")
def set_leaderboard(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Publish or hide the leaderboard."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    wanted = request.POST.get("visibility", "")
    if wanted in LeaderboardVisibility.values:
        visibility = LeaderboardVisibility(wanted)
        run_with_message(
            request,
            lambda: services.set_leaderboard(
                assignment=assignment, by=current_user(request), visibility=visibility
            ),
            done=f"The leaderboard was changed: {BOARD_SEEN_BY[visibility]}.",
            undo=True,
        )
    return redirect("evaluations:staff", assignment.course.slug, assignment.slug)


@signed_in("POST")
def set_board_lines(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Choose the house agents that the leaderboard draws as lines."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    run_with_message(
        request,
        lambda: services.set_board_lines(
            assignment=assignment, by=current_user(request), names=request.POST.getlist("line")
        ),
        done="The leaderboard's lines were changed.",
    )
    return redirect("leaderboards:leaderboard", assignment.course.slug, assignment.slug)


@signed_in("GET")
def confirm_reveal(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Explain what revealing the secret does, and ask for confirmation."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    work = Work([assignment])
    last = work.by_assignment[assignment.pk].last_ends_at
    context = {
        **assignment_context(assignment),
        "last_ends_at": last,
        "is_over": work.now > last,
        "ungraded": [row for row in work.rows() if row.counted and not row.is_graded],
    }
    return render(request, "courses/reveal.html", context)


@signed_in("POST")
def reveal_secret(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Reveal the secret of the graded deals to the course."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    run_with_message(
        request,
        lambda: services.reveal_secret(assignment=assignment, by=current_user(request)),
        done="The secret is now on the assignment's page, and students can replay graded games.",
    )
    return redirect("evaluations:staff", assignment.course.slug, assignment.slug)
