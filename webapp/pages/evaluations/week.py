"""An assignment's week for its staff: five steps with a fact each, and the points given so far."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from statistics import median
from typing import Final

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.core.words import counted
from webapp.grading.gradebook.models import Grade
from webapp.pages.staff_tasks import Counts, closed_at
from webapp.teaching.courses.models import Assignment

_MAX_COLUMNS: Final = 10
_MAX_SQUARES: Final = 8
_WIDE, _TALL, _TOP, _BELOW = 288, 150, 16, 24
"""The size of the chart in px, and the room over and under its columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekStep:
    """One step: its number from 1, its text, a fact, and its progress."""

    number: int
    words: str
    fact: str
    is_done: bool
    is_current: bool = False

    @property
    def sign(self) -> str:
        """A tick, or the number."""
        return "✓" if self.is_done else str(self.number)


def week_of(
    assignment: Assignment, counts: Counts, *, to_check: int, at: datetime | None = None
) -> list[WeekStep]:
    """Return the five steps; the first that is not done is the present one.

    ``to_check``: the number of teams, and of students without one, that need a look.
    """
    now = at or timezone.now()
    graded, ready, under_way, hidden = (
        each[assignment.pk]
        for each in (counts.graded, counts.ready, counts.under_way, counts.hidden)
    )
    is_closed = now > closed_at(assignment)
    is_graded = is_closed and graded >= ready > 0 and not under_way
    is_released = is_graded and not hidden
    revealed_at = assignment.secret_revealed_at
    steps = (
        (
            "Uploads closed" if is_closed else "Uploads close",
            say(assignment, assignment.due_at),
            is_closed,
        ),
        ("Grade", _graded_words(graded, ready, under_way), is_graded),
        ("Check", _check_words(to_check), is_graded and (is_released or not to_check)),
        ("Release grades", _release_words(hidden, graded), is_released),
        ("Reveal the deals", say(assignment, revealed_at), revealed_at is not None),
    )
    current = next((number for number, (*_, done) in enumerate(steps) if not done), None)
    return [
        WeekStep(
            number=number + 1, words=words, fact=fact, is_done=done, is_current=number == current
        )
        for number, (words, fact, done) in enumerate(steps)
    ]


def say(assignment: Assignment, moment: datetime | None) -> str:
    """A moment on the course's clock."""
    if moment is None:
        return "after the last deadline"
    return f"{timezone.localtime(moment, assignment.course.tz):%a %-d %b, %H:%M}"


def _graded_words(graded: int, ready: int, under_way: int) -> str:
    words = f"{graded} of {counted(ready, 'team')}"
    return f"{words}; {under_way} playing" if under_way else words


def _check_words(number: int) -> str:
    if not number:
        return "nothing needs a look"
    return f"{number} {'needs' if number == 1 else 'need'} a look"


def _release_words(hidden: int, graded: int) -> str:
    if not graded:
        return "nothing to release yet"
    return f"{counted(hidden, 'team')} held" if hidden else "students see them"


# --- Points so far --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsChart:
    """The points of all graded teams, as a chart and a sentence."""

    points: Sequence[Decimal]

    @property
    def columns(self) -> list[tuple[str, int]]:
        """Labels with numbers of teams: a column for each value, or for neighbours of many."""
        counts = Counter(self.points)
        if len(counts) <= _MAX_COLUMNS:
            return [(_plain(value), counts[value]) for value in sorted(counts)]
        low, high = min(counts), max(counts)
        width = (high - low) / _MAX_COLUMNS
        rows = Counter(min(int((value - low) / width), _MAX_COLUMNS - 1) for value in self.points)
        return [(f"{low + width * at:.0f}", rows[at]) for at in range(_MAX_COLUMNS)]

    @property
    def sentence(self) -> str:
        """The figures that the picture shows."""
        words = f"{counted(len(self.points), 'graded team')}, median {_plain(median(self.points))}"
        return f"{words}, from {_plain(min(self.points))} to {_plain(max(self.points))}."

    @property
    def is_grouped(self) -> bool:
        """True if a column combines neighbouring values."""
        return len(set(self.points)) > _MAX_COLUMNS

    def drawn(self) -> SafeString:
        """Draw a column a value; of squares, one a team, as long as there are few."""
        columns = self.columns
        step, tallest = _WIDE / len(columns), max(number for _, number in columns)
        return format_html(
            '<svg class="points-so-far" viewBox="0 0 {} {}" role="img" aria-label="{}">{}'
            '<line class="axis" x1="0" x2="{}" y1="{}" y2="{}"/></svg>',
            _WIDE, _TALL, self.sentence,
            format_html_join("", "{}", ((_column(at, column, step, tallest),)
                                        for at, column in enumerate(columns))),
            _WIDE, _TALL - _BELOW, _TALL - _BELOW,
        )  # fmt: skip


def _column(at: int, column: tuple[str, int], step: float, tallest: int) -> SafeString:
    (label, number), room, floor = column, _TALL - _BELOW - _TOP, _TALL - _BELOW
    wide = min(step * 0.8, 30.0)
    left, middle = at * step + (step - wide) / 2, at * step + step / 2
    parts = min(number, _MAX_SQUARES) if tallest <= _MAX_SQUARES else min(number, 1)
    tall = room / tallest * number / parts if parts else 0.0
    shapes = [
        (f"{left:.1f}", f"{floor - tall * (part + 1) + 1:.1f}", f"{wide:.1f}",
         f"{max(tall - 2, 1):.1f}") for part in range(parts)
    ]  # fmt: skip
    return format_html(
        '{}<text class="count" x="{}" y="{}">{}</text><text class="tick" x="{}" y="{}">{}</text>',
        format_html_join("", '<rect class="cell" x="{}" y="{}" width="{}" height="{}"/>', shapes),
        f"{middle:.1f}", f"{floor - tall * parts - 4:.1f}", number or "",
        f"{middle:.1f}", _TALL - 6, label,
    )  # fmt: skip


def _plain(value: Decimal) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def points_so_far(assignment: Assignment) -> PointsChart | None:
    """Return the points of graded teams; ``None`` while there are none. One query."""
    grades = Grade.objects.filter(team__assignment=assignment, is_current=True)
    points = list(grades.values_list("points", flat=True))
    return PointsChart(points=points) if points else None
