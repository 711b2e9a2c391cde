"""One short row a team, from the database: all that ranks are made of.

A board of a thousand teams reads a thousand of these rows, and ``details`` for one page only.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from typing import Any, Final
from uuid import UUID

from django.db.models import (
    Avg,
    Count,
    DecimalField,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.utils import timezone

from grader.core.games import Game
from grader.results.statistics import t_quantile
from webapp.contests.leaderboards.values import MEAN_DIGITS, Provisional
from webapp.grading.evaluations.models import Evaluation, GameResult, Kind, Status
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Choice, Submission, SubmissionStatus
from webapp.teaching.courses.models import (
    Accommodation,
    Assignment,
    Course,
    Extension,
    GradeRelease,
    SectionDates,
)

HISTORY: Final = 10


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A team's evaluation that stands on the board."""

    team: int
    alias: str
    points: Decimal | None
    evaluation: int
    uuid: UUID
    mean: float
    low: float | None
    high: float | None
    n_games: int
    finished_at: datetime
    before: float | None
    """The team's mean last Sunday; ``None`` if it had none."""


_FIGURES: Final = ("pk", "uuid", "mean", "low", "high", "n_games", "finished_at")


def last_sunday(course: Course, at: datetime | None = None) -> datetime:
    """The midnight, in the course's zone, with which the last Sunday began."""
    today, _ = course.day_of(at or timezone.now())
    return course.day_of(today - timedelta(days=(today.weekday() + 1) % 7 - 0.5))[0]


def rank_key(game: Game, mean: float) -> float:
    """Return a number that is lower the better the mean is; what looks equal is equal."""
    shown = round(mean, MEAN_DIGITS)
    return shown if game.lower_is_better else -shown


# See webapp/decisions/boards.md
def entries_of(assignment: Assignment, kind: Kind) -> list[BoardEntry]:
    """Every ranked team, in no order. One query."""
    since = last_sunday(assignment.course)
    rows = _graded(assignment, since) if kind == Kind.GRADED else _latest(assignment, kind, since)
    return [BoardEntry(*row) for row in rows]


def _graded(assignment: Assignment, since: datetime) -> Iterable[tuple[Any, ...]]:
    earlier = (
        Grade.objects.filter(team=OuterRef("team"), graded_at__lt=since)
        .order_by("-is_current", "-graded_at", "-pk")
        .values("mean")[:1]
    )
    return (
        Grade.objects.filter(
            team__assignment=assignment, is_current=True, evaluation__mean__isnull=False
        )
        .order_by()
        .values_list(
            "team_id",
            "team__alias",
            "points",
            *(f"evaluation__{name}" for name in _FIGURES),
            Subquery(earlier),
        )
    )


def _latest(assignment: Assignment, kind: Kind, since: datetime) -> Iterable[tuple[Any, ...]]:
    runs = Evaluation.objects.filter(kind=kind, mean__isnull=False)
    newest = (
        runs.filter(is_current=True, submission__team=OuterRef("submission__team"))
        .order_by("-submission__number")
        .values("pk")[:1]
    )
    earlier = (
        runs.filter(submission__team=OuterRef("submission__team"), finished_at__lt=since)
        .order_by("-submission__number", "-finished_at")
        .values("mean")[:1]
    )
    return (
        Evaluation.objects.current()
        .filter(assignment=assignment, kind=kind, submission__isnull=False, pk=Subquery(newest))
        .order_by()
        .values_list(
            "submission__team_id",
            "submission__team__alias",
            Value(None, output_field=DecimalField()),
            *_FIGURES,
            Subquery(earlier),
        )
    )


def best_first(entries: Iterable[BoardEntry], game: Game) -> list[BoardEntry]:
    """Rows in the order of ranks; equal ranks in an arbitrary order."""
    return sorted(entries, key=lambda entry: (rank_key(game, entry.mean), entry.uuid))


def house_runs(assignment: Assignment, kind: Kind) -> QuerySet[Evaluation]:
    """House agents on the board's deals."""
    played = Evaluation.objects.current().filter(assignment=assignment, kind=kind)
    return played.filter(submission__isnull=True, mean__isnull=False)


def details(evaluations: Collection[int]) -> dict[int, Evaluation]:
    """Evaluations by their keys, with their submissions. One query."""
    runs = Evaluation.objects.filter(pk__in=evaluations).select_related("submission")
    return {run.pk: run for run in runs.defer("turn_ms")}


def histories(teams: Collection[int]) -> dict[int, tuple[float, ...]]:
    """By team the practice means of its last submissions, the newest last. One query."""
    played = Evaluation.objects.current().filter(
        kind=Kind.PRACTICE, submission__team__in=teams, mean__isnull=False
    )
    means: dict[int, list[float]] = {}
    rows = played.order_by("submission__number").values_list("submission__team", "mean")
    for team, mean in rows:
        if mean is not None:
            means.setdefault(team, []).append(mean)
    return {team: tuple(history[-HISTORY:]) for team, history in means.items()}


