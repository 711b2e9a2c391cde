"""The game of a public link, for anybody: its page, the same for a frame, its picture.

No page here reads or writes a session, so that none needs a cookie in somebody else's site.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from grader.core.errors import RecordError
from webapp.base.middleware import CONTENT_SECURITY_POLICY
from webapp.base.storable import storable
from webapp.contests.sharing.models import GameLink
from webapp.contests.sharing.permissions import is_open_to_visitors, why_closed
from webapp.contests.sharing.selectors import SharedGame, shared_game
from webapp.grading.evaluations.models import STOPPED, GameResult
from webapp.pages.game_links import public_address
from webapp.pages.replays import viewer_with
from webapp.pages.sharing.preview import SIZE, preview

_GONE: Final = 410
_NOBODY: Final = "frame-ancestors 'none'"


def _view(
    answer: Callable[[HttpRequest, GameLink], HttpResponse],
) -> Callable[[HttpRequest, str], HttpResponse]:
    """Return a view of a link that works; for others it is a page that says why they do not."""

    @require_GET
    @gzip_page
    @cache_control(no_cache=True)  # one that is taken back must not stay in a cache
    def view(request: HttpRequest, token: str) -> HttpResponse:
        links = GameLink.objects.with_games()
        link = links.filter(token=storable(token, characters=64)).first()
        why = "There is no game at this address." if link is None else why_closed(link)
        if link is None or why:
            status = 404 if link is None else _GONE
            response = render(request, "sharing/closed.html", {"why": why}, status=status)
        else:
            try:
                response = answer(request, link)
            except RecordError as error:
                why = f"This game cannot be shown: {error}."
                response = render(request, "sharing/closed.html", {"why": why}, status=_GONE)
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return view


def _shared(link: GameLink) -> SharedGame:
    return shared_game(link.game, named=link.owner if link.shows_names else None)


def _context_of(request: HttpRequest, link: GameLink) -> dict[str, Any]:
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    return {
        **_context(request, _shared(link)),
        "address": f"{public_address(link)}{query}",
        "picture": f"{public_address(link, name='picture')}{query}",
        "picture_size": SIZE,
    }


def _context(request: HttpRequest, shown: SharedGame) -> dict[str, Any]:
    viewer = viewer_with(shown.rules, [shown.data], asked=request.GET.dict())
    return {
        "rules": shown.rules,
        "names": shown.names,
        "text": shown.text,
        "viewer": viewer,
        "still": viewer.stills[0],
        "title": _title(shown.rules.title),
    }


def _title(game: str) -> str:
    return f"A game of {game}"


@_view
def game(request: HttpRequest, link: GameLink) -> HttpResponse:
    """The whole game in the viewer, at the turn that the address names."""
    return render(request, "sharing/game.html", _context_of(request, link))


@_view
def embed(request: HttpRequest, link: GameLink) -> HttpResponse:
    """The viewer alone, for a frame in a site that this site's settings name."""
    response = render(request, "sharing/embed.html", _context_of(request, link))
    if settings.FRAME_ANCESTORS:
        allowed = f"frame-ancestors {' '.join(settings.FRAME_ANCESTORS)}"
        response["Content-Security-Policy"] = CONTENT_SECURITY_POLICY.replace(_NOBODY, allowed)
        response.xframe_options_exempt = True
    return response


@_view
def picture(request: HttpRequest, link: GameLink) -> HttpResponse:
    """The turn as PNG, for programs that show a preview of the link."""
    shown = _shared(link)
    asked: Mapping[str, str] = request.GET.dict()
    viewer = viewer_with(shown.rules, [shown.data], asked=asked)
    return HttpResponse(
        preview(_title(shown.rules.title), viewer.stills[0]), content_type="image/png"
    )


@require_GET
@gzip_page
def house_game(request: HttpRequest, uuid: UUID, index: int) -> HttpResponse:
    """A house agent's game of a public board, for everybody."""
    games = GameResult.objects.exclude(ending=STOPPED).select_related("evaluation__assignment")
    game = get_object_or_404(games, evaluation__uuid=uuid, index=index)
    if not is_open_to_visitors(game.evaluation):
        raise Http404("No such game.")
    try:
        context = _context(request, shared_game(game))
    except RecordError as error:
        raise Http404(f"This game cannot be shown: {error}.") from error
    return render(request, "sharing/game.html", context)
