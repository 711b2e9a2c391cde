"""The page of a ladder, which follows the games as they come in."""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from webapp.contests.ladders import selectors
from webapp.contests.ladders.models import Ladder
from webapp.contests.ladders.selectors import LadderRow, LadderState
from webapp.contests.leaderboards.permissions import may_see_board
from webapp.contests.tables.contests import shared_ranks
from webapp.pages.http import assignment_context, viewer_of
from webapp.pages.ladders.forms import LadderForm
from webapp.pages.standings import drawn
from webapp.pages.watching import Watch, answer, watch_state
from webapp.teaching.courses.models import Assignment

_PLAYING_SECONDS: Final = 5
_RESTING_SECONDS: Final = 30


def seen(
    request: HttpRequest, course_slug: str, assignment_slug: str
) -> tuple[Assignment, Ladder | None]:
    """Return the assignment and its ladder. Raises Http404 as for leaderboards."""
    assignment = get_object_or_404(
        Assignment.objects.select_related("course"), course__slug=course_slug, slug=assignment_slug
    )
    if not may_see_board(request.user, assignment):
        raise Http404("No such ladder.")
    ladder = selectors.ladder_of(assignment)
    if ladder is None and not viewer_of(request, assignment.course).is_instructor:
        raise Http404("This assignment has no ladder.")
    return assignment, ladder


def watch_of(ladder: Ladder) -> Watch | None:
    """Say how the page is watched; ``None`` for a closed ladder."""
    if not ladder.is_open:
        return None
    assignment = ladder.assignment
    state = selectors.fingerprint(ladder)
    address = reverse("ladders:live", args=[assignment.course.slug, assignment.slug])
    seconds = _PLAYING_SECONDS if LadderState.PLAYING in state else _RESTING_SECONDS
    return watch_state(address, state, seconds=seconds)


def live_context(request: HttpRequest, ladder: Ladder) -> dict[str, Any]:
    """The part of the page that changes while games come in."""
    board = selectors.board(ladder, request.user)
    return {
        **assignment_context(ladder.assignment),
        "ladder": ladder,
        "board": board,
        **drawn(
            board.rows,
            shared=shared_ranks(board.rows),
            lower_is_better=ladder.rules.lower_is_better,
            address=_submission_address,
            has_band=False,
        ),
        "game": ladder.rules,
        "watch": watch_of(ladder),
        "is_instructor": viewer_of(request, ladder.assignment.course).is_instructor,
        "is_member": viewer_of(request, ladder.assignment.course).is_member,
    }


def _submission_address(row: LadderRow) -> str:
    return (
        "" if row.submission is None else reverse("submissions:submission", args=[row.submission])
    )


def page_of(
    request: HttpRequest,
    assignment: Assignment,
    ladder: Ladder | None,
    *,
    form: LadderForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole page; also shown with a refused form in it."""
    is_instructor = viewer_of(request, assignment.course).is_instructor
    context: dict[str, Any] = {
        **assignment_context(assignment),
        "ladder": ladder,
        "is_instructor": is_instructor,
        "is_member": viewer_of(request, assignment.course).is_member,
    }
    if ladder is not None:
        context |= live_context(request, ladder)
        context["withdrawable"] = [row for row in context["board"].rows if row.submission]
    if is_instructor:
        going_on = ladder if ladder is not None and ladder.is_open else None
        context["form"] = form or LadderForm(assignment=assignment, ladder=going_on)
    return render(request, "ladders/ladder.html", context, status=status)


@require_GET
@gzip_page
def ladder(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Ratings, intervals, games, versions; how they come about."""
    return page_of(request, *seen(request, course_slug, assignment_slug))


@require_GET
@never_cache
@gzip_page
def live(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """The changing part of the page, for the page that polls."""
    _, ladder = seen(request, course_slug, assignment_slug)
    if ladder is None:
        raise Http404("This assignment has no ladder.")
    return answer(
        request,
        watch_of(ladder),
        lambda: render(request, "ladders/_live.html", live_context(request, ladder)),
    )
