"""Public links to games: made and taken back by people, opened by anybody."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, cast
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.conf import settings
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from grader.core.errors import RecordError
from webapp.base.middleware import CONTENT_SECURITY_POLICY
from webapp.base.storable import storable
from webapp.contests.playing import visitors
from webapp.contests.sharing import selectors, services
from webapp.contests.sharing.models import COLUMNS, AnyGame, GameLink
from webapp.contests.sharing.permissions import (
    assignment_of,
    is_open_to_visitors,
    may_share,
    why_closed,
)
from webapp.contests.sharing.selectors import SharedGame, shared_game
from webapp.grading.evaluations.models import STOPPED, GameResult
from webapp.pages.confirming import Question, ask, ask_first
from webapp.pages.game_links import page_of, public_address
from webapp.pages.http import (
    assignment_context,
    current_user,
    is_saved,
    signed_in,
)
from webapp.pages.replays import viewer_with
from webapp.pages.sharing.preview import SIZE, preview

_SHOWS: Final = (
    "Anybody with the link can watch the whole game, without an account: all cards and all moves.",
    "They do not see the agent’s code, its output, or why it failed.",
    "They see no name of a team or a person, unless you tick the box for your own.",
    "Search engines are asked not to list the page.",
)


class LinkForm(forms.Form):
    """Asks whether the page may name its owner."""

    shows_names = forms.BooleanField(required=False)

    def __init__(self, *args: object, names: list[str], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # of a form
        if names:
            self.fields["shows_names"].label = f"Show the name {' and '.join(names)}"
            self.fields["shows_names"].help_text = "Without it, the page says “Agent A”."
        else:
            del self.fields["shows_names"]


@signed_in("GET", "POST")
@never_cache
def share(request: HttpRequest, column: str, key: int) -> HttpResponse:
    """Ask before the link is made; from then on show it."""
    user, game = current_user(request), _game(column, key)
    if not may_share(user, game):
        raise Http404("No game that can be shown to others.")
    if (link := selectors.link_to(game, user)) is not None:
        return _show(request, link)
    form = LinkForm(
        request.POST if request.method == "POST" else None, names=selectors.own_names(game, user)
    )

    def make() -> None:
        shows_names = form.cleaned_data.get("shows_names", False)
        services.make_link(game=game, by=user, shows_names=shows_names)

    if request.method == "POST" and is_saved(form, make):
        return redirect(request.get_full_path())
    question = Question(
        title="Show this game to anybody?",
        effects=_SHOWS,
        undoing="You can take the link back at any time.",
        button="Make a public link",
        back=f"{page_of(game)}{_turn(request)}",
        assignment=assignment_of(game),
        form=form,
    )
    return ask(request, question)


def _show(request: HttpRequest, link: GameLink) -> HttpResponse:
    turn = _turn(request)
    source = f"{public_address(link, name='embed')}{turn}"
    frame = f'<iframe src="{source}" width="100%" height="720"></iframe>'
    context = {
        **assignment_context(link.assignment),
        "link": link,
        "address": f"{public_address(link)}{turn}",
        "frame": frame if settings.FRAME_ANCESTORS else "",
        "sites": settings.FRAME_ANCESTORS,
        "game_url": f"{page_of(link.game)}{turn}",
    }
    return render(request, "sharing/link.html", context)


def _turn(request: HttpRequest) -> str:
    """Return the query that names the turn which the reader came from."""
    asked = {name: request.GET[name] for name in ("turn", "as") if request.GET.get(name)}
    return f"?{urlencode(asked)}" if asked else ""


def _game(column: str, key: int) -> AnyGame:
    if column not in COLUMNS:
        raise Http404("No such kind of game.")
    return cast("AnyGame", get_object_or_404(COLUMNS[column], pk=key))


@signed_in("GET", "POST")
@never_cache
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a link of one's own, once it was asked for a second time."""
    user = current_user(request)
    link = get_object_or_404(GameLink.objects.kept().with_games(), pk=pk, owner=user)
    question = Question(
        title="Take the public link back?",
        effects=("Whoever opens it from now on is told that you took it back.",),
        undoing="This link cannot be restored. You can make another one.",
        button="Take the link back",
        back=page_of(link.game),
        assignment=link.assignment,
    )
    act = partial(services.take_back_link, link=link, by=user)
    done = "The link is taken back. Its page says so from now on."
    return ask_first(request, question, act, done=done)


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
        "is_one_agent": len({*shown.names}) == 1,
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


@require_GET
@gzip_page
def visitor_game(request: HttpRequest, token: str) -> HttpResponse:
    """A visitor's game, which is in the address: the site stores nothing of it."""
    try:
        context = _context(request, shared_game(visitors.game_of(token)))
    except BadSignature:
        why = "The address is not complete: a game is in it, so every character counts."
        response = render(request, "sharing/closed.html", {"why": why}, status=404)
    except RecordError as error:
        why = f"This game cannot be shown: {error}."
        response = render(request, "sharing/closed.html", {"why": why}, status=_GONE)
    else:
        response = render(request, "sharing/game.html", {**context, "is_in_address": True})
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
