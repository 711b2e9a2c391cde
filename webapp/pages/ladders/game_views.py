"""Views of a ladder's games: the list, one of them in the viewer, and its record."""

from collections.abc import Mapping
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from webapp.courses.permissions import is_member_of, is_staff_of
from webapp.ladders import games as shown_games
from webapp.ladders.models import Ladder, LadderEntry, LadderGame
from webapp.pages.addresses import query_of, whole_number
from webapp.pages.contexts import assignment_context
from webapp.pages.ladders.views import seen
from webapp.pages.replays import SeatRow, elsewhere_file, record_file, replay_context, seats_of
from webapp.tables.replays import record_of, replay_of

GAMES_PER_PAGE: Final = 50


def open_ladder(request: HttpRequest, course_slug: str, assignment_slug: str) -> Ladder:
    """Return the ladder. Raises Http404 for people outside of its course."""
    assignment, ladder = seen(request, course_slug, assignment_slug)
    if ladder is None or not is_member_of(request.user, assignment.course):
        raise Http404("No such ladder.")
    return ladder


def _context(ladder: Ladder) -> dict[str, Any]:
    return {**assignment_context(ladder.assignment), "ladder": ladder}


def _entries(ladder: Ladder) -> dict[int, LadderEntry]:
    return {entry.number: entry for entry in ladder.entries.all()}


def _names(ladder: Ladder) -> dict[int, str]:
    return {number: str(entry) for number, entry in _entries(ladder).items()}


@login_required
@require_GET
def games(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Games of rounds that are over, or those of one agent; some at a time."""
    ladder = open_ladder(request, course_slug, assignment_slug)
    entries, number = _entries(ladder), whole_number(request.GET.get("of", ""))
    if number is not None and number not in entries:
        raise Http404("No such agent.")
    listed = shown_games.games_of(ladder, number=number).defer("packed")
    page = Paginator(listed, GAMES_PER_PAGE).get_page(request.GET.get("page"))
    context = _context(ladder) | {
        "page": page,
        "of": None if number is None else entries[number],
        "query": query_of({"of": number}),
        "rows": [
            {
                "game": game,
                "address": reverse("ladders:game", args=[course_slug, assignment_slug, game.index]),
                "seats": _seats(ladder, game, entries),
            }
            for game in page
        ],
    }
    return render(request, "ladders/games.html", context)


def _seats(ladder: Ladder, game: LadderGame, entries: Mapping[int, LadderEntry]) -> list[SeatRow]:
    assignment = ladder.assignment
    listed = reverse("ladders:games", args=[assignment.course.slug, assignment.slug])
    return seats_of(game, entries, address=lambda number: f"{listed}?of={number}")


def _game(ladder: Ladder, index: int) -> LadderGame:
    return get_object_or_404(shown_games.games_of(ladder), index=index)


def _sees_evidence(request: HttpRequest, game: LadderGame) -> bool:
    """Staff, and the team whose agent spoiled the game."""
    course = game.ladder.assignment.course
    return is_staff_of(request.user, course) or shown_games.is_own_fault(game, request.user.pk)


@login_required
@require_GET
@gzip_page
def game(request: HttpRequest, course_slug: str, assignment_slug: str, index: int) -> HttpResponse:
    """One game, replayed by the rules."""
    ladder = open_ladder(request, course_slug, assignment_slug)
    result, names = _game(ladder, index), _names(ladder)
    sees_evidence = _sees_evidence(request, result)
    context = _context(ladder) | {
        "result": result,
        "seats": _seats(ladder, result, _entries(ladder)),
        "culprit": None if result.culprit is None else names[result.culprit],
        "sees_evidence": sees_evidence,
        "neighbours": shown_games.neighbours(ladder, result),
    }
    context |= replay_context(
        lambda: replay_of(result, names, with_evidence=sees_evidence),
        asked=request.GET.dict(),
        evidence=result.evidence if sees_evidence else None,
        deal_is_public=True,
    )
    return render(request, "ladders/game.html", context)


@login_required
@require_GET
def record(
    request: HttpRequest, course_slug: str, assignment_slug: str, index: int
) -> HttpResponse:
    """One game's record, to keep."""
    result = _game(open_ladder(request, course_slug, assignment_slug), index)
    shown = record_of(result, with_evidence=_sees_evidence(request, result))
    return record_file(shown, index=index)


@login_required
@require_GET
def elsewhere(
    request: HttpRequest, course_slug: str, assignment_slug: str, index: int
) -> HttpResponse:
    """One game's file for another site that shows games of its kind."""
    result = _game(open_ladder(request, course_slug, assignment_slug), index)
    names = dict.fromkeys(result.numbers, "")
    return elsewhere_file(lambda: replay_of(result, names, with_evidence=False), index=result.index)
