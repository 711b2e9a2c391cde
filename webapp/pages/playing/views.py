"""Views of games with agents: choosing seats, the table, moves, and the end with all cards.

The table works without scripts: each legal move is a button of a form. A script draws the board
instead, sends the same form, and asks for what the agents did. People of a course and visitors
without an account play at the same table: ``PlayersGame`` says what differs.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grader.core.errors import RecordError
from grader.core.games import Game, valid_rules
from grader.viewer.files import play_scripts, play_styles, scripts, styles
from grader.viewer.page import data_json
from webapp.base.errors import Refused
from webapp.contests.playing import selectors, services, visitors
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.contests.playing.origins import PastGame
from webapp.contests.playing.same_deal import house_scores
from webapp.pages.addresses import whole_number
from webapp.pages.confirming import Question, ask
from webapp.pages.game_links import Sharing, sharing_of
from webapp.pages.http import (
    assignment_context,
    current_user,
    run_with_message,
    saved,
    signed_in,
)
from webapp.pages.lookup import visible_assignment
from webapp.pages.play_on import may_play_on, play_on_page
from webapp.pages.playing.forms import SeatsForm, TableForm
from webapp.pages.replays import ReplayViewer, record_file
from webapp.teaching.courses.models import Assignment

_TABLE: Final = '<script type="application/json" data-play-game>{}</script>'
_REPLAY: Final = '<script type="application/json" data-viewer-game>{}</script>'


@signed_in("GET", "POST")
def new(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Choose seats and begin; the person's games are listed."""
    user = current_user(request)
    assignment = visible_assignment(request, course_slug, assignment_slug)
    agents = selectors.agents_for(user, assignment)
    form = SeatsForm(
        request.POST or None,
        rules=assignment.rules,
        agents=agents,
        initial={"agent1": request.GET["with"]} if "with" in request.GET else {},
    )
    made = saved(
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


@require_http_methods(["GET", "POST"])
def visitor_new(request: HttpRequest) -> HttpResponse:
    """Choose a game and its table, and begin."""
    tables = {name: _table(request, rules) for name, rules in visitors.offered_games().items()}
    form = tables.get(request.POST.get("game", ""))
    if form is not None and form.is_valid():
        run_with_message(
            request,
            lambda: visitors.begin(
                request.session,
                rules=form.rules,
                seat=form.cleaned_data["seat"],
                agents=form.agents(),
            ),
        )
        return redirect("playing:visitor_game")
    if form is None and request.method == "POST":
        messages.error(request, "Choose a game from the list.")
    kept = visitors.kept_game(request.session)
    context = {
        "forms": tables.values(),
        "goes_on": kept is not None and kept.is_open,
        "nav": "visitor-game",
    }
    return render(request, "playing/visitor_new.html", context)


def _table(request: HttpRequest, default: Game) -> TableForm:
    """Return the form of a game's table: of this game what was chosen, of others the default."""
    chosen = request.POST or request.GET
    if chosen.get("game") != default.name:
        return TableForm({}, rules=default, is_sent=False)
    asked = {"variant": chosen.get("variant"), "players": whole_number(chosen.get("players", ""))}
    options = {name: value for name, value in asked.items() if value is not None}
    rules = valid_rules(type(default), {"players": default.seats, **options})
    return TableForm(chosen.dict(), rules=rules, is_sent=request.method == "POST")


class PlayersGame(ABC):
    """The game of the person who asks. Making one of another person raises Http404."""

    needs_account: ClassVar[bool] = True
    prefix: ClassVar[str] = ""
    """The beginning of the names of its addresses."""
    game: HumanGame | None
    """``None`` if there is none any more."""
    where: tuple[object, ...] = ()
    context: dict[str, Any]
    """The values of its page that are not of the game."""
    others: str
    """The address at which another game is chosen."""

    def address(self, name: str = "game") -> str:
        """Return the address of one of its pages."""
        return reverse(f"playing:{self.prefix}{name}", args=self.where)

    @abstractmethod
    def act(self, *, turn: int, move: str) -> None:
        """Play the person's move. Raises Refused; ``game`` is as it stands now in any case."""

    @abstractmethod
    def leave(self) -> None:
        """End it. Raises Refused if it is over."""

    @abstractmethod
    def again(self, *, same_deal: bool) -> str:
        """Begin another game with the same agents; return its address. Raises Refused."""


class CourseGame(PlayersGame):
    """A game of a person of a course."""

    game: HumanGame

    def __init__(self, request: HttpRequest, uuid: UUID) -> None:
        self.user, self.where = current_user(request), (uuid,)
        visible = Assignment.objects.visible_to(self.user)
        games = HumanGame.objects.select_related("assignment__course")
        self.game = get_object_or_404(
            games.filter(assignment__in=visible), uuid=uuid, person=self.user
        )
        assignment = self.game.assignment
        self.context = assignment_context(assignment)
        self.context["sharing"] = sharing_of(request, self.game)
        self.others = reverse("playing:new", args=[assignment.course.slug, assignment.slug])
        if (origin := self.game.played_on_from) is not None and origin.address:
            self.others = f"{origin.address}on/{origin.query}"
        if not self.game.is_open and may_play_on(assignment):
            self.context["play_on_url"] = self.address("play_on")
        if self.game.status in {GameStatus.FINISHED, GameStatus.FAULTED}:
            self.context["record_url"] = self.address("record")

    def act(self, *, turn: int, move: str) -> None:
        try:
            services.act(game=self.game, by=self.user, turn=turn, move=move)
        except Refused:
            self.game.refresh_from_db()
            raise

    def leave(self) -> None:
        services.leave(game=self.game, by=self.user)

    def again(self, *, same_deal: bool) -> str:
        made = services.play_again(game=self.game, by=self.user, same_deal=same_deal)
        return reverse("playing:game", args=[made.uuid])


class VisitorGame(PlayersGame):
    """A visitor's game, kept in the session; ``rate_limits`` bounds the games of a network."""

    needs_account = False
    prefix = "visitor_"

    def __init__(self, request: HttpRequest) -> None:
        self.session = request.session
        self.game = visitors.kept_game(self.session)
        self.context = {"nav": "visitor-game"}
        if self.game is not None and not self.game.is_open:
            held = reverse("sharing:visitor_game", args=[visitors.token_of(self.game)])
            self.context["sharing"] = Sharing(address=held, link=settings.SITE_URL + held)
        self.others = reverse("playing:visitor_new")

    def act(self, *, turn: int, move: str) -> None:
        try:
            visitors.make_move(self.session, turn=turn, move=move)
        finally:
            self.game = visitors.kept_game(self.session)

    def leave(self) -> None:
        visitors.leave_game(self.session)

    def again(self, *, same_deal: bool) -> str:
        visitors.begin_again(self.session, same_deal=same_deal)
        return self.address()


def game_paths(prefix: str, game: type[PlayersGame]) -> list[URLPattern]:
    """Return the addresses of a game: its table, its turns, a move, leaving it, another game."""
    views: dict[str, Callable[..., HttpResponse]] = {
        "game": require_GET(never_cache(gzip_page(_view(game, _show)))),
        "turns": require_GET(never_cache(_view(game, _show_turns))),
        "move": require_POST(_view(game, _move)),
        "leave": require_http_methods(["GET", "POST"])(_view(game, _leave)),
        "again": require_POST(_view(game, _again)),
    }
    return [
        path(prefix + ("" if name == "game" else f"{name}/"), view, name=game.prefix + name)
        for name, view in views.items()
    ]


@signed_in("GET", "POST")
def play_on(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Play on from a turn of the person's own game, once it is over; until then, show it."""
    game = CourseGame(request, uuid).game
    try:
        rules = game.rules
    except RecordError as error:
        raise Http404(f"Nobody can play on from this game: {error}.") from error
    if game.is_open:
        return redirect("playing:game", uuid)
    past = PastGame(
        assignment=game.assignment,
        rules=rules,
        deal_seed=game.deal_seed,
        actions=game.notations,
        names=tuple(occupant.title for occupant in game.occupants),
        address=reverse("playing:game", args=[uuid]),
        is_faulted=game.fault is not None,
        title=f"your game of {game.created_at:%-d %B}",
    )
    return play_on_page(request, past)


@signed_in("GET")
def record(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Download the record of a game that was played to its end, or to a fault; else, show it."""
    try:
        found = selectors.record_of(CourseGame(request, uuid).game)
    except RecordError as error:
        raise Http404(f"This game has no record: {error}.") from error
    return redirect("playing:game", uuid) if found is None else record_file(found, index=0)


def _view(
    game: type[PlayersGame], answer: Callable[[HttpRequest, Any], HttpResponse]
) -> Callable[..., HttpResponse]:
    def view(request: HttpRequest, **where: object) -> HttpResponse:
        return answer(request, game(request, **where))  # type: ignore[call-arg]  # of the address

    return login_required(view) if game.needs_account else view


def _show(request: HttpRequest, table: PlayersGame) -> HttpResponse:
    game = table.game
    if game is None:
        return redirect(table.others)
    context = {
        **table.context,
        "game": game,
        "seats": [each.introduction for each in game.occupants],
        "places": {
            "page": table.address(),
            "turns": table.address("turns"),
            "move": table.address("move"),
            "leave": table.address("leave"),
            "again": table.address("again"),
            "others": table.others,
        },
    }
    try:
        context |= _shown(game)
    except RecordError as error:
        context["unreadable"] = str(error)
    return render(request, "playing/game.html", context)


def _shown(game: HumanGame) -> dict[str, Any]:
    """Return the content of a game's page. Raises RecordError if the rules have changed since."""
    data = selectors.data_of(game)
    return {
        "data": data,
        "rules": game.rules,
        "viewer": _viewer(game, data),
        "text": selectors.text_of(game),
        "result": selectors.result_words(game),
        "house_scores": house_scores(game),
        "is_mine": game.seat is not None and data["acts"] == game.seat,
        "origin": game.played_on_from,
        "first_move": None if game.is_open else selectors.first_move(game),
        "is_stuck": game.is_open and selectors.is_stuck(game),
    }


def _viewer(game: HumanGame, data: dict[str, Any]) -> ReplayViewer:
    more_scripts = play_scripts(game.game) if game.is_open else []
    more_styles = play_styles(game.game) if game.is_open else []
    element = _TABLE if game.is_open else _REPLAY
    return ReplayViewer(
        scripts=tuple(name for name, _ in [*scripts(game.game), *more_scripts]),
        styles=tuple(name for name, _ in [*styles(game.game), *more_styles]),
        games=(format_html(element, SafeString(data_json(data))),),
    )


def _show_turns(request: HttpRequest, table: PlayersGame) -> JsonResponse:
    return _update(table.game, _action_count(request.GET.get("since", "")))


def _action_count(sent: str) -> int:
    """Return the number of actions that a page says it has seen; -1 for anything else."""
    number = whole_number(sent)
    return -1 if number is None else number


def _update(game: HumanGame | None, seen: int, *, refused: str = "") -> JsonResponse:
    if game is None:
        return JsonResponse({"turn": 0, "over": True})
    try:
        news = selectors.update_of(game, since=max(seen, 0))
    except RecordError:
        news = {"turn": game.turns, "over": True}
    return JsonResponse({**news, "refused": refused} if refused else news)


def _move(request: HttpRequest, table: PlayersGame) -> HttpResponse:
    """Play the person's move. A script gets the events since, a form the page."""
    seen, notation = _action_count(request.POST.get("turn", "")), request.POST.get("move", "")
    if request.headers.get("Accept") != "application/json":
        run_with_message(request, lambda: table.act(turn=seen, move=notation))
        return redirect(table.address())
    refused = ""
    try:
        table.act(turn=seen, move=notation)
    except Refused as error:
        refused = str(error)
    return _update(table.game, seen, refused=refused)


def _leave(request: HttpRequest, table: PlayersGame) -> HttpResponse:
    if request.method == "POST" or table.game is None or not table.game.is_open:
        run_with_message(request, table.leave)
        return redirect(table.address())
    question = Question(
        title="Leave the game?",
        effects=("It ends here, and you see all cards.", "You can play the same deal again."),
        undoing="You cannot continue it afterwards.",
        button="Leave the game",
        back=table.address(),
        assignment=table.context.get("assignment"),
        nav=table.context["nav"],
    )
    return ask(request, question)


def _again(request: HttpRequest, table: PlayersGame) -> HttpResponse:
    same_deal = request.POST.get("deal") == "same"
    made = run_with_message(request, lambda: table.again(same_deal=same_deal))
    return redirect(made or table.address())
