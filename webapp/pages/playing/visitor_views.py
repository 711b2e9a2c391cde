"""Views of visitors' games with house agents: the table and its end look as they do in a course.

Visitors need no account. Each browser has one game, in its session. The number of games that a
network may begin is limited (``webapp.accounts.rate_limits``).
"""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grader.core.errors import RecordError
from webapp.errors import Refused
from webapp.pages.confirming import ask
from webapp.pages.http import run_with_message
from webapp.pages.playing.forms import VisitorForm
from webapp.pages.playing.views import action_count, leaving, shown, update
from webapp.playing import visitors

__all__ = ["again", "game", "leave", "move", "new", "turns"]


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Choose a game and an agent, and begin."""
    if request.method == "POST":
        run_with_message(
            request,
            lambda: visitors.begin(
                request.session,
                game=request.POST.get("game", ""),
                agent=request.POST.get("agent", ""),
            ),
        )
        return redirect("playing:visitor_game")
    kept = visitors.kept_game(request.session)
    context = {
        "forms": [VisitorForm(offer) for offer in visitors.offers().values()],
        "goes_on": kept is not None and kept.is_open,
        "nav": "visitor-game",
    }
    return render(request, "playing/visitor_new.html", context)


@require_GET
@never_cache
@gzip_page
def game(request: HttpRequest) -> HttpResponse:
    """The table as the visitor's seat sees it; after the end all cards, in the viewer."""
    if (kept := visitors.kept_game(request.session)) is None:
        return redirect("playing:visitor_new")
    places = {
        "page": reverse("playing:visitor_game"),
        "turns": reverse("playing:visitor_turns"),
        "move": reverse("playing:visitor_move"),
        "again": reverse("playing:visitor_again"),
        "others": reverse("playing:visitor_new"),
    }
    context = {"game": kept, "seats": kept.occupants, "places": places, "nav": "visitor-game"}
    try:
        context |= shown(kept)
    except RecordError as error:
        context["unreadable"] = str(error)
    return render(request, "playing/visitor_game.html", context)


@require_GET
@never_cache
def turns(request: HttpRequest) -> JsonResponse:
    """Send the events since the actions that the script has seen."""
    return _update(request, max(action_count(request.GET.get("since", "")), 0))


def _update(request: HttpRequest, seen: int, *, refused: str = "") -> JsonResponse:
    kept = visitors.kept_game(request.session)
    if kept is None:
        return JsonResponse({"turn": 0, "over": True})
    return update(kept, seen, refused=refused)


@require_POST
def move(request: HttpRequest) -> HttpResponse:
    """Play the visitor's move. A script gets the events since, a form the page."""
    seen, notation = action_count(request.POST.get("turn", "")), request.POST.get("move", "")

    def act() -> None:
        visitors.make_move(request.session, turn=seen, move=notation)

    if request.headers.get("Accept") != "application/json":
        run_with_message(request, act)
        return redirect("playing:visitor_game")
    refused = ""
    try:
        act()
    except Refused as error:
        refused = str(error)
    return _update(request, max(seen, 0), refused=refused)


@require_http_methods(["GET", "POST"])
def leave(request: HttpRequest) -> HttpResponse:
    """End the game, once it was asked for a second time."""
    kept = visitors.kept_game(request.session)
    if request.method != "POST" and kept is not None and kept.is_open:
        return ask(request, leaving(back=reverse("playing:visitor_game"), nav="visitor-game"))
    visitors.leave_game(request.session)
    return redirect("playing:visitor_game")


@require_POST
def again(request: HttpRequest) -> HttpResponse:
    """Begin another game with the same agent, on another deal or the same."""
    same = request.POST.get("deal") == "same"
    run_with_message(request, lambda: visitors.begin_again(request.session, same_deal=same))
    return redirect("playing:visitor_game")
