"""Rows of the staff's table of an assignment: teams, and students who are in none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.urls import reverse
from django.utils.safestring import SafeString

from webapp.courses.models import Assignment, Enrolment
from webapp.gradebook.overview import TeamOverview, staff_overview
from webapp.gradebook.roster import Need, RosterRow
from webapp.pages.addresses import query_of
from webapp.pages.evaluations.row_states import (
    RowState,
    flagged_state,
    state_of,
    state_without_team,
)
from webapp.pages.evaluations.team_rows import TableContext, cells_of, row_html
from webapp.tournaments.models import TournamentAudit

__all__ = ["TABS", "StaffRow", "Tab", "staff_rows", "tabs_of"]

TABS: Final = (
    ("", "All"),
    (Need.CHECK.value, "To check"),
    (Need.NO_UPLOAD.value, "No upload"),
    (Need.EXTENSION.value, "Extensions"),
    (Need.NOT_GRADED.value, "Not graded"),
)
"""The tabs of the page, by the word in its address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """One choice of rows."""

    words: str
    number: int
    query: str
    """The address's, with the search."""
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffRow:
    """One row; ``enrolment`` for a student who is in no team."""

    key: RosterRow
    html: SafeString
    """A team's row as HTML; empty for a student."""
    enrolment: Enrolment | None
    sections: str
    state: RowState

    @property
    def is_to_check(self) -> bool:
        """True if staff should check it."""
        return Need.CHECK in self.key.needs


def tabs_of(rows: Iterable[RosterRow], asked: Mapping[str, str]) -> list[Tab]:
    """Return all tabs for these rows, which the search has found, and their numbers.

    ``asked``: the address's query.
    """
    known = list(rows)
    return [
        Tab(
            words=words,
            number=sum(name in row.needs for row in known) if name else len(known),
            query=query_of({**asked, "show": name}).removesuffix("&"),
            is_current=name == asked["show"],
        )
        for name, words in TABS
    ]


def staff_rows(
    assignment: Assignment,
    keys: Sequence[RosterRow],
    *,
    is_closed: bool,
    table: TableContext,
    csrf_token: str,
) -> list[StaffRow]:
    """Return the table's contents for these rows. A fixed number of queries."""
    wanted = [key.team for key in keys if key.team is not None]
    teams = {row.team.pk: row for row in staff_overview(assignment, wanted)}
    enrolments = _enrolments(assignment, keys, teams)
    flagged = _flagged(keys)
    made = []
    for key in keys:
        overview = teams.get(key.team or 0)
        users = [key.student] if overview is None else [user.pk for user in overview.members]
        here = [enrolments[user] for user in users if user in enrolments]
        row = StaffRow(
            key=key,
            html=SafeString(""),
            enrolment=here[0] if overview is None and here else None,
            sections=_sections(here),
            state=_state(key, overview, flagged, is_closed=is_closed),
        )
        made.append(row if overview is None else _with_html(row, overview, table, csrf_token))
    return made


def _with_html(
    row: StaffRow, overview: TeamOverview, table: TableContext, csrf_token: str
) -> StaffRow:
    cells = cells_of(overview, row.state, sections=row.sections, is_to_check=row.is_to_check)
    return replace(row, html=row_html(table, cells, csrf_token))


def _enrolments(
    assignment: Assignment, keys: Sequence[RosterRow], teams: Mapping[int, TeamOverview]
) -> dict[int | None, Enrolment]:
    users = {key.student for key in keys if key.student is not None}
    users |= {user.pk for row in teams.values() for user in row.members}
    places = assignment.course.enrolments.filter(user__in=users).with_sections()
    return {place.user_id: place for place in places}


def _sections(enrolments: Iterable[Enrolment]) -> str:
    names = {section.name for place in enrolments for section in place.sections}
    return ", ".join(sorted(names))


def _flagged(keys: Sequence[RosterRow]) -> dict[int | None, str]:
    """Return the pages of the latest audit of a tournament that flagged a team. One query."""
    teams = [key.team for key in keys if Need.FLAGGED in key.needs]
    unseen = TournamentAudit.objects.filter(flags__gt=0, seen_at=None)
    audits = unseen.filter(participant__submission__team__in=teams)
    rows = audits.order_by("pk").values_list(
        "participant__submission__team", "participant__tournament__uuid"
    )
    return {team: reverse("tournaments:tournament", args=[uuid]) + "#audit" for team, uuid in rows}


def _state(
    key: RosterRow,
    overview: TeamOverview | None,
    flagged: Mapping[int | None, str],
    *,
    is_closed: bool,
) -> RowState:
    if overview is None:
        return state_without_team(is_closed=is_closed, is_extended=Need.EXTENSION in key.needs)
    state = state_of(overview, is_closed=is_closed)
    if Need.FLAGGED not in key.needs or state.button:
        return state
    return flagged_state(state, overview, flagged.get(key.team, ""))
