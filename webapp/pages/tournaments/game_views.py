"""A tournament's games: the list, the page of one, watching them, two games of a deal."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page

from webapp.contests.tournaments import permissions, selectors
from webapp.contests.tournaments.models import Participant, Tournament, TournamentGame
from webapp.pages.game_pages import TableGamePage, games_context, show_beside
from webapp.pages.http import signed_in
from webapp.pages.live_games import Watched
from webapp.pages.tournaments.views import context_of, people_of, with_results

_ABOUT_GAMES: Final = (
    ". A game that ended with a fault was played again, and is listed twice. A game is not counted"
    " if an agent at the table had already been removed."
)


def _participants(request: HttpRequest, tournament: Tournament) -> dict[int, Participant]:
    people = people_of(request, tournament)
    return {ranked.entry.number: ranked.entry for ranked in people}


def _owner(tournament: Tournament) -> dict[str, str]:
    address = reverse("tournaments:tournament", args=[tournament.uuid])
    title = tournament.title
    return {"owner": title, "owner_title": title, "owner_url": address}


@signed_in("GET")
def games(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """All games, or one participant's, or spoiled ones; some at a time."""
    tournament = with_results(request, uuid)
    counting = selectors.counting(tournament)
    listed = games_context(
        request,
        tournament.games.order_by("index", "pk"),
        _participants(request, tournament),
        game_address=lambda game: reverse("tournaments:game", args=[uuid, game.pk]),
        agent_address=lambda number: reverse("tournaments:participant", args=[uuid, number]),
        is_passed_over=lambda game: selectors.is_passed_over(game, counting),
    )
    context = context_of(request, tournament) | _owner(tournament) | listed
    context |= {
        "more": _ABOUT_GAMES,
        "back": "Earlier",
        "forward": "Later",
        "empty": "They appear here as they are played.",
    }
    return render(request, "tables/games.html", context)


class TournamentGamePage(TableGamePage):
    """A game of a tournament, with the games of its deal at other tables."""

    namespace = "tournaments"
    game: TournamentGame

    def __init__(self, request: HttpRequest, uuid: UUID, pk: int) -> None:
        self.request, self.where, self.key = request, (uuid,), pk
        self.tournament = with_results(request, uuid)
        game = get_object_or_404(self.tournament.games, pk=pk)
        sees_evidence = permissions.may_see_evidence(request.user, self.tournament, game)
        self.show_as(game, sees_evidence=sees_evidence)
        self.deal_is_public = self.tournament.public_secret is not None

    @cached_property
    def agents(self) -> Mapping[int, object]:
        return _participants(self.request, self.tournament)

    def agent_address(self, number: int) -> str:
        return self.address("participant", number)

    def neighbours(self) -> tuple[int | None, int | None]:
        return selectors.neighbours(self.game)

    def context(self) -> dict[str, Any]:
        tournament, game = self.tournament, self.game
        plays = tournament.games.filter(index=game.index).exclude(pk=game.pk)
        return {
            **context_of(self.request, tournament),
            **_owner(tournament),
            **super().context(),
            "passed_over": selectors.is_passed_over(game, selectors.counting(tournament)),
            "others": [
                (
                    self.address("beside", game.pk, twin.pk),
                    twin,
                    ", ".join(str(self.agents[number]) for number in twin.numbers),
                )
                for twin in selectors.on_same_deal(game)
            ],
            "again": [self.address("game", pk) for pk in plays.values_list("pk", flat=True)],
            "live": self.live(is_open=tournament.is_open),
        }


@signed_in("GET")
@gzip_page
def beside(request: HttpRequest, uuid: UUID, pk: int, other: int) -> HttpResponse:
    """Show two games of the same deal, at two tables or with other agents, side by side."""
    first = TournamentGamePage(request, uuid, pk)
    if other not in {twin.pk for twin in selectors.on_same_deal(first.game)}:
        raise Http404("This game has another deal.")
    pages = [first, TournamentGamePage(request, uuid, other)]
    labels = [f"Game {page.game.index}, table {page.game.table}" for page in pages]
    context = context_of(request, first.tournament) | _owner(first.tournament)
    return show_beside(pages, labels, context | {"heading": "Two games of the same deal"})


def watched(request: HttpRequest, uuid: UUID) -> Watched[TournamentGame]:
    """Return the games to watch. Raises Http404 and NotAllowed as their pages do."""
    tournament = with_results(request, uuid)
    return Watched(
        games=tournament.games.only("pk"),
        is_open=tournament.is_open,
        address=lambda game: reverse("tournaments:game", args=[uuid, game.pk]),
        otherwise=reverse("tournaments:tournament", args=[uuid]),
    )
