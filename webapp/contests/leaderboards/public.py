"""Boards that anybody may open, the one that changed last first."""

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from webapp.contests.leaderboards.selectors import standings
from webapp.contests.leaderboards.values import Leaderboard, Selection
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.teaching.courses.models import Assignment, LeaderboardVisibility
from webapp.teaching.courses.permissions import Person


# See webapp/decisions/public-boards.md
def public_assignments() -> QuerySet[Assignment]:
    """Assignments with an open board, with their courses. One query."""
    public = Assignment.objects.filter(
        leaderboard=LeaderboardVisibility.PUBLIC, opens_at__lte=timezone.now()
    )
    return _latest_first(public)


def boards_of(viewer: Person) -> QuerySet[Assignment]:
    """Assignments of the viewer's courses whose boards the viewer may open. One query."""
    if not viewer.is_authenticated:
        return Assignment.objects.none()
    visible = Assignment.objects.visible_to(viewer)
    return _latest_first(visible.exclude(leaderboard=LeaderboardVisibility.HIDDEN))


def _latest_first(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    finished = Evaluation.objects.current().filter(
        assignment=OuterRef("pk"), submission__isnull=False
    )
    last = finished.order_by("-finished_at").values("finished_at")[:1]
    dated = assignments.select_related("course").annotate(last_finished_at=Subquery(last))
    return dated.order_by(F("last_finished_at").desc(nulls_last=True), "pk").distinct()


def glimpse(assignment: Assignment, viewer: Person, *, size: int) -> Leaderboard:
    """The best rows: graded, or practice before there is any. Raises NotAllowed."""
    selection = Selection(size=size)
    graded = standings(assignment, viewer, kind=Kind.GRADED, selection=selection)
    if graded.rows:
        return graded
    return standings(assignment, viewer, kind=Kind.PRACTICE, selection=selection)
