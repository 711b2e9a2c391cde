"""Standings as inline SVG: means with their intervals, readable without colour."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.tournament import Figure
from webapp.tournaments.selectors import Entry

__all__ = ["intervals"]

WIDTH: Final = 640
NAMES: Final = 210
"""Units at the left, for names."""
ROW: Final = 26
_AXIS: Final = 30
_MARGIN: Final = 14
_MAX_TICKS: Final = 8


@dataclass(frozen=True, slots=True)
class _Scale:
    """From points to units."""

    low: int
    high: int

    def x(self, points: float) -> str:
        share = (points - self.low) / (self.high - self.low)
        return f"{NAMES + share * (WIDTH - NAMES - _MARGIN):.1f}"

    @property
    def ticks(self) -> list[int]:
        wide = self.high - self.low
        step = next(each for each in (1, 2, 5, 10, 20, 50, 10**6) if wide <= each * _MAX_TICKS)
        return [each for each in range(self.low, self.high + 1) if each % step == 0]


def intervals(people: Sequence[Entry]) -> SafeString:
    """A line for each participant with a mean: a disc for it, whiskers for the interval, a hollow
    square for the adjusted mean.
    """
    shown = [
        (each, row.mean, row.adjusted) for each in people if (row := each.standing) and row.mean
    ]
    figures = [each for row in shown for each in row[1:] if each is not None]
    if not figures:
        return SafeString("")
    scale = _scale(figures)
    tall = len(shown) * ROW + _AXIS
    rows = format_html_join(
        "",
        "{}",
        (
            (_row(entry, mean, adjusted, scale, (place + 0.5) * ROW),)
            for place, (entry, mean, adjusted) in enumerate(shown)
            if mean is not None
        ),
    )
    return format_html(
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>',
        WIDTH, tall, "Means with their 95 % intervals", _grid(scale, tall), rows,
    )  # fmt: skip


def _scale(figures: Sequence[Figure]) -> _Scale:
    """Bounds are those of means and, as far as they are near, of intervals."""
    values = [each.value for each in figures]
    reach = max(max(values) - min(values), 2.0)
    ends = [end for each in figures for end in (each.low, each.high) if end is not None]
    low = max(min([*values, *ends]), min(values) - reach)
    high = min(max([*values, *ends]), max(values) + reach)
    return _Scale(floor(low), max(ceil(high), floor(low) + 1))


def _grid(scale: _Scale, tall: int) -> SafeString:
    marks = ((scale.x(each), scale.x(each), tall - _AXIS, scale.x(each), tall - 8, each)
             for each in scale.ticks)  # fmt: skip
    return format_html_join(
        "",
        '<line class="grid" x1="{}" x2="{}" y1="0" y2="{}"/><text class="tick" x="{}" y="{}">{}'
        "</text>",
        marks,
    )


def _row(
    entry: Entry, mean: Figure, adjusted: Figure | None, scale: _Scale, y: float
) -> SafeString:
    words = f"{entry.participant.name}: mean {mean.value:.2f}"
    if mean.half_width is not None:
        words += f" ± {mean.half_width:.2f}"
    if adjusted is not None:
        words += f", adjusted {adjusted.value:.2f}"
    return format_html(
        '<g class="{}"><title>{}</title><text class="name" x="0" y="{}">{}</text>{}'
        '<circle class="dot" cx="{}" cy="{}" r="5"/>{}</g>',
        "mine" if entry.mine else "other",
        words, f"{y + 5:.1f}", entry.participant.name, _whisker(mean, scale, y),
        scale.x(mean.value), f"{y:.1f}", _square(adjusted, scale, y),
    )  # fmt: skip


def _whisker(mean: Figure, scale: _Scale, y: float) -> SafeString:
    if mean.low is None or mean.high is None:
        return SafeString("")
    ends = (scale.x(max(mean.low, scale.low)), scale.x(min(mean.high, scale.high)))
    return format_html(
        '<line class="whisker" x1="{}" x2="{}" y1="{}" y2="{}"/>', *ends, f"{y:.1f}", f"{y:.1f}"
    )


def _square(adjusted: Figure | None, scale: _Scale, y: float) -> SafeString:
    if adjusted is None:
        return SafeString("")
    left = float(scale.x(adjusted.value)) - 4
    return format_html(
        '<rect class="square" x="{}" y="{}" width="8" height="8"/>', f"{left:.1f}", f"{y - 4:.1f}"
    )
