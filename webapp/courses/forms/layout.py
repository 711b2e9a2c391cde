"""The order in which the page of an assignment's form shows its fields."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from django.forms import BoundField

from webapp.courses.forms.interfaces import INTERFACE_FIELDS
from webapp.courses.forms.scheme import SCHEME_FIELDS

__all__ = [
    "FIRST",
    "LAST",
    "LIMITS",
    "LIMIT_NAMES",
    "OF_GAME",
    "POINTS",
    "RULES",
    "FieldGroup",
    "Group",
]

LIMIT_NAMES: Final = ("turn_seconds", "turn_wall_seconds", "start_seconds", "memory_mib")
RULES: Final = "Rules"
LIMITS: Final = "Limits of one agent"
POINTS: Final = "Points"


@dataclass(frozen=True, slots=True)
class Group:
    """Fields under one legend."""

    legend: str
    names: tuple[str, ...]
    """Those that a game does not have are left out."""


FieldGroup: TypeAlias = tuple[str, str, list[BoundField]]
"""Legend, explanation and fields of a part of the page."""

FIRST: Final = (
    Group("Assignment", ("game", "title", "slug", "description")),
    Group("Dates", ("opens_at", "due_at", "practice_after_due")),
)
OF_GAME: Final = (
    Group("What agents are written in", INTERFACE_FIELDS),
    Group(RULES, ("variant", "players")),
    Group(LIMITS, LIMIT_NAMES),
    Group(
        "Games",
        (
            "opponents",
            "n_games",
            "practice_games",
            "practice_half_width",
            "smoke_games",
            "max_consecutive_faults",
            "audited_games",
        ),
    ),
    Group(POINTS, SCHEME_FIELDS),
)
"""Groups that have other fields, help texts or defaults in another game."""
LAST: Final = (
    Group(
        "Teams and leaderboard",
        ("max_team_size", "uploads_per_day", "practice_per_day", "leaderboard"),
    ),
)
