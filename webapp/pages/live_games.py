"""Live view: shows the newest finished game, then the next one.

Graders report games once they are over. So a live page shows the newest of them move by move, and
moves on to the one that is newest then.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.views.decorators.cache import never_cache

from webapp.grading.evaluations.models import STOPPED
from webapp.grading.evaluations.models.result import StoredGame
from webapp.pages.addresses import whole_number
from webapp.pages.http import signed_in

T = TypeVar("T", bound=StoredGame)

_QUERY: Final = "watch"


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveGame:
    """A game that is shown because it was the newest."""

    next_address: str
    """Answers which game is newer."""
    is_over: bool
    """True if no more games are expected."""


def live_game(
    request: HttpRequest, game: StoredGame, *, next_address: str, is_open: bool
) -> LiveGame | None:
    """Return how a game's page goes on; ``None`` unless it was opened to watch."""
    if _QUERY not in request.GET:
        return None
    return LiveGame(next_address=f"{next_address}?after={game.pk}", is_over=not is_open)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched(Generic[T]):
    """The games that a reader watches as they come in."""

    games: QuerySet[T]
    is_open: bool
    """True if more games are expected."""
    address: Callable[[T], str]
    """Returns the address of a game's page."""
    otherwise: str
    """The address to lead to before the first game."""

    def newest(self, *, after: int = 0) -> str:
        """Return the address of the game recorded last; empty if not after this key."""
        games = self.games.exclude(ending=STOPPED).filter(pk__gt=after)
        game = games.order_by("-pk").first()
        return "" if game is None else f"{self.address(game)}?{_QUERY}=1"


def watch_paths(
    prefix: str, watched: Callable[[HttpRequest, UUID], Watched[T]]
) -> list[URLPattern]:
    """Return the addresses that lead to the newest game, and tell which game is newer.

    ``watched`` raises Http404, and NotAllowed if the reader may not see games.
    """

    @signed_in("GET")
    @never_cache
    def watch(request: HttpRequest, uuid: UUID) -> HttpResponse:
        games = watched(request, uuid)
        if address := games.newest():
            return redirect(address)
        messages.info(request, "No game has been reported yet. Try again in a moment.")
        return redirect(games.otherwise)

    @signed_in("GET")
    @never_cache
    def watch_next(request: HttpRequest, uuid: UUID) -> HttpResponse:
        games = watched(request, uuid)
        after = whole_number(request.GET.get("after", ""), digits=18) or 0
        return JsonResponse({"address": games.newest(after=after), "over": not games.is_open})

    return [
        path(prefix + "watch/", watch, name="watch"),
        path(prefix + "watch/next/", watch_next, name="watch_next"),
    ]
