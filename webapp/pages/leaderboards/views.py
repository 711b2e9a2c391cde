"""The leaderboard: page, changing part, full screen and CSV from one redacted board."""

from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, repeat
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from grader.core.games.outcomes import score_words
from webapp.base.storable import storable
from webapp.contests.leaderboards.agents import AgentPage, agent_page
from webapp.contests.leaderboards.entries import version
from webapp.contests.leaderboards.permissions import may_see_board
from webapp.contests.leaderboards.selectors import standings
from webapp.contests.leaderboards.spreadsheets import board_csv
from webapp.contests.leaderboards.values import EVERYTHING, Leaderboard, Selection
from webapp.grading.evaluations.models import Kind
from webapp.pages.addresses import whole_number
from webapp.pages.figures.strip import Cell, strip_of
from webapp.pages.http import attachment, viewer_of
from webapp.pages.intervals import Interval
from webapp.pages.leaderboards.drawing import drawn
from webapp.pages.versions import versions_chart
from webapp.pages.watching import Watch, answer, digest
from webapp.teaching.courses.models import Assignment

SHOWN_VERSIONS = 12
SCREEN_ROWS = 12
"""Rows that a lecture room can read at once."""
LIVE_SECONDS = 2
SCREEN_SECONDS = 5
IDLE_SECONDS = 30
_MAX_FIND = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The board that a request asks for, and which part."""

    assignment: Assignment
    kind: Kind
    selection: Selection

    def query(self, **changed: object) -> str:
        """Return the query string of this page's state, with these changes."""
        own = {"kind": self.kind.value, "page": self.selection.page, "find": self.selection.find}
        own["around"] = "1" if self.selection.around else ""
        left = {name: value for name, value in (own | changed).items() if value}
        return urlencode(
            {name: value for name, value in left.items() if (name, value) != ("page", 1)}
        )


def asked_for(request: HttpRequest, course_slug: str, assignment_slug: str, **more: Any) -> Asked:
    """Read the address. Raises Http404 if the reader may not see the board, to reveal nothing."""
    assignment = get_object_or_404(
        Assignment.objects.select_related("course"), course__slug=course_slug, slug=assignment_slug
    )
    if not may_see_board(request.user, assignment):
        raise Http404("No such leaderboard.")
    return Asked(
        assignment=assignment,
        kind=Kind.PRACTICE if request.GET.get("kind") == Kind.PRACTICE else Kind.GRADED,
        selection=_selection(request, **more),
    )


def _selection(request: HttpRequest, **more: Any) -> Selection:
    page = whole_number(request.GET.get("page", ""))
    return Selection(
        page=1 if page is None else page,
        find=storable(request.GET.get("find", ""), characters=_MAX_FIND),
        around=request.GET.get("around") == "1",
        **more,
    )


def board_of(request: HttpRequest, asked: Asked, *, as_students: bool = False) -> Leaderboard:
    """The board as this person may see it, or as students do."""
    return standings(
        asked.assignment,
        request.user,
        kind=asked.kind,
        selection=asked.selection,
        as_students=as_students,
    )


def watch_of(asked: Asked) -> Watch:
    """Say how the board is watched: often while games are played, now and then otherwise."""
    assignment = asked.assignment
    address = reverse("leaderboards:live", args=[assignment.course.slug, assignment.slug])
    state = version(assignment, asked.kind)
    return Watch(
        address=f"{address}?{asked.query()}",
        shape=digest([state.values]),
        numbers="",
        seconds=LIVE_SECONDS if state.is_playing else IDLE_SECONDS,
        part="#board",
    )


def table_context(request: HttpRequest, asked: Asked) -> dict[str, Any]:
    """The part of the page that changes while games are played."""
    watch = watch_of(asked)  # before the board is read: what changes meanwhile is asked for again
    board = board_of(request, asked)
    return {
        "assignment": asked.assignment,
        "course": asked.assignment.course,
        "board": board,
        "drawn": drawn(board),
        "asked": asked,
        "pages": _pages(asked, board),
        "watch": watch,
        "last_rank": board.page * asked.selection.size,
    }


def _pages(asked: Asked, board: Leaderboard) -> list[tuple[int, str]]:
    """Numbers and queries of the pages to offer: the first, the last, those beside this one."""
    near = {1, board.n_pages, *range(board.page - 1, board.page + 2)}
    return [
        (number, asked.query(page=number, around=""))
        for number in sorted(near)
        if 1 <= number <= board.n_pages
    ]


