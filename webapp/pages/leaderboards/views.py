"""The leaderboard: page and CSV from one redacted board."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from webapp.courses.models import Assignment
from webapp.courses.permissions import is_member_of, is_staff_of
from webapp.leaderboards import selectors
from webapp.leaderboards.permissions import may_see_board
from webapp.pages.http import attachment

KINDS = ("graded", "practice")


def board_of(
    request: HttpRequest, course: str, assignment: str
) -> tuple[Assignment, selectors.Board]:
    """The board as this person may see it; 404 if not at all, so that nothing is given away."""
    found = get_object_or_404(
        Assignment.objects.select_related("course"), course__slug=course, slug=assignment
    )
    if not may_see_board(request.user, found):
        raise Http404("No such leaderboard.")
    kind = request.GET.get("kind", "graded")
    chosen = kind if kind in KINDS and is_member_of(request.user, found.course) else "graded"
    return found, selectors.standings(found, request.user, kind=chosen)


@require_GET
def leaderboard(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Ranks, means and intervals."""
    found, board = board_of(request, course, assignment)
    context = {
        "assignment": found,
        "course": found.course,
        "board": board,
        "score_range": found.rules.score_range,
        "is_member": is_member_of(request.user, found.course),
        "is_staff": is_staff_of(request.user, found.course),
        "nav": "home",
    }
    return render(request, "leaderboards/leaderboard.html", context)


@require_GET
def leaderboard_csv(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """The same as a spreadsheet."""
    found, board = board_of(request, course, assignment)
    name = f"{found.course.slug}-{found.slug}-leaderboard.csv"
    return attachment(selectors.board_csv(board), name=name, content_type="text/csv; charset=utf-8")
