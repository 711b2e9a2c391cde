"""The page of a game, the same for evaluations, tournaments and ladders, and the game's files.

The owner of a game says who may see it, where it lies, and which games are its neighbours.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.views.decorators.gzip import gzip_page

from grader.core.errors import RecordError
from grader.core.records import Evidence, Printed, Record
from grader.results.replay import game_of
from grader.viewer import printed_in
from webapp.contests.ladders.models import LadderGame
from webapp.contests.playing.origins import PastGame
from webapp.contests.tables.games import SeatedGame, SeatedGameQuerySet
from webapp.contests.tables.spoiled_games import record_for_others
from webapp.contests.tournaments.models import TournamentGame
from webapp.grading.evaluations.models import GameResult
from webapp.grading.evaluations.selectors import Replay, drawn_of, replay_from
from webapp.pages.addresses import query_of, whole_number
from webapp.pages.game_links import sharing_of
from webapp.pages.http import signed_in
from webapp.pages.live_games import LiveGame, live_game
from webapp.pages.play_on import may_play_on, play_on_page
from webapp.pages.replays import elsewhere_file, record_file, replay_context, viewer_of

G = TypeVar("G", bound=SeatedGame)
GAMES_PER_PAGE: Final = 50


class GamePage(ABC):
    """A game as its reader may see it. Making one raises Http404 and NotAllowed."""

    namespace: ClassVar[str]
    """The namespace of the owner's addresses."""
    request: HttpRequest
    where: tuple[object, ...]
    """The owner's part of the arguments of addresses."""
    key: int
    """The game's part."""
    game: GameResult | TournamentGame | LadderGame
    record: Record | None
    """The record as the reader may see it; ``None`` for a game that was not played."""
    evidence: Evidence | None
    """The evidence of its fault, for readers who may see it."""
    unreadable: RecordError | None
    """The reason why the stored game cannot be read; it then has no record and no evidence."""
    deal_is_public: bool

    def read(self, *, sees_evidence: bool) -> None:
        """Read the stored game as far as the reader may see it."""
        try:
            record, evidence = self.game.record, self.game.evidence
        except RecordError as error:
            self.record, self.evidence, self.unreadable = None, None, error
            return
        self.record = record if record is None or sees_evidence else record_for_others(record)
        self.evidence = evidence if sees_evidence else None
        self.unreadable = None

    def address(self, name: str, *more: object) -> str:
        """Return the address of one of the owner's pages."""
        return reverse(f"{self.namespace}:{name}", args=[*self.where, *more])

    @abstractmethod
    def replay(self) -> Replay | None:
        """Return the game; ``None`` if not played. Raises RecordError for rules other than ours."""

    @property
    def printed(self) -> Sequence[Printed]:
        """The output of agents, as far as it is kept and the reader may see it."""
        return [] if self.record is None else printed_in(self.record, self.evidence)

    @property
    def agent_keys(self) -> Mapping[str, str]:
        """Keys of agents that people may play with, by their names; house agents need none."""
        return {}

    @abstractmethod
    def neighbours(self) -> tuple[int | None, int | None]:
        """Return the keys of the games before and after this one."""

    @abstractmethod
    def context(self) -> dict[str, Any]:
        """Return the owner's values for ``replays/game.html``."""

    def live(self, *, is_open: bool) -> LiveGame | None:
        """Return how the page goes on; ``None`` unless it was opened to watch."""
        watch_next = self.address("watch_next")
        return live_game(self.request, self.game, next_address=watch_next, is_open=is_open)


def game_paths(prefix: str, page: type[GamePage]) -> list[URLPattern]:
    """Return the addresses of a game: its page, its record, its file for another site."""
    return [
        path(prefix, gzip_page(_view(page, _show)), name="game"),
        path(prefix + "record/", _view(page, _show_record), name="record"),
        path(prefix + "elsewhere/", _view(page, _show_elsewhere), name="elsewhere"),
        path(prefix + "on/", _view(page, _play_on, "GET", "POST"), name="play_on"),
    ]


def _view(
    page: type[GamePage], answer: Callable[[GamePage], HttpResponse], *methods: str
) -> Callable[..., HttpResponse]:
    @signed_in(*(methods or ["GET"]))
    def view(request: HttpRequest, **where: object) -> HttpResponse:
        return answer(page(request, **where))  # type: ignore[call-arg]  # of the owner's address

    return view


def _show(page: GamePage) -> HttpResponse:
    previous, following = (
        "" if key is None else page.address("game", key) for key in page.neighbours()
    )
    owned = page.context()
    may = may_play_on(owned["assignment"])
    context = {
        "result": page.game,
        "evidence": page.evidence,
        "previous_url": previous,
        "next_url": following,
        "all_url": page.address("games"),
        "record_url": "" if page.unreadable else page.address("record", page.key),
        "elsewhere_url": page.address("elsewhere", page.key),
        "sharing": sharing_of(page.request, page.game),
        **owned,
        "play_on_url": page.address("play_on", page.key) if may else "",
        **replay_context(
            page.replay,
            asked=page.request.GET.dict(),
            printed=page.printed,
            deal_is_public=page.deal_is_public,
        ),
    }
    return render(page.request, "replays/game.html", context)