@require_GET
@gzip_page
def leaderboard(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Ranks, means and intervals; some rows at a time."""
    asked = asked_for(request, course_slug, assignment_slug)
    context = table_context(request, asked) | {
        "is_member": viewer_of(request, asked.assignment.course).is_member,
        "is_staff": viewer_of(request, asked.assignment.course).is_staff,
        "is_instructor": viewer_of(request, asked.assignment.course).is_instructor,
        "has_ladder": asked.assignment.ladders.exists(),
        "kinds": [
            (kind.label.capitalize(), asked.query(kind=kind.value, page=1), kind == asked.kind)
            for kind in (Kind.GRADED, Kind.PRACTICE)
        ],
        "everyone": asked.query(around="", find="", page=1),
        "around": asked.query(around="1", find="", page=1),
        "nav": "boards",
    }
    return render(request, "leaderboards/leaderboard.html", context)


@require_GET
@never_cache
@gzip_page
def live(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """The table, for the page that polls."""
    asked = asked_for(request, course_slug, assignment_slug)
    return answer(
        request,
        watch_of(asked),
        lambda: render(request, "leaderboards/_table.html", table_context(request, asked)),
    )


@require_GET
@gzip_page
def screen(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """The board for a lecture room: few large rows, pages that turn by themselves."""
    asked = asked_for(request, course_slug, assignment_slug, size=SCREEN_ROWS)
    board = board_of(request, asked, as_students=True)  # a room looks at it
    if not asked.assignment.course.show_names:  # staff see names, the room does not
        board = replace(board, rows=tuple(replace(row, names=()) for row in board.rows))
    shown, page, n_pages = drawn(board, band_of_leader=True, values=True), board.page, board.n_pages
    address = reverse("leaderboards:leaderboard", args=[course_slug, assignment_slug])
    context = {
        "assignment": asked.assignment,
        "course": asked.assignment.course,
        "board": board,
        "drawn": shown,
        "has_band": shown.has_band,
        "page": page,
        "n_pages": n_pages,
        "page_numbers": range(1, n_pages + 1) if n_pages <= 12 else (),
        "leave": f"{address}?{asked.query(page=1)}",
        "next": asked.query(page=page % n_pages + 1),
        "previous": asked.query(page=(page - 2) % n_pages + 1),
        "here": asked.query(page=page),
        "every": SCREEN_SECONDS if board.n_playing else IDLE_SECONDS,
    }
    return render(request, "leaderboards/screen.html", context)


@require_GET
@gzip_page
def agent(request: HttpRequest, course_slug: str, assignment_slug: str, name: str) -> HttpResponse:
    """One row of the board: how it came there, and its best games."""
    asked = asked_for(request, course_slug, assignment_slug)
    page = _page_of(request, asked, storable(name, characters=200))
    versions = {
        version.position: Interval(version.mean, version.low, version.high)
        for version in page.versions[-SHOWN_VERSIONS:]
    }
    game = asked.assignment.rules
    scores = chain.from_iterable(repeat(score, games) for score, games in page.histogram)
    cells = (Cell(at, score, is_faulted=False) for at, score in enumerate(scores))
    context = {
        "assignment": asked.assignment,
        "course": asked.assignment.course,
        "agent": page,
        "board": page.board,
        "line": page.line,
        "chart": versions_chart(versions),
        "strip": strip_of(cells, game.score_range, opens=False, words=partial(score_words, game)),
        "is_member": viewer_of(request, asked.assignment.course).is_member,
        "nav": "boards",
    }
    return render(request, "leaderboards/agent.html", context)


def _page_of(request: HttpRequest, asked: Asked, name: str) -> AgentPage:
    for kind in dict.fromkeys((asked.kind, Kind.PRACTICE)):
        page = agent_page(asked.assignment, request.user, name, kind=kind)
        if page is not None:
            return page
    raise Http404("No such agent on this leaderboard.")


@require_GET
def leaderboard_csv(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """All rows as a spreadsheet."""
    asked = asked_for(request, course_slug, assignment_slug)
    assignment = asked.assignment
    board = standings(assignment, request.user, kind=asked.kind, selection=EVERYTHING)
    name = f"{assignment.course.slug}-{assignment.slug}-leaderboard.csv"
    return attachment(board_csv(board), name=name)
