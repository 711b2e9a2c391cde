"""Draws the teams' rows of the staff's table, each once for the same values.

A row is a template with sixty tags; drawing the fifty rows of a page took a third of its time. All
that a row shows is in values that can be compared, so a kept row is never out of date.
"""

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from grader.results.grading import GradingScheme
from webapp.courses.deadlines import Lateness
from webapp.evaluations.models import Evaluation, Status
from webapp.gradebook.overview import TeamOverview
from webapp.pages.evaluations.row_states import RowState

__all__ = ["TableContext", "TeamCells", "cells_of", "row_html"]

_KEPT: Final = 2000
"""Rows that a process keeps, of 2 kB each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableContext:
    """The course, the assignment, the columns and the user's rights, which all rows share."""

    course: str
    assignment: str
    has_sections: bool
    has_opponents: bool
    may_choose: bool
    may_extend: bool
    may_announce: bool
    may_grade: bool
    scheme: GradingScheme | None = None
    """The one beside whose thresholds figures stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Team:
    pk: int
    name: str
    alias: str
    members: str
    sections: str
    is_to_check: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Uploads:
    """``latest`` and ``counted`` are keys."""

    number: int
    latest: int | None
    counted: int | None
    counted_number: int | None
    lateness: Lateness | None
    testing: int | None
    """The number of one in test that would count."""
    practice: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grade:
    mean: float
    high: float | None
    won: float | None
    points: Decimal
    full_points: Decimal
    penalty_percent: Decimal
    earlier: int | None
    """The number of the submission that it is of, if another one counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """The latest graded evaluation."""

    uuid: UUID
    is_open: bool
    is_failed: bool
    games_done: int
    n_games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamCells:
    """All that a row shows."""

    team: _Team
    uploads: _Uploads
    grade: _Grade | None
    run: _Run | None
    state: RowState


def cells_of(row: TeamOverview, state: RowState, *, sections: str, is_to_check: bool) -> TeamCells:
    """Return the values of a row."""
    return TeamCells(
        team=_Team(
            pk=row.team.pk,
            name=row.team.name,
            alias=row.team.alias,
            members=", ".join(str(user) for user in row.members) or "–",
            sections=sections,
            is_to_check=is_to_check,
        ),
        uploads=_uploads_of(row),
        grade=_grade_of(row),
        run=None if row.graded is None else _run_of(row.graded),
        state=state,
    )


def row_html(table: TableContext, cells: TeamCells, csrf_token: str) -> SafeString:
    """Return the row as HTML. Only one of a failed evaluation has a form with the token."""
    is_failed = cells.run is not None and cells.run.is_failed
    return _row_html(table, cells, csrf_token if is_failed else "")


@lru_cache(maxsize=_KEPT)
def _row_html(table: TableContext, cells: TeamCells, csrf_token: str) -> SafeString:
    context = {
        "table": table,
        "team": cells.team,
        "uploads": cells.uploads,
        "grade": cells.grade,
        "run": cells.run,
        "state": cells.state,
        "csrf_token": csrf_token,
    }
    return render_to_string("evaluations/_staff_team.html", context)


def _uploads_of(row: TeamOverview) -> _Uploads:
    return _Uploads(
        number=row.submissions,
        latest=None if row.latest is None else row.latest.pk,
        counted=None if row.counted is None else row.counted.pk,
        counted_number=None if row.counted is None else row.counted.number,
        lateness=row.settled.lateness,
        testing=None if row.testing is None else row.testing.number,
        practice=row.practice,
    )


def _grade_of(row: TeamOverview) -> _Grade | None:
    if row.grade is None:
        return None
    run = row.grade.evaluation
    submission = None if row.is_graded else run.submission
    return _Grade(
        mean=row.grade.mean,
        high=run.high,
        won=run.won,
        points=row.grade.points,
        full_points=row.grade.full_points,
        penalty_percent=row.grade.penalty_percent,
        earlier=None if submission is None else submission.number,
    )


def _run_of(run: Evaluation) -> _Run:
    return _Run(
        uuid=run.uuid,
        is_open=run.is_open,
        is_failed=run.status == Status.FAILED,
        games_done=run.games_done,
        n_games=run.n_games,
    )
