"""Live view: shows the newest finished game, then the next one.

Graders report games once they are over. So a live page shows the newest of them move by move, and
moves on to the one that is newest then.
"""

from dataclasses import dataclass
from typing import Final, TypeVar

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

from webapp.evaluations.models import STOPPED
from webapp.evaluations.models.result import StoredGame
from webapp.pages.addresses import whole_number

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


def newest(games: QuerySet[T], *, after: int = 0) -> T | None:
    """Return the game that was recorded last, if that was after the one with this key."""
    return games.exclude(ending=STOPPED).filter(pk__gt=after).order_by("-pk").first()


def _watched(address: str) -> str:
    """The address of a game's page for a user who watches."""
    return f"{address}?{_QUERY}=1"


def first_answer(request: HttpRequest, *, game: str, otherwise: str) -> HttpResponse:
    """Lead to the page of the newest game; without one say so on the page that leads here."""
    if game:
        return redirect(_watched(game))
    messages.info(request, "No game has been reported yet. Try again in a moment.")
    return redirect(otherwise)


def next_answer(*, game: str, is_open: bool) -> JsonResponse:
    """Tell a page that watches where to go on, and whether more games are expected."""
    return JsonResponse({"address": _watched(game) if game else "", "over": not is_open})


def asked_after(request: HttpRequest) -> int:
    """Return the key of the game that is shown; 0 for anything else."""
    return whole_number(request.GET.get("after", ""), digits=18) or 0
