"""Rows of the teams' table that staff should check before a release of grades, as sentences."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from grader.core.words import counted
from webapp.grading.gradebook.work import Need, TeamWork

_NUMBERS: Final = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_REASONS: Final = (
    (Need.FAULTS, "had many faults"),
    (Need.LOST, "lost most games"),
    (Need.FLAGGED, "made different moves in the replay audit"),
    (Need.REJECTED, "had no upload accepted"),
    (Need.NO_UPLOAD, "uploaded nothing"),
)
"""Reasons, the gravest first: a row is counted for its first one."""


def rows_in_words(rows: Sequence[TeamWork]) -> str:
    """Return the number of rows: ``3 teams and 1 student``."""
    teams = sum(row.team is not None for row in rows)
    numbers = ((teams, "team"), (len(rows) - teams, "student"))
    return " and ".join(counted(number, noun) for number, noun in numbers if number)


def reasons_of(rows: Iterable[Collection[Need]]) -> str:
    """Return the reasons: ``Two had many faults, one uploaded nothing.``"""
    numbers = dict.fromkeys(_REASONS, 0)
    for needs in rows:
        first = next(reason for reason in _REASONS if reason[0] in needs)
        numbers[first] += 1
    parts = [f"{_spelled(number)} {words}" for (_, words), number in numbers.items() if number]
    sentence = ", ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def button_of(number: int) -> str:
    """Return the label of the button: ``Show these four``."""
    return f"Show these {_spelled(number)}" if number > 1 else "Show it"


def _spelled(number: int) -> str:
    return _NUMBERS[number] if 0 < number < len(_NUMBERS) else str(number)