@dataclass(frozen=True, slots=True)
class BoardRun:
    """A team's evaluation that games come in for."""

    team: int
    alias: str
    evaluation: int
    games_done: int
    n_games: int
    against: bool


def runs_under_way(assignment: Assignment, kind: Kind) -> list[BoardRun]:
    """Evaluations being played for teams. One query."""
    playing = Evaluation.objects.filter(assignment=assignment, kind=kind, status=Status.PLAYING)
    columns = (
        "submission__team", "submission__team__alias", "pk", "games_done", "n_games", "opponents",
    )  # fmt: skip
    rows = playing.filter(submission__isnull=False).order_by("pk").values_list(*columns)
    return [
        BoardRun(team, alias, run, done, n_games, bool(opponents))
        for team, alias, run, done, n_games, opponents in rows
    ]


def provisional(runs: Iterable[BoardRun], unit: Fraction) -> dict[int, Provisional]:
    """Return the standing of the games so far, by team. At most one query.

    ``unit``: points of a score.
    """
    runs = list(runs)
    if not runs:
        return {}
    results = GameResult.objects.filter(evaluation__in=[run.evaluation for run in runs]).order_by()
    sums = results.values_list("evaluation").annotate(
        n=Count("pk"), mean=Avg("score"), squares=Avg(F("score") * F("score"))
    )
    scale = float(unit)
    figures = {run: (games, scale * mean, scale**2 * squares) for run, games, mean, squares in sums}
    return {run.team: _so_far(run, *figures.get(run.evaluation, (0, 0.0, 0.0))) for run in runs}


def _so_far(run: BoardRun, games: int, mean: float, squares: float) -> Provisional:
    """Return the mean of the games so far; with an interval from the second on.

    Without one against opponents: there deals are sampled, and these sums know only games.
    """
    sure = games > 1 and not run.against
    spread = sqrt(max(squares - mean * mean, 0.0) / (games - 1)) if sure else None
    half = None if spread is None else t_quantile(games - 1) * spread
    return Provisional(
        games_done=run.games_done,
        n_games=run.n_games,
        mean=mean if games else None,
        low=None if half is None else mean - half,
        high=None if half is None else mean + half,
    )


@dataclass(frozen=True, slots=True)
class BoardVersion:
    """The state of a board: values that change whenever it does."""

    values: tuple[object, ...]
    is_playing: bool
    """True while games come in."""


def version(assignment: Assignment, kind: Kind) -> BoardVersion:
    """Return the state of a board. Three queries."""
    current = Q(is_current=True)
    state = Evaluation.objects.filter(assignment=assignment, kind=kind).aggregate(
        runs=Count("pk", filter=current),
        last=Max("finished_at", filter=current),
        games=Avg("games_done", filter=Q(status=Status.PLAYING)),
        playing=Count("pk", filter=Q(status=Status.PLAYING)),
    )
    grades = Grade.objects.filter(team__assignment=assignment).aggregate(
        last=Max("pk"), current=Sum("pk", filter=Q(is_current=True))
    )
    values = (*state.values(), *grades.values(), *_what_counts(assignment))
    return BoardVersion(values=values, is_playing=bool(state["playing"]))


def _what_counts(assignment: Assignment) -> tuple[object, ...]:
    """Return figures that change when another upload counts or a grade is released. One query.

    Choices and grants of more time are only ever added; the latest holds.
    """
    teams, course = Q(team__assignment=assignment), assignment.course
    ready = Submission.objects.filter(teams, status=SubmissionStatus.READY)
    later = SectionDates.objects.filter(assignment=assignment)
    released = GradeRelease.objects.filter(assignment=assignment).order_by().values("assignment")
    (row,) = Assignment.objects.filter(pk=assignment.pk).values_list(
        "due_at",
        "board_lines",
        "holds_grades",
        Subquery(Choice.objects.filter(teams).order_by("-pk").values("pk")[:1]),
        Subquery(ready.order_by("-pk").values("pk")[:1]),
        Subquery(Extension.objects.filter(assignment=assignment).order_by("-pk").values("pk")[:1]),
        Subquery(_granted(course).values("pk")[:1]),
        Subquery(later.order_by("-due_at").values("due_at")[:1]),
        Subquery(released.annotate(keys=Sum("pk")).values("keys")),
    )
    return tuple(row)


def _granted(course: Course) -> QuerySet[Accommodation]:
    return Accommodation.objects.filter(enrolment__course=course).order_by("-pk")
