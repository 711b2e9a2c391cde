"""Rights of a course's staff. Pure: no database."""

from collections.abc import Collection
from enum import Enum
from typing import Final


class Right(Enum):
    """One right of staff: the name stored in the database, and its label in forms."""

    ROSTER = "roster", "see the list of people, with addresses and student numbers"
    GRADE = "grade", "start, repeat and stop evaluations"
    EXTEND = "extend", "give more time to a student or a team"
    TEAMS = "teams", "move students between teams, and rename teams"
    UPLOAD = "upload", "upload for a team, and choose which upload counts"
    ANNOUNCE = "announce", "post and delete announcements, and remind students by e-mail"
    INTEGRITY = (
        "integrity",
        "compare and download the sources of all teams, audit tournaments, and mark flags as seen",
    )

    def __init__(self, name_kept: str, label: str) -> None:
        self.name_kept = name_kept
        self.label = label


ALL_RIGHTS: Final = frozenset(Right)
ASSISTANT_RIGHTS: Final = tuple(right.name_kept for right in Right if right is not Right.INTEGRITY)
"""Rights of assistants where a course does not say otherwise."""


def known_rights(names: Collection[str]) -> frozenset[Right]:
    """Return the rights of these names; unknown names give none."""
    return frozenset(right for right in Right if right.name_kept in names)
