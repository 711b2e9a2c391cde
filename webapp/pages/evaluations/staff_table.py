"""The staff's table of an assignment: its teams, and students who are in none.

Drawing the fifty rows of a page took a third of its time, so a process keeps the rows that it drew.
All that a row shows is in values that can be compared: a kept row is never out of date.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from grader.results.grading_scheme import GradingScheme
from webapp.contests.tournaments.models import TournamentAudit
from webapp.grading.evaluations.models import Status
from webapp.grading.gradebook.work import Need, TeamWork, Work
from webapp.pages.addresses import query_of
from webapp.pages.evaluations.row_states import RowState, flagged_state, state_of
from webapp.teaching.courses.models import Enrolment

TABS: Final = (
    ("", "All"),
    (Need.CHECK.value, "To check"),
    (Need.NO_UPLOAD.value, "No upload"),
    (Need.EXTENSION.value, "Extensions"),
    (Need.NOT_GRADED.value, "Not graded"),
)
"""The tabs of the page, by the word in its address."""
_KEPT: Final = 2000
"""Rows that a process keeps, of 2 kB each."""
Cells: TypeAlias = tuple[tuple[str, Any], ...]
"""All that a row shows, by the names in its template; every value can be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """One choice of rows."""

    words: str
    number: int
    query: str
    """The address's, with the search."""
    is_current: bool


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


def tabs_of(rows: Sequence[TeamWork], asked: Mapping[str, str]) -> list[Tab]:
    """Return the tabs for these rows, with their numbers; ``asked`` is the address's query."""
    return [
        Tab(
            words=words,
            number=sum(name in row.needs for row in rows) if name else len(rows),
            query=query_of({**asked, "show": name}).removesuffix("&"),
            is_current=name == asked["show"],
        )
        for name, words in TABS
    ]


def staff_rows(
    work: Work, shown: Sequence[TeamWork], *, table: TableContext, csrf_token: str
) -> list[SafeString]:
    """Return these rows of the assignment's work as HTML. A fixed number of queries."""
    rows = work.alone(shown)
    enrolments = _enrolments(rows)
    flagged = _flagged(shown)
    made = []
    for row, needs in zip(rows, (row.needs for row in shown), strict=True):
        users = {user.pk for user in row.members} | {row.user}
        state = state_of(row)
        if row.team is not None and Need.FLAGGED in needs and not state.button:
            state = flagged_state(state, row, flagged.get(row.team.pk, ""))
        here = [place for user, place in enrolments.items() if user in users]
        cells = cells_of(row, state, here, is_to_check=Need.CHECK in needs)
        made.append(row_html(table, cells, csrf_token))
    return made


def cells_of(
    row: TeamWork, state: RowState, enrolments: Sequence[Enrolment], *, is_to_check: bool
) -> Cells:
    """Return the values of a row: of a team with its members, or of a student who is in none."""
    team, run, counted = row.team, row.run, row.counted
    sections = {section.name for place in enrolments for section in place.sections}
    student = enrolments[0].pk if team is None and enrolments else None
    cells = {
        "name": row.name,
        "team": None if team is None else team.pk,
        "student": student,
        "whose": f"student={student}" if team is None else f"team={team.pk}",
        "alias": "" if team is None else team.alias,
        "members": ", ".join(str(user) for user in row.members) or "–",
        "sections": ", ".join(sorted(sections)),
        "is_to_check": is_to_check,
        "uploads": row.uploads.n_all,
        "latest": row.uploads.latest,
        "counted": None if counted is None else counted.pk,
        "counted_number": None if counted is None else counted.number,
        "lateness": row.resolution.lateness,
        "testing": None if row.testing is None else row.testing.number,
        "practice": row.practice,
        "run": None if run is None else run.uuid,
        "is_open": run is not None and run.is_open,
        "is_failed": run is not None and run.status == Status.FAILED,
        "games_done": 0 if run is None else run.games_done,
        "n_games": 0 if run is None else run.n_games,
        "state": state,
        **_grade_cells(row),
    }
    return tuple(cells.items())


def _grade_cells(row: TeamWork) -> dict[str, Any]:
    """Return the columns of the grade; ``graded``: the submission's number, if another counts."""
    grade = row.grade
    if grade is None:
        return {"points": None}
    submission = None if row.is_graded else grade.evaluation.submission
    return {
        "mean": grade.mean,
        "high": grade.evaluation.high,
        "won": grade.evaluation.won,
        "points": grade.points,
        "full_points": grade.full_points,
        "penalty_percent": grade.penalty_percent,
        "graded": None if submission is None else submission.number,
    }


def row_html(table: TableContext, cells: Cells, csrf_token: str) -> SafeString:
    """Return the row as HTML. Only one of a failed evaluation has a form with the token."""
    return _row_html(table, cells, csrf_token if dict(cells)["is_failed"] else "")


@lru_cache(maxsize=_KEPT)
def _row_html(table: TableContext, cells: Cells, csrf_token: str) -> SafeString:
    context = {**dict(cells), "table": table, "csrf_token": csrf_token}
    return render_to_string("evaluations/_staff_row.html", context)


def _enrolments(rows: Sequence[TeamWork]) -> dict[int | None, Enrolment]:
    courses = {row.assignment.course_id for row in rows}
    users = {row.user for row in rows} | {user.pk for row in rows for user in row.members}
    places = Enrolment.objects.filter(course__in=courses, user__in=users - {None})
    return {place.user_id: place for place in places.with_sections()}


def _flagged(shown: Sequence[TeamWork]) -> dict[int | None, str]:
    """Return the pages of the latest audit of a tournament that flagged a team. One query."""
    teams = [row.team for row in shown if Need.FLAGGED in row.needs]
    unseen = TournamentAudit.objects.filter(flags__gt=0, seen_at=None)
    audits = unseen.filter(participant__submission__team__in=teams)
    rows = audits.order_by("pk").values_list(
        "participant__submission__team", "participant__tournament__uuid"
    )
    return {team: reverse("tournaments:tournament", args=[uuid]) + "#audit" for team, uuid in rows}
