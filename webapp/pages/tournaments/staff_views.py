"""Views of what instructors do to tournaments."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from webapp.courses.permissions import require_instructor
from webapp.courses.resolution import resolve_assignment
from webapp.evaluations.history import submissions_in_test
from webapp.pages.http import current_user, run_with_form_errors, run_with_message
from webapp.pages.lookup import visible_assignment
from webapp.pages.tournaments.forms import ExclusionForm, TournamentForm
from webapp.pages.tournaments.views import visible_tournament
from webapp.submissions.selectors import submissions_of
from webapp.tournaments import services
from webapp.tournaments.models import Stage, Tournament
from webapp.tournaments.services.starting import table_spread


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Start a tournament from an assignment."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    require_instructor(current_user(request), assignment.course)
    form = TournamentForm(request.POST or None, assignment=assignment)
    if form.is_valid():
        made = run_with_form_errors(
            form,
            lambda: services.start_tournament(
                assignment=assignment,
                by=current_user(request),
                title=form.cleaned_data["title"],
                setting=form.setting(),
            ),
        )
        if made is not None:
            messages.success(request, "The tournament is queued. Only staff see it yet.", "good")
            return redirect("tournaments:tournament", made.uuid)
    teams = resolve_assignment(assignment).teams
    context = {
        "form": form,
        "assignment": assignment,
        "course": assignment.course,
        "entrants": submissions_of(teams.values()),
        "testing": submissions_in_test(assignment, teams),
        "measured": table_spread(assignment),
        "nav": "home",
    }
    return render(request, "tournaments/new.html", context)


def act(
    request: HttpRequest, uuid: UUID, action: Callable[[Tournament], None], done: str
) -> HttpResponse:
    """Do it to the tournament, and show its page."""
    tournament = visible_tournament(request, uuid)
    run_with_message(request, lambda: action(tournament), done=done)
    return redirect("tournaments:tournament", uuid)


@login_required
@require_POST
def cancel(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Ask for nothing more."""
    return act(
        request,
        uuid,
        lambda tournament: services.cancel(tournament=tournament, by=current_user(request)),
        "It was stopped. What was played is kept; it can go on later.",
    )


@login_required
@require_POST
def resume(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Go on."""
    return act(
        request,
        uuid,
        lambda tournament: services.resume(tournament=tournament, by=current_user(request)),
        "It goes on with the games that are missing.",
    )


@login_required
@require_POST
def release(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show the course more of it."""
    wanted = request.POST.get("stage", "")
    if wanted not in Stage.values:
        return HttpResponseBadRequest("That is not a stage of a tournament.")
    stage = Stage(wanted)
    return act(
        request,
        uuid,
        lambda tournament: services.release(
            tournament=tournament, by=current_user(request), stage=stage
        ),
        f"The course now sees its {stage.label}.",
    )


@login_required
@require_POST
def exclude(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """Take somebody out."""
    tournament = visible_tournament(request, uuid)
    require_instructor(current_user(request), tournament.assignment.course)
    one = get_object_or_404(tournament.participants, number=number)
    form = ExclusionForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Say why, so that everybody can understand it later.", "bad")
        return redirect("tournaments:participant", uuid, number)
    run_with_message(
        request,
        lambda: services.exclude(
            participant=one,
            by=current_user(request),
            reason=form.cleaned_data["reason"],
            from_beginning=form.cleaned_data["how"] == "disqualify",
        ),
        done=f"{one} is out. Its games are played without it.",
    )
    return redirect("tournaments:participant", uuid, number)
