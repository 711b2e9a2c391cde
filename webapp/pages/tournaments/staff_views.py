"""Views of instructors' actions on tournaments."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from grader.core.words import counted
from webapp.contests.tournaments import services
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.contests.tournaments.services.starting import table_spread
from webapp.grading.gradebook.work import Work
from webapp.grading.submissions.selectors import submissions_of
from webapp.pages.confirming import Question, ask_first, ask_with_form
from webapp.pages.http import (
    assignment_context,
    current_user,
    run_with_message,
    saved,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import instructors_assignment
from webapp.pages.tournaments.forms import ExclusionForm, PlacePointsForm, TournamentForm
from webapp.pages.tournaments.views import visible_tournament


@signed_in("GET", "POST")
def new(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Start a tournament from an assignment."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    form = TournamentForm(request.POST or None, assignment=assignment)
    made = saved(
        form,
        lambda: services.start_tournament(
            assignment=assignment,
            by=current_user(request),
            title=form.cleaned_data["title"],
            setting=form.setting(),
        ),
    )
    if made is not None:
        words = "The tournament is queued. For now only staff see it."
        messages.success(request, words)
        return redirect("tournaments:tournament", made.uuid)
    work = Work([assignment])
    context = {
        **assignment_context(assignment),
        "form": form,
        "entrants": submissions_of(work.resolutions.values()),
        "testing": work.testing,
        "measured": table_spread(assignment),
    }
    return render(request, "tournaments/new.html", context)


def _acting(service: Callable[..., None], done: str) -> Callable[..., HttpResponse]:
    @signed_in("POST")
    def view(request: HttpRequest, uuid: UUID) -> HttpResponse:
        tournament, by = visible_tournament(request, uuid), current_user(request)
        run_with_message(request, lambda: service(tournament=tournament, by=by), done=done)
        return redirect("tournaments:tournament", uuid)

    return view


cancel = _acting(
    services.cancel, "The tournament is stopped. Played games are kept, and it can be resumed."
)
resume = _acting(services.resume, "The tournament continues with the games that are missing.")


@signed_in("GET", "POST")
def release(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Release a part of the tournament to the course, after a confirmation."""
    tournament = instructors_tournament(request, uuid)
    asked = request.POST if request.method == "POST" else request.GET
    wanted = asked.get("stage", "")
    if wanted not in Stage.values:
        messages.warning(request, "Choose what to release.")
        return redirect("tournaments:tournament", uuid)
    stage = Stage(wanted)
    return ask_first(
        request,
        release_question(tournament, stage),
        partial(services.release, tournament=tournament, by=current_user(request), stage=stage),
        done=f"The course now sees its {stage.label}.",
    )


def instructors_tournament(request: HttpRequest, uuid: UUID) -> Tournament:
    """Return the tournament. Raises Http404, and NotAllowed for all but instructors."""
    tournament = visible_tournament(request, uuid)
    viewer_of(request, tournament.assignment.course).require_instructor()
    return tournament


def release_question(tournament: Tournament, stage: Stage) -> Question:
    """Ask before the course sees more."""
    effects = {
        Stage.PARTICIPANTS: ("Everybody in the course sees who takes part, and the plan.",),
        Stage.RESULTS: (
            "Everybody in the course sees the standings, every game and its replay.",
            "Once all games are played they see the secret of the deals, too.",
            "If the leaderboard is public, visitors see the standings too.",
        ),
    }
    return Question(
        title=f"Release the {stage.label} of {tournament}?",
        effects=effects.get(stage, ()),
        undoing="A release cannot be undone.",
        button=f"Release the {stage.label}",
        back=reverse("tournaments:tournament", args=[tournament.uuid]),
        values={"stage": stage.value},
        assignment=tournament.assignment,
    )


@signed_in("GET", "POST")
def place_points(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Give points for ranks, after a question."""
    tournament = instructors_tournament(request, uuid)
    question = Question(
        title=f"Give points by rank in {tournament}?",
        effects=(
            "They are added to the points of the assignment, for each member of a team.",
            "House agents are not ranked. Students see their place beside the points.",
        ),
        undoing="Points given later replace them.",
        button="Give points",
        back=reverse("tournaments:tournament", args=[tournament.uuid]),
        assignment=tournament.assignment,
    )
    give = partial(services.give_place_points, tournament=tournament, by=current_user(request))
    return ask_with_form(
        request,
        question,
        PlacePointsForm(request.POST or None),
        act=lambda values: give(**values),
        done=lambda given: f"{counted(given, 'student')} got points for {tournament}.",
    )


@signed_in("GET", "POST")
def exclude(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """Remove a participant, after a question with a reason."""
    tournament = instructors_tournament(request, uuid)
    one = get_object_or_404(tournament.participants, number=number)
    question = Question(
        title=f"Remove {one} from {tournament}?",
        effects=(
            "Disqualified: all its games are void, and are played again without it.",
            "Withdrawn: its games stay, and later rounds are played without it.",
        ),
        button="Remove participant",
        back=reverse("tournaments:participant", args=[uuid, number]),
        assignment=tournament.assignment,
    )

    def exclude_it(values: dict[str, str]) -> str:
        from_beginning, by = values["how"] == "disqualify", current_user(request)
        reason = values["reason"]
        services.exclude(participant=one, by=by, reason=reason, from_beginning=from_beginning)
        if from_beginning:
            return f"{one} was removed. Its games are played again without it."
        return f"{one} was removed. Its games stay. Later rounds are played without it."

    form = ExclusionForm(request.POST or None)
    return ask_with_form(request, question, form, act=exclude_it, done=str)
