"""Views of games with agents: choosing seats, the table, moves, and the end with all cards.

The table works without scripts: each legal move is a button of a form. A script draws the board
instead, sends the same form, and asks for what the agents did.
"""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grader.core.errors import RecordError
from grader.viewer.files import play_scripts, play_styles, scripts, styles
from grader.viewer.page import data_json
from webapp.errors import Refused
from webapp.pages.http import attempt, person, tell_form
from webapp.pages.lookup import visible_assignment
from webapp.pages.playing.forms import SeatsForm
from webapp.pages.replays import Viewer
from webapp.playing import selectors, services
from webapp.playing.models import HumanGame

_TABLE = '<script type="application/json" data-play-game>{}</script>'
_REPLAY = '<script type="application/json" data-viewer-game>{}</script>'


def own_game(request: HttpRequest, uuid: UUID) -> HumanGame:
    """The person's game, or 404 for anybody else's."""
    games = HumanGame.objects.select_related("assignment__course")
    return get_object_or_404(games, uuid=uuid, person=person(request))


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Choose seats and begin; the person's games are listed."""
    found, user = visible_assignment(request, course, assignment), person(request)
    agents = selectors.agents_for(user, found)
    form = SeatsForm(
        request.POST or None,
        rules=found.rules,
        agents=agents,
        initial={"agent1": request.GET.get("with", next(reversed(list(agents)), ""))},
    )
    if form.is_valid():
        made = tell_form(
            form,
            lambda: services.start_game(
                assignment=found,
                by=user,
                seat=form.cleaned_data["seat"],
                agents=form.agents(),
            ),
        )
        if made is not None:
            return redirect("playing:game", made.uuid)
    context = {
        "assignment": found,
        "course": found.course,
        "rules": found.rules,
        "agents": agents,
        "form": form,
        "games": selectors.games_of(user, found),
        "nav": "home",
    }
    return render(request, "playing/new.html", context)


@login_required
@require_GET
@never_cache
def game(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The table as its person sees it; after the end all cards, in the viewer."""
    found = own_game(request, uuid)
    context = {
        "game": found,
        "assignment": found.assignment,
        "course": found.assignment.course,
        "seats": list(enumerate(found.occupants)),
        "nav": "home",
    }
    try:
        context |= _shown(found)
    except RecordError as error:
        context["unreadable"] = str(error)
    return render(request, "playing/game.html", context)


def _shown(found: HumanGame) -> dict[str, Any]:
    """Return what the page tells of a game."""
    data = selectors.data_of(found)
    return {
        "data": data,
        "rules": found.rules,
        "viewer": _viewer(found, data),
        "text": selectors.text_of(found),
        "result": selectors.result_words(found),
        "is_mine": data["acts"] == found.seat,
    }


def _viewer(found: HumanGame, data: dict[str, Any]) -> Viewer:
    """The files and the data of the table, or of the replay."""
    element = _TABLE if found.is_open else _REPLAY
    more = (play_scripts, play_styles) if found.is_open else (lambda _: [], lambda _: [])
    return Viewer(
        scripts=tuple(name for name, _ in [*scripts(found.game), *more[0](found.game)]),
        styles=tuple(name for name, _ in [*styles(found.game), *more[1](found.game)]),
        games=(format_html(element, SafeString(data_json(data))),),
    )


@login_required
@require_GET
@never_cache
def turns(request: HttpRequest, uuid: UUID) -> JsonResponse:
    """Send what has happened since the number of actions that the script has seen."""
    since = request.GET.get("since", "")
    found = own_game(request, uuid)
    seen = int(since) if since.isdecimal() and len(since) < 6 else 0
    return _update(found, seen)


def _update(found: HumanGame, seen: int, *, refused: str = "") -> JsonResponse:
    try:
        update = selectors.update_of(found, since=seen)
    except RecordError:
        update = {"turn": found.turns, "over": True}
    return JsonResponse({**update, "refused": refused} if refused else update)


@login_required
@require_POST
def move(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Play the person's move. A script gets what has happened since, a form the page."""
    found, user = own_game(request, uuid), person(request)
    turn, notation = request.POST.get("turn", ""), request.POST.get("move", "")
    seen = int(turn) if turn.isdecimal() and len(turn) < 6 else -1

    def act() -> None:
        services.act(game=found, by=user, turn=seen, move=notation)

    if request.headers.get("Accept") != "application/json":
        attempt(request, act)
        return redirect("playing:game", uuid)
    refused = ""
    try:
        act()
    except Refused as error:
        refused = str(error)
        found.refresh_from_db()
    return _update(found, max(seen, 0), refused=refused)


@login_required
@require_POST
def leave(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """End the game."""
    found = own_game(request, uuid)
    attempt(request, lambda: services.leave(game=found, by=person(request)))
    return redirect("playing:game", uuid)


@login_required
@require_POST
def again(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Begin another game with the same agents, on another deal or the same."""
    found = own_game(request, uuid)
    same = request.POST.get("deal") == "same"
    made = attempt(
        request, lambda: services.play_again(game=found, by=person(request), same_deal=same)
    )
    return redirect("playing:game", uuid if made is None else made.uuid)
