"""An autumn term: its policy, what ten students uploaded, and what that is worth, by hand.

``test_term`` has the site work out the same.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

BERLIN: Final = ZoneInfo("Europe/Berlin")
TEN: Final = ("Ada", "Ben", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon")
"""The first five are of section Monday, the others of Tuesday."""


def berlin(month: int, day: int, hour: int = 18, minute: int = 0) -> datetime:
    """A time of that autumn on the course's clock, which went back an hour on 26 October."""
    return datetime(2025, month, day, hour, minute, tzinfo=BERLIN).astimezone(UTC)


# --- The policy: three late days for each student, and the lowest of four results left out --------

SCHEME: Final = {
    "full_mean": "15",
    "full_points": "100",
    "bonus_points": "1",
    "thresholds": [{"mean": "12", "points": "60"}],
}
"""100 points at 15, one more for each whole point of mean above; 60 from 12 on."""
NEW_SCHEME: Final = {"full_mean": "16", "bonus_points": "2", "thresholds": "12: 60\n15: 80"}
"""What the third assignment is worth in the end, as the form takes it."""
ASSIGNMENTS: Final[Mapping[str, dict[str, Any]]] = {
    "first": {
        "weight": Decimal(1),
        "opens_at": berlin(10, 6, 9),
        "due_at": berlin(10, 17),
        "grace_minutes": 15,
        "penalty_percent": Decimal(10),
        "penalty_unit": "day",
        "max_late_days": 2,
    },
    "second": {
        "weight": Decimal(2),
        "opens_at": berlin(10, 13, 9),
        "due_at": berlin(10, 24),
        "penalty_percent": Decimal(5),
        "penalty_unit": "hour",
        "max_late_days": 2,
        "hard_end_at": berlin(10, 26, 0),
        "counts": "best",
    },
    "third": {
        "weight": Decimal(3),
        "opens_at": berlin(10, 20, 9),
        "due_at": berlin(10, 31),
        "max_late_days": 1,
        "counts": "choice",
        "holds_grades": True,
    },
    "fourth": {
        "weight": Decimal(2),
        "opens_at": berlin(11, 3, 9),
        "due_at": berlin(11, 14),
        "max_team_size": 2,
    },
}

# --- What the ten upload: when, and the mean of its games -----------------------------------------

UPLOADS: Final[Mapping[str, Sequence[tuple[str, datetime, int]]]] = {
    "first": (
        ("Ben", berlin(10, 17, 18, 10), 15),  # within the grace period
        ("Cyd", berlin(10, 18, 20), 16),  # 26 hours late: two late days
        ("Dan", berlin(10, 20, 19), 16),  # 73 hours: two late days, two days of penalty
        ("Eve", berlin(10, 21, 17), 15),  # with an extension to the 21st
    ),
    "second": (
        ("Ada", berlin(10, 20, 12), 18),
        ("Ada", berlin(10, 24, 12), 14),  # worse in practice than the one before
        ("Cyd", berlin(10, 24, 21, 20), 15),  # the third late day
        ("Dan", berlin(10, 25, 20, 30), 16),  # the third late day, three hours of penalty
        ("Eve", berlin(10, 26, 1), 18),  # after the hard end
        ("Fay", berlin(10, 29, 12), 17),  # in time for Tuesday
    ),
    "third": (
        ("Ada", berlin(10, 30, 12), 16),  # which she chooses
        ("Ada", berlin(10, 31, 12), 18),
        ("Cyd", berlin(10, 31, 19), 18),  # an hour late, and no late day is left
        ("Fay", berlin(10, 31, 12), 15),
        ("Gus", berlin(10, 31, 12), 18),
        ("Jon", berlin(11, 6, 10, 30), 17),  # half as much time again: until 6 November, 11:00
    ),
    "fourth": (
        ("Ada", berlin(11, 14, 17), 15),  # with Ben
        ("Hal", berlin(11, 14, 17), 16),  # with Ivy
    ),
}
PARTNERS: Final = (("Ada", "Ben"), ("Hal", "Ivy"))

# --- What that is worth, by hand ------------------------------------------------------------------

LATE_DAYS: Final = {"Cyd": (2, 1, 0, 0), "Dan": (2, 1, 0, 0)}
MOVES: Final = {"Fay": -20, "Ada": -1, "Gus": 1}
"""By the new scheme of the third: 100 to 80, 101 to 100, 103 to 104. Jon keeps 102."""
POINTS: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "Ada": ("0", "103", "100", "100"),
    "Ben": ("100", "0", "0", "100"),
    "Cyd": ("101", "100", "0", "0"),
    "Dan": ("80.80", "85.85", "0", "0"),  # 101 less 20 and 15 percent
    "Eve": ("100", "0", "0", "0"),
    "Fay": ("0", "102", "90", "0"),  # 90 by her request
    "Gus": ("0", "0", "104", "0"),
    "Hal": ("0", "0", "0", "103.50"),  # 101, and 2.50 for a talk
    "Ivy": ("0", "0", "0", "103.50"),
    "Jon": ("0", "0", "102", "5"),  # 5 for a talk, without games
}
TOTALS: Final = {
    "Ada": ("first", "100.86"),  # (2 · 103 + 3 · 100 + 2 · 100) / 7
    "Ben": ("third", "60.00"),  # (100 + 2 · 100) / 5
    "Cyd": ("third", "60.20"),  # (101 + 2 · 100) / 5
    "Dan": ("third", "50.50"),  # (80.80 + 2 · 85.85) / 5
    "Eve": ("third", "20.00"),  # 100 / 5
    "Fay": ("fourth", "79.00"),  # (2 · 102 + 3 · 90) / 6
    "Gus": ("second", "52.00"),  # 3 · 104 / 6
    "Hal": ("third", "41.40"),  # 2 · 103.50 / 5
    "Ivy": ("third", "41.40"),
    "Jon": ("second", "52.67"),  # (3 · 102 + 2 · 5) / 6
}
"""The result left out (of equal ones that of the most weight, the earlier one), and the total."""
NOTHING: Final = (("0", "0", "0", "0"), ("third", "0.00"))


def expected(name: str) -> tuple[list[Decimal], str, Decimal]:
    """A student's points, the assignment left out, and the total, as worked out above."""
    points, (dropped, total) = (POINTS[name], TOTALS[name]) if name in POINTS else NOTHING
    return [Decimal(value) for value in points], dropped, Decimal(total)
