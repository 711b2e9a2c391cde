"""Teams' work, as far as courses decide by it. A higher floor reads it, and is registered here."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from webapp.teaching.courses.deadlines import Candidate
from webapp.teaching.courses.models import Assignment, Team


class WorkReader(Protocol):
    """Reads uploads and evaluations."""

    def candidates(
        self,
        assignments: Sequence[Assignment],
        in_time: Mapping[int, datetime],
        teams: Sequence[int] | None,
    ) -> dict[int, list[Candidate]]:
        """Return by team its uploads of which one may count; of all teams for ``None``.

        ``in_time``: by assignment a moment before which no time for uploads ends.
        """

    def chosen(self, assignments: Iterable[Assignment]) -> dict[int, int]:
        """Return by team the submission that it chose last, where teams choose."""

    def has_uploads(self, team: Team) -> bool:
        """Return whether the team has submitted anything."""

    def is_graded(self, team: Team) -> bool:
        """Return whether a graded evaluation of the team's was requested."""

    def is_frozen(self, assignment: Assignment) -> bool:
        """Return whether a graded evaluation was requested, which freezes rules and limits."""


_readers: list[WorkReader] = []


def register_work(reader: WorkReader) -> None:
    """Register what reads teams' work on this site."""
    _readers[:] = [reader]


def work() -> WorkReader:
    """Return what reads teams' work."""
    return _readers[0]
