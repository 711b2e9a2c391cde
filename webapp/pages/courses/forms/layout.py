"""The groups of an assignment's form, in the order of its page."""

from dataclasses import dataclass
from typing import Final

from django.forms import BoundField

from webapp.pages.courses.forms.dates import POLICY_FIELDS
from webapp.pages.courses.forms.interfaces import INTERFACE_FIELDS
from webapp.pages.courses.forms.scheme import SCHEME_FIELDS

LIMIT_NAMES: Final = ("turn_seconds", "turn_wall_seconds", "start_seconds", "memory_mib")
RULES: Final = "Rules"
LIMITS: Final = "Limits of one agent"
POINTS: Final = "Points"


@dataclass(frozen=True, slots=True)
class Group:
    """Names of fields under one legend."""

    legend: str
    names: tuple[str, ...]
    """Fields that a game does not have are left out."""
    after: str = ""
    """The template that follows the fields, if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """A group with its fields, ready for the page."""

    legend: str
    help_text: str
    fields: tuple[BoundField, ...]
    after: str


FIRST: Final = (
    Group("Assignment", ("game", "title", "slug", "description")),
    Group("Dates", ("opens_at", "due_at", "counts")),
    Group("Late uploads", (*POLICY_FIELDS, "has_plain_days", "practice_after_due")),
)
OF_GAME: Final = (
    Group("Languages and interfaces", INTERFACE_FIELDS),
    Group(RULES, ("variant", "players"), after="courses/_assignment_options.html"),
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
    Group(POINTS, SCHEME_FIELDS, after="courses/_references.html"),
)
"""Groups that have other fields, help texts or defaults in another game."""
LAST: Final = (
    Group("Release of grades", ("holds_grades", "weight")),
    Group(
        "Teams and leaderboard",
        ("max_team_size", "uploads_per_day", "practice_per_day", "leaderboard", "play_with"),
    ),
)
