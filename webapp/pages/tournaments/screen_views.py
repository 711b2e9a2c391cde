"""The view of a tournament for a lecture room: few large rows, pages that turn by themselves."""

from dataclasses import replace
from math import ceil
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from webapp.contests.tables.contests import shared_ranks
from webapp.contests.tournaments import selectors
from webapp.contests.tournaments.models import Tournament
from webapp.pages.addresses import whole_number
from webapp.pages.standings import drawn
from webapp.pages.tournaments.views import agent_address, context_of, openable_tournament, people_of

ROWS: Final = 12
"""Rows that a lecture room can read at once."""
LIVE_SECONDS: Final = 5
IDLE_SECONDS: Final = 30


@require_GET
@gzip_page
def screen(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Standings on the whole screen. By aliases alone for who is not of the course."""
    tournament = openable_tournament(request, uuid)
    if tournament is None:
        return redirect_to_login(request.get_full_path())
    context = context_of(request, tournament)
    if not context["sees_results"]:
        return redirect("tournaments:tournament", uuid)
    return render(
        request,
        "tournaments/screen.html",
        context | _shown(request, tournament, is_member=context["is_member"]),
    )


def _shown(request: HttpRequest, tournament: Tournament, *, is_member: bool) -> dict[str, Any]:
    people = people_of(request, tournament)
    if not tournament.assignment.course.show_names:  # staff see names, the room does not
        people = [replace(ranked, names=()) for ranked in people]
    n_pages = max(ceil(len(people) / ROWS), 1)
    page = min(max(whole_number(request.GET.get("page", "")) or 1, 1), n_pages)
    game = next(iter(tournament.rules.values()))
    rows = people[(page - 1) * ROWS : page * ROWS]
    return {
        **drawn(
            rows,
            shared=shared_ranks(people),
            lower_is_better=game.lower_is_better,
            address=agent_address(tournament, is_member=is_member),
            leader=people[0] if people else None,
        ),
        "game": game,
        "people": people,
        "progress": selectors.progress(tournament),
        "page": page,
        "n_pages": n_pages,
        "page_numbers": range(1, n_pages + 1) if n_pages <= ROWS else (),
        "has_band": True,
        "leave": reverse("tournaments:tournament", args=[tournament.uuid]),
        "next": f"page={page % n_pages + 1}",
        "previous": f"page={(page - 2) % n_pages + 1}",
        "here": f"page={page}",
        "every": LIVE_SECONDS if tournament.is_open else IDLE_SECONDS,
    }
