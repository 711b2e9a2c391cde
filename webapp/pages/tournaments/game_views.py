"""Views of one game of a tournament: in the viewer, beside another one, live, and as files."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from grader.core.errors import RecordError
from webapp.pages.live_games import asked_after, first_answer, live_game, newest, next_answer
from webapp.pages.replays import elsewhere_file, record_file, replay_context, viewer_of
from webapp.pages.tournaments.views import context_of, people_of, seat_rows, with_results
from webapp.tables.replays import record_of, replay_of
from webapp.tournaments import permissions, selectors
from webapp.tournaments.models import Tournament, TournamentGame


def game_of(tournament: Tournament, pk: int) -> TournamentGame:
    """One game, or 404."""
    return get_object_or_404(tournament.games, pk=pk)


@login_required
@require_GET
@gzip_page
def game(request: HttpRequest, uuid: UUID, pk: int) -> HttpResponse:
    """One game, replayed by the rules."""
    tournament = with_results(request, uuid)
    result = game_of(tournament, pk)
    people = {
        entry.participant.number: entry.participant for entry in people_of(request, tournament)
    }
    sees_evidence = permissions.may_see_evidence(request.user, tournament, result)
    names = {number: participant.name for number, participant in people.items()}
    context = context_of(request, tournament) | {
        "result": result,
        "seats": seat_rows(tournament, result, people),
        "passed_over": selectors.is_passed_over(result, selectors.counting(tournament)),
        "culprit": None if result.culprit is None else people[result.culprit],
        "sees_evidence": sees_evidence,
        "evidence": result.evidence if sees_evidence else None,
        "neighbours": selectors.neighbours(result),
        "others": [
            (twin, ", ".join(names[number] for number in twin.numbers))
            for twin in selectors.on_same_deal(result)
        ],
        "again": _other_plays(tournament, result),
    }
    context["live_game"] = live_game(
        request,
        result,
        next_address=reverse("tournaments:watch_next", args=[uuid]),
        is_open=tournament.is_open,
    )
    public = tournament.public_secret is not None
    context |= replay_context(
        lambda: replay_of(result, names, with_evidence=sees_evidence),
        asked=request.GET.dict(),
        evidence=context["evidence"],
        deal_is_public=public,
    )
    return render(request, "tournaments/game.html", context)


def _other_plays(tournament: Tournament, game: TournamentGame) -> list[str]:
    """Return the addresses of other plays of a game, with other agents at its table."""
    plays = tournament.games.filter(index=game.index).exclude(pk=game.pk)
    keys = plays.values_list("pk", flat=True)
    return [reverse("tournaments:game", args=[tournament.uuid, key]) for key in keys]


@login_required
@require_GET
@gzip_page
def beside(request: HttpRequest, uuid: UUID, pk: int, other: int) -> HttpResponse:
    """Two games of the same deal, at two tables or with other agents, side by side."""
    tournament = with_results(request, uuid)
    result = game_of(tournament, pk)
    second = next((twin for twin in selectors.on_same_deal(result) if twin.pk == other), None)
    if second is None:
        raise Http404("This game has another deal.")
    names = selectors.names_of(people_of(request, tournament))
    games = [result, game_of(tournament, second.pk)]
    context: dict[str, Any] = context_of(request, tournament) | {"games": games}
    try:
        replays = [
            replay_of(
                game,
                names,
                with_evidence=permissions.may_see_evidence(request.user, tournament, game),
            )
            for game in games
        ]
    except RecordError as error:
        return render(request, "tournaments/beside.html", context | {"unreadable": str(error)})
    shown = [replay for replay in replays if replay is not None]
    labels = [f"Game {game.index}, table {game.table}" for game in games]
    context["pairs"] = list(zip(games, labels, shown, strict=True))
    context["viewer"] = viewer_of(shown, asked=request.GET.dict(), labels=labels, printed=[(), ()])
    return render(request, "tournaments/beside.html", context)


@login_required
@require_GET
@never_cache
def watch(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Lead to the newest game."""
    tournament = with_results(request, uuid)
    otherwise = reverse("tournaments:tournament", args=[uuid])
    return first_answer(request, game=address_of_newest(tournament), otherwise=otherwise)


@login_required
@require_GET
@never_cache
def watch_next(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Tell which game is newer than the one that is shown."""
    tournament = with_results(request, uuid)
    address = address_of_newest(tournament, after=asked_after(request))
    return next_answer(game=address, is_open=tournament.is_open)


def address_of_newest(tournament: Tournament, *, after: int = 0) -> str:
    """The page of the newest game; empty if there is none."""
    game = newest(tournament.games.only("pk"), after=after)
    return "" if game is None else reverse("tournaments:game", args=[tournament.uuid, game.pk])


@login_required
@require_GET
def record(request: HttpRequest, uuid: UUID, pk: int) -> HttpResponse:
    """One game's record, to keep."""
    tournament = with_results(request, uuid)
    result = game_of(tournament, pk)
    sees_evidence = permissions.may_see_evidence(request.user, tournament, result)
    shown = record_of(result, with_evidence=sees_evidence)
    return record_file(shown, index=result.index)


@login_required
@require_GET
def elsewhere(request: HttpRequest, uuid: UUID, pk: int) -> HttpResponse:
    """One game's file for another site that shows games of its kind."""
    tournament = with_results(request, uuid)
    result = game_of(tournament, pk)
    names = dict.fromkeys(result.numbers, "")
    return elsewhere_file(lambda: replay_of(result, names, with_evidence=False), index=result.index)
