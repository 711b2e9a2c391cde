"""One agent of a leaderboard, as one viewer may see it: its place, its versions, its best games."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from webapp.contests.leaderboards.selectors import standings
from webapp.contests.leaderboards.values import BoardStanding, HouseLine, Leaderboard, Selection
from webapp.contests.sharing.permissions import is_open_to_visitors
from webapp.grading.evaluations.models import STOPPED, Evaluation, GameResult, Kind
from webapp.grading.evaluations.permissions import may_see_games
from webapp.grading.gradebook.models import Grade
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import Person

BEST_GAMES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentVersion:
    """A submission and how it did in one kind of evaluation."""

    position: int
    """From 1 among the versions that were played: says nothing of uploads that were not."""
    mean: float
    low: float | None
    high: float | None
    n_games: int
    finished_at: datetime | None
    evaluation_uuid: UUID | None
    """For a link; ``None`` unless the viewer may open it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPage:
    """One agent as a viewer may see it."""

    board: Leaderboard
    line: BoardStanding | HouseLine
    is_house: bool
    versions: tuple[AgentVersion, ...]
    """Practice, the oldest first."""
    histogram: tuple[tuple[int, int], ...]
    best: tuple[GameResult, ...]
    best_of: Evaluation | None
    """The evaluation that these games are of; ``None`` if the viewer may open none."""
    game_page: str
    """The name of their page: the course's own, or the one for everybody."""


def agent_page(
    assignment: Assignment, viewer: Person, name: str, *, kind: Kind
) -> AgentPage | None:
    """Return an agent by its name; ``None`` if the board has no such row. Raises NotAllowed."""
    board = standings(assignment, viewer, kind=kind, selection=Selection(find=name, size=0))
    lines: list[BoardStanding | HouseLine] = [*board.rows, *board.house]
    line = next((line for line in lines if line.alias == name), None)
    if line is None:
        return None
    runs = _runs(assignment, line)
    shown = next((run for run in runs if run.kind == kind), None)
    own = next((run for run in runs if may_see_games(viewer, run)), None)
    best_of = own or next(filter(is_open_to_visitors, runs), None)
    return AgentPage(
        board=board,
        line=line,
        is_house=isinstance(line, HouseLine),
        versions=_versions([run for run in runs if run.kind == Kind.PRACTICE], line),
        histogram=() if shown is None else tuple((score, n) for score, n in shown.histogram),
        best=() if best_of is None else _best(best_of),
        best_of=best_of,
        game_page="evaluations:game" if own else "sharing:house_game",
    )


def _runs(assignment: Assignment, line: BoardStanding | HouseLine) -> list[Evaluation]:
    """Return evaluations that count: the grade's, other graded ones, then practice. One query."""
    grade = Exists(Grade.objects.filter(evaluation=OuterRef("pk"), is_current=True))
    known = Evaluation.objects.alias(counts=grade).filter(assignment=assignment)
    current = known.filter(Q(is_current=True) | Q(counts=True), mean__isnull=False)
    if isinstance(line, HouseLine):
        own = current.filter(house_agent=line.alias)
    else:
        own = current.filter(submission__team=line.team)
    own = own.filter(kind__in=(Kind.GRADED, Kind.PRACTICE))
    own = own.order_by("kind", "-counts", "-submission__number")
    return list(own.select_related("assignment__course", "submission__team"))


def _versions(
    runs: Sequence[Evaluation], line: BoardStanding | HouseLine
) -> tuple[AgentVersion, ...]:
    may_open = line.evaluation_uuid is not None
    return tuple(
        AgentVersion(
            position=position,
            mean=run.mean or 0.0,
            low=run.low,
            high=run.high,
            n_games=run.n_games,
            finished_at=run.finished_at,
            evaluation_uuid=run.uuid if may_open else None,
        )
        for position, run in enumerate(reversed(runs), 1)
    )


def _best(run: Evaluation) -> tuple[GameResult, ...]:
    order = "score" if run.assignment.rules.lower_is_better else "-score"
    games = run.results.defer("packed").exclude(ending=STOPPED).filter(fault_kind="")
    return tuple(games.order_by(order, "index")[:BEST_GAMES])
