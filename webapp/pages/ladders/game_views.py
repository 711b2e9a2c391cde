"""A ladder's games of finished rounds: the list, and the page of one."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from webapp.contests.ladders import selectors
from webapp.contests.ladders.models import Ladder, LadderEntry, LadderGame
from webapp.pages.game_pages import TableGamePage, games_context
from webapp.pages.http import assignment_context, signed_in, viewer_of
from webapp.pages.ladders.views import seen


def _open_ladder(request: HttpRequest, course_slug: str, assignment_slug: str) -> Ladder:
    assignment, ladder = seen(request, course_slug, assignment_slug)
    if ladder is None or not viewer_of(request, assignment.course).is_member:
        raise Http404("No such ladder.")
    return ladder


def _context(ladder: Ladder) -> dict[str, Any]:
    assignment = ladder.assignment
    return {
        **assignment_context(assignment),
        "owner": f"the ladder, {assignment.title}",
        "owner_title": "Ladder",
        "owner_url": reverse("ladders:ladder", args=[assignment.course.slug, assignment.slug]),
    }


def _entries(ladder: Ladder) -> dict[int, LadderEntry]:
    return {entry.number: entry for entry in ladder.entries.all()}


@signed_in("GET")
def games(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Games of rounds that are over, or those of one agent; some at a time."""
    where = (course_slug, assignment_slug)
    ladder = _open_ladder(request, *where)
    context = _context(ladder) | games_context(
        request,
        selectors.games_of(ladder),
        _entries(ladder),
        game_address=lambda game: reverse("ladders:game", args=[*where, game.index]),
        agent_address=lambda number: f"{reverse('ladders:games', args=where)}?of={number}",
    )
    context |= {
        "lede": "You can open the games of a round once it is over:"
        " its deals are never used again.",
        "more": ", the latest first",
        "back": "Later",
        "forward": "Earlier",
        "empty": "They can be opened when the first round is over.",
    }
    return render(request, "tables/games.html", context)


class LadderGamePage(TableGamePage):
    """A game of a ladder's round that is over."""

    namespace = "ladders"
    game: LadderGame
    deal_is_public = True

    def __init__(
        self, request: HttpRequest, course_slug: str, assignment_slug: str, index: int
    ) -> None:
        self.request, self.where, self.key = request, (course_slug, assignment_slug), index
        self.ladder = _open_ladder(request, course_slug, assignment_slug)
        game = get_object_or_404(selectors.games_of(self.ladder), index=index)
        is_staff = viewer_of(request, self.ladder.assignment.course).is_staff
        is_own_fault = selectors.is_own_fault(game, request.user.pk)
        self.show_as(game, sees_evidence=is_staff or is_own_fault)

    @cached_property
    def agents(self) -> Mapping[int, object]:
        return _entries(self.ladder)

    def agent_address(self, number: int) -> str:
        return f"{self.address('games')}?of={number}"

    def neighbours(self) -> tuple[int | None, int | None]:
        return selectors.neighbours(self.ladder, self.game)

    def context(self) -> dict[str, Any]:
        return _context(self.ladder) | super().context()
