"""Views of games with agents: choosing seats, the table, moves, and the end with all cards.

The table works without scripts: each legal move is a button of a form. A script draws the board
instead, sends the same form, and asks for what the agents did.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grader.core.errors import RecordError
from grader.viewer.files import play_scripts, play_styles, scripts, styles
from grader.viewer.page import data_json
from webapp.courses.models import Assignment
from webapp.errors import Refused
from webapp.pages.addresses import whole_number
from webapp.pages.confirming import Question, ask
from webapp.pages.contexts import assignment_context
from webapp.pages.http import current_user, run_with_form_errors, run_with_message
from webapp.pages.lookup import visible_assignment
from webapp.pages.playing.forms import SeatsForm
from webapp.pages.replays import Viewer
from webapp.playing import selectors, services
from webapp.playing.models import HumanGame
from webapp.playing.same_deal import house_scores

__all__ = [
    "action_count",
    "again",
    "game",
    "leave",
    "leaving",
    "move",
    "new",
    "shown",
    "turns",
    "update",
]

_TABLE = '<script type="application/json" data-play-game>{}</script>'
_REPLAY = '<script type="application/json" data-viewer-game>{}</script>'


def own_game(request: HttpRequest, uuid: UUID) -> HumanGame:
    """The person's game, or 404 for anybody else's and for who has left the course."""
    user = current_user(request)
    games = HumanGame.objects.select_related("assignment__course")
    visible = games.filter(assignment__in=Assignment.objects.visible_to(user))
    return get_object_or_404(visible, uuid=uuid, person=user)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Choose seats and begin; the person's games are listed."""
    assignment, user = (
        visible_assignment(request, course_slug, assignment_slug),
        current_user(request),
    )
    agents = selectors.agents_for(user, assignment)
    form = SeatsForm(
        request.POST or None,
        rules=assignment.rules,
        agents=agents,
        initial={"agent1": request.GET.get("with", next(reversed(list(agents)), ""))},
    )
    if form.is_valid():
        made = run_with_form_errors(
            form,
            lambda: services.start_game(
                assignment=assignment,
                by=user,
                seat=form.cleaned_data["seat"],
                agents=form.agents(),
            ),
        )
        if made is not None:
            return redirect("playing:game", made.uuid)
    context = {
        **assignment_context(assignment),
        "rules": assignment.rules,
        "agents": agents,
        "form": form,
        "grader_is_ready": selectors.grader_is_ready(),
        "games": selectors.games_of(user, assignment),
    }
    return render(request, "playing/new.html", context)


@login_required
@require_GET
@never_cache
def game(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The table as its person sees it; after the end all cards, in the viewer."""
    game = own_game(request, uuid)
    context = {
        **assignment_context(game.assignment),
        "game": game,
        "seats": game.occupants,
        "places": _places(game),
    }
    try:
        context |= shown(game)
    except RecordError as error:
        context["unreadable"] = str(error)
    return render(request, "playing/game.html", context)


def _places(game: HumanGame) -> dict[str, str]:
    """Return the addresses to which a game's page leads."""
    assignment = game.assignment
    return {
        "page": reverse("playing:game", args=[game.uuid]),
        "turns": reverse("playing:turns", args=[game.uuid]),
        "move": reverse("playing:move", args=[game.uuid]),
        "again": reverse("playing:again", args=[game.uuid]),
        "others": reverse("playing:new", args=[assignment.course.slug, assignment.slug]),
    }


def shown(game: HumanGame) -> dict[str, Any]:
    """Return the content of a game's page. Raises RecordError if the rules have changed since."""
    data = selectors.data_of(game)
    return {
        "data": data,
        "rules": game.rules,
        "viewer": _viewer(game, data),
        "text": selectors.text_of(game),
        "result": selectors.result_words(game),
        "house_scores": house_scores(game),
        "is_mine": data["acts"] == game.seat,
        "is_stuck": game.is_open and selectors.is_stuck(game),
    }


def _viewer(game: HumanGame, data: dict[str, Any]) -> Viewer:
    """The files and the data of the table, or of the replay."""
    element = _TABLE if game.is_open else _REPLAY
    more = (play_scripts, play_styles) if game.is_open else (lambda _: [], lambda _: [])
    return Viewer(
        scripts=tuple(name for name, _ in [*scripts(game.game), *more[0](game.game)]),
        styles=tuple(name for name, _ in [*styles(game.game), *more[1](game.game)]),
        games=(format_html(element, SafeString(data_json(data))),),
    )


@login_required
@require_GET
@never_cache
def turns(request: HttpRequest, uuid: UUID) -> JsonResponse:
    """Send the events since the actions that the script has seen."""
    game = own_game(request, uuid)
    return update(game, max(action_count(request.GET.get("since", "")), 0))


def action_count(sent: str) -> int:
    """Return the number of actions that a page says it has seen; -1 for anything else."""
    number = whole_number(sent)
    return -1 if number is None else number


def update(game: HumanGame, seen: int, *, refused: str = "") -> JsonResponse:
    """Return the update for a script: the events since the actions that it has seen."""
    try:
        news = selectors.update_of(game, since=seen)
    except RecordError:
        news = {"turn": game.turns, "over": True}
    return JsonResponse({**news, "refused": refused} if refused else news)


@login_required
@require_POST
def move(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Play the person's move. A script gets the events since, a form the page."""
    game, user = own_game(request, uuid), current_user(request)
    seen, notation = action_count(request.POST.get("turn", "")), request.POST.get("move", "")

    def act() -> None:
        services.act(game=game, by=user, turn=seen, move=notation)

    if request.headers.get("Accept") != "application/json":
        run_with_message(request, act)
        return redirect("playing:game", uuid)
    refused = ""
    try:
        act()
    except Refused as error:
        refused = str(error)
        game.refresh_from_db()
    return update(game, max(seen, 0), refused=refused)


def leaving(*, back: str, nav: str = "home") -> Question:
    """Return the question before a game is left."""
    return Question(
        title="Leave the game?",
        effects=("It ends here, and you see all cards.", "You can play the same deal again."),
        undoing="You cannot continue it afterwards.",
        button="Leave the game",
        back=back,
        nav=nav,
    )


@login_required
@require_http_methods(["GET", "POST"])
def leave(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """End the game, once it was asked for a second time."""
    game = own_game(request, uuid)
    if request.method != "POST" and game.is_open:
        question = leaving(back=reverse("playing:game", args=[uuid]))
        return ask(request, replace(question, assignment=game.assignment))
    run_with_message(request, lambda: services.leave(game=game, by=current_user(request)))
    return redirect("playing:game", uuid)


@login_required
@require_POST
def again(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Begin another game with the same agents, on another deal or the same."""
    game = own_game(request, uuid)
    same = request.POST.get("deal") == "same"
    made = run_with_message(
        request, lambda: services.play_again(game=game, by=current_user(request), same_deal=same)
    )
    return redirect("playing:game", uuid if made is None else made.uuid)