def _show_record(page: GamePage) -> HttpResponse:
    if page.unreadable is not None:
        raise Http404(f"This game cannot be read: {page.unreadable}.")
    return record_file(page.record, index=page.game.index)


def _play_on(page: GamePage) -> HttpResponse:
    """Play on from a turn of the game. Raises Http404 for one that was not played."""
    owned = page.context()
    try:
        replay = page.replay()
    except RecordError as error:
        raise Http404(f"Nobody can play on from this game: {error}.") from error
    if replay is None:
        raise Http404("This game was not played.")
    record = replay.record
    past = PastGame(
        assignment=owned["assignment"],
        rules=game_of(record),
        deal_seed=record.deal_seed,
        actions=tuple(record.actions.split()),
        names=replay.players,
        keys=page.agent_keys,
        address=page.address("game", page.key),
        is_faulted=record.fault is not None,
        title=f"game {page.game.index} of {owned['owner']}",
    )
    return play_on_page(page.request, past)


def _show_elsewhere(page: GamePage) -> HttpResponse:
    return elsewhere_file(page.replay, index=page.game.index)


def show_beside(
    pages: Sequence[GamePage], labels: Sequence[str], context: Mapping[str, Any]
) -> HttpResponse:
    """Show two games of a deal side by side; ``labels`` tell them apart."""
    request = pages[0].request
    addresses = [page.address("game", page.key) for page in pages]
    context = {**context, "both": list(zip(addresses, labels, pages, strict=True))}
    try:
        replays = [replay for page in pages if (replay := page.replay()) is not None]
    except RecordError as error:
        return render(request, "replays/beside.html", context | {"unreadable": str(error)})
    if len(replays) < len(pages):
        raise Http404("One of these games was not played.")
    context["pairs"] = list(zip(labels, replays, strict=True))
    context["viewer"] = viewer_of(
        replays,
        asked=request.GET.dict(),
        labels=labels,
        printed=[page.printed for page in pages],
    )
    return render(request, "replays/beside.html", context)


# --- Games at tables --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a game at a table."""

    agent: object
    address: str
    """A page on the agent."""
    score: int
    is_at_fault: bool


def _seats(
    game: SeatedGame, agents: Mapping[int, object], agent_address: Callable[[int], str]
) -> list[SeatRow]:
    return [
        SeatRow(agents[number], agent_address(number), score, seat == game.fault_seat)
        for seat, (number, score) in enumerate(zip(game.numbers, game.scores, strict=True))
    ]


class TableGamePage(GamePage):
    """A game of a tournament or a ladder. Its agents are known by their numbers."""

    game: TournamentGame | LadderGame
    sees_evidence: bool

    def show_as(self, game: TournamentGame | LadderGame, *, sees_evidence: bool) -> None:
        """Show this game; its fault's evidence only to the agent's team and staff."""
        self.game, self.sees_evidence = game, sees_evidence
        self.read(sees_evidence=sees_evidence)

    @property
    @abstractmethod
    def agents(self) -> Mapping[int, object]:
        """The agents by number; as texts they are their names."""

    @abstractmethod
    def agent_address(self, number: int) -> str:
        """Return the address of a page on an agent."""

    def replay(self) -> Replay | None:
        if self.unreadable is not None:
            raise self.unreadable
        if self.record is None:
            return None
        seat = -1 if self.game.fault_seat is None else self.game.fault_seat
        players = [str(self.agents[number]) for number in self.game.numbers]
        return replay_from(self.record, players=players, seat=seat, drawn=drawn_of(self.game))

    def context(self) -> dict[str, Any]:
        culprit = self.game.culprit
        return {
            "seats": _seats(self.game, self.agents, self.agent_address),
            "culprit": None if culprit is None else self.agents[culprit],
            "sees_evidence": self.sees_evidence,
        }


def games_context(
    request: HttpRequest,
    games: SeatedGameQuerySet[G],
    agents: Mapping[int, object],
    *,
    game_address: Callable[[G], str],
    agent_address: Callable[[int], str],
    is_passed_over: Callable[[G], bool] = lambda _: False,
) -> dict[str, Any]:
    """Return the values of ``tables/games.html``. Raises Http404 for an unknown agent."""
    number = whole_number(request.GET.get("of", ""))
    if number is not None and number not in agents:
        raise Http404("No such agent.")
    only_faults = request.GET.get("show") == "faults"
    games = games if number is None else games.of(number)
    games = games.exclude(fault_kind="") if only_faults else games
    page = Paginator(games.defer("packed"), GAMES_PER_PAGE).get_page(request.GET.get("page"))
    page.object_list = list(page.object_list)
    return {
        "page": page,
        "rows": [
            {
                "game": game,
                "address": game_address(game),
                "seats": _seats(game, agents, agent_address),
                "is_passed_over": is_passed_over(game),
            }
            for game in page.object_list
        ],
        "of": None if number is None else agents[number],
        "of_query": query_of({"of": number}),
        "only_faults": only_faults,
        "query": query_of({"of": number, "show": "faults" if only_faults else ""}),
    }
