"""Means with their 95% intervals, drawn: one picture a row, on a scale that all rows share.

A bar is the interval, a line across it the mean. Positions are in percent of the picture's width
and heights in pixels: a row has no view box, so that one drawing serves every width. What is drawn
stands beside it as figures; readers who do not see it miss nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final, Self

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from webapp.pages.steps import step_for

_FINEST_STEP: Final = 0.1
_MAX_TICKS: Final = 12
_MAY_FALL_OFF: Final = 0.15
"""Share of the rows that a scale may leave out at the losing end."""
_TOO_WIDE: Final = 1.6
"""Factor by which outliers must widen a scale before it leaves them out."""
_MAX_LINES: Final = 4
_LETTER: Final = 1.75
"""Percent of the narrowest picture that a letter of a line's name takes."""
_EMPTY: Final = SafeString("")


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and the ends of its interval if it has one."""

    mean: float
    low: float | None = None
    high: float | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the bar."""
        low = self.mean if self.low is None else self.low
        return low, self.mean if self.high is None else self.high


@dataclass(frozen=True, slots=True)
class IntervalLine:
    """A house agent's mean, drawn through all rows."""

    name: str
    mean: float


@dataclass(frozen=True, slots=True)
class Scale:
    """From points to percent of the width; low is always on the left."""

    low: float
    high: float
    step: float

    @classmethod
    def of(cls, shown: Sequence[Interval], *, lower_is_better: bool = False) -> Self:
        """Fit the rows, but for some at the losing end that would make it much wider."""
        ordered = sorted(shown, key=lambda mark: mark.mean, reverse=not lower_is_better)
        low, high = _reach(ordered)
        kept = ordered[: len(ordered) - int(len(ordered) * _MAY_FALL_OFF)]
        near, far = _reach(kept)
        if high - low > _TOO_WIDE * max(far - near, _FINEST_STEP):
            low, high = near, far
        step = step_for(max(high - low, 0.5), most=_MAX_TICKS - 2, finest=_FINEST_STEP)
        first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
        return cls(first * step, max(last, first + 1) * step, step)

    def x(self, points: float) -> float:
        """Return the position of points, from 0 to 100; points off the scale are at its end."""
        return max(0.0, min(100.0, 100 * (points - self.low) / (self.high - self.low)))

    def holds(self, points: float) -> bool:
        """True if points are on it."""
        return self.low <= points <= self.high

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Return the numbers below the scale, all with the same decimals, each with its place."""
        return self.numbers()

    def numbers(self, *, every: int = 1) -> list[tuple[float, str]]:
        """Return every so many of the numbers, with decimals only if one of these has any."""
        marks = [round(self.low + at * self.step, 1) for at in range(0, self._n_steps + 1, every)]
        decimals = 1 if any(mark % 1 for mark in marks) else 0
        return [(self.x(mark), f"{mark:.{decimals}f}".replace("-", "−")) for mark in marks]

    @property
    def _n_steps(self) -> int:
        return round((self.high - self.low) / self.step)


def _reach(shown: Sequence[Interval]) -> tuple[float, float]:
    ends = [end for interval in shown for end in interval.ends] or [0.0]
    return min(ends), max(ends)


def lines_on(scale: Scale, lines: Sequence[IntervalLine]) -> list[IntervalLine]:
    """At most four that are on the scale, from its low end; evenly chosen if there are more."""
    inside = sorted((line for line in lines if scale.holds(line.mean)), key=lambda line: line.mean)
    if len(inside) <= _MAX_LINES:
        return inside
    return [inside[at * (len(inside) - 1) // (_MAX_LINES - 1)] for at in range(_MAX_LINES)]


def axis(
    scale: Scale,
    lines: Sequence[IntervalLine] = (),
    *,
    band: Interval | None = None,
    name: str = "grid",
    values: bool = False,
) -> SafeString:
    """The scale over its rows, with names of lines; ``values`` adds their means."""
    shown = lines_on(scale, lines)
    labels = _labels(scale, shown, values=values)
    height = 34 + 15 * max((up for _, up, _, _ in labels), default=0) if labels else 20
    return format_html(
        '<svg class="axis-of-rows" width="100%" height="{}" aria-hidden="true">'
        '<defs><g id="{}">{}{}{}</g></defs>{}{}</svg>',
        height, name, _band(scale, band), _grid(scale), _house(scale, shown),
        format_html_join("", '<text class="tick" x="{}%" y="{}">{}</text>',
                         ((f"{x:.2f}", height - 4, text) for x, text in scale.ticks)),
        format_html_join(
            "", '<text class="house-name {}" x="{}%" y="{}">{}</text>',
            ((anchor, f"{x:.2f}", height - 22 - 15 * up, text) for x, up, anchor, text in labels),
        ),
    )  # fmt: skip


def _band(scale: Scale, band: Interval | None) -> SafeString:
    if band is None or band.low is None or band.high is None:
        return _EMPTY
    left, right = scale.x(band.low), scale.x(band.high)
    return format_html(
        '<rect class="scale-band" x="{}%" width="{}%" y="0" height="100%"/>',
        f"{left:.2f}", f"{max(right - left, 0.2):.2f}",
    )  # fmt: skip


def _grid(scale: Scale) -> SafeString:
    return format_html_join(
        "",
        '<line class="scale-grid" x1="{}%" x2="{}%" y1="0" y2="100%"/>',
        ((f"{x:.2f}", f"{x:.2f}") for x, _ in scale.ticks),
    )


def _house(scale: Scale, lines: Sequence[IntervalLine]) -> SafeString:
    return format_html_join(
        "",
        '<line class="scale-line" x1="{}%" x2="{}%" y1="0" y2="100%"/>',
        ((f"{scale.x(line.mean):.2f}",) * 2 for line in lines),
    )


def _labels(
    scale: Scale, lines: Sequence[IntervalLine], *, values: bool
) -> list[tuple[float, int, str, str]]:
    """Place, line of text upwards, anchor and words of each name; none touches another."""
    labels: list[tuple[float, int, str, str]] = []
    ends: list[float] = []
    for line in lines:
        words = f"{line.name} {line.mean:.2f}" if values else line.name
        x, wide = scale.x(line.mean), _LETTER * len(words)
        anchor = "from" if x < wide / 2 else "to" if x > 100 - wide / 2 else "mid"
        left = {"from": x, "to": x - wide, "mid": x - wide / 2}[anchor]
        up = next((level for level, end in enumerate(ends) if end < left), len(ends))
        ends[up : up + 1] = [left + wide + 2]
        labels.append((x, up, anchor, words))
    return labels


def row(
    scale: Scale,
    interval: Interval | None,
    *,
    own: bool = False,
    provisional: Interval | None = None,
    played: float | None = None,
    name: str = "grid",
) -> SafeString:
    """One row: its bar on the grid, below it what is not final; ``played`` is drawn as a ring."""
    both = interval is not None and provisional is not None
    final = (
        _EMPTY
        if interval is None
        else _bar(scale, interval, -9 if both else 0, 10 if both else 16, "own" if own else "final")
    )
    so_far = (
        _EMPTY if provisional is None else _bar(scale, provisional, 10 if both else 0, 10, "so-far")
    )
    ring = _EMPTY if played is None else _ring(scale, played)
    return format_html(
        '<svg class="interval-row" width="100%" height="100%" aria-hidden="true">'
        '<use href="#{}"/><svg y="50%" overflow="visible">{}{}{}</svg></svg>',
        name, final, so_far, ring,
    )  # fmt: skip


def _bar(scale: Scale, interval: Interval, middle: int, tall: int, kind: str) -> SafeString:
    if not scale.holds(interval.mean):
        return _beyond(scale, interval.mean, middle)
    low, high = (scale.x(end) for end in interval.ends)
    at = f"{scale.x(interval.mean):.2f}"
    top, bottom = middle - tall // 2, middle + tall // 2
    return format_html(
        '<rect class="reach {}" x="{}%" width="{}%" y="{}" height="{}" rx="2"/>'
        '<line class="mean-line {}" x1="{}%" x2="{}%" y1="{}" y2="{}"/>',
        kind, f"{low:.2f}", f"{high - low:.2f}", top, tall, kind, at, at, top - 3, bottom + 3,
    )  # fmt: skip


def _beyond(scale: Scale, mean: float, middle: int) -> SafeString:
    words = f"{mean:.2f}".replace("-", "−")
    if mean < scale.low:
        return format_html('<text class="beyond" x="0" y="{}">◂ {}</text>', middle + 5, words)
    return format_html('<text class="beyond to" x="100%" y="{}">{} ▸</text>', middle + 5, words)


def _ring(scale: Scale, mean: float) -> SafeString:
    if not scale.holds(mean):
        return _EMPTY
    return format_html('<circle class="as-played" cx="{}%" cy="0" r="4.5"/>',
                       f"{scale.x(mean):.2f}")  # fmt: skip


def history(
    means: Sequence[float],
    reach: tuple[float, float],
    shown: Callable[[float], str] = "{:.2f}".format,
) -> SafeString:
    """A team's means as a line, the newest at the right; ``reach`` is what all rows share."""
    if not means:
        return _EMPTY
    wide, tall, edge = 96, 28, 5
    low, high = reach
    span = max(high - low, 1e-9)
    step = (wide - 2 * edge) / max(len(means) - 1, 1)
    last = wide - edge
    points = [
        (last - step * (len(means) - 1 - at), tall - edge - (mean - low) / span * (tall - 2 * edge))
        for at, mean in enumerate(means)
    ]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    words = "Practice means: " + ", ".join(map(shown, means)).replace("-", "−")
    return format_html(
        '<svg class="history" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<path class="ground" d="M{}L{} {}L{} {}Z"/><path class="line" d="M{}"/>{}'
        '<circle class="last" cx="{}" cy="{}" r="3.5"/></svg>',
        wide, tall, words, path, last, tall, f"{points[0][0]:.1f}", tall, path,
        format_html_join("", '<circle cx="{}" cy="{}" r="1.5"/>',
                         ((f"{x:.1f}", f"{y:.1f}") for x, y in points[:-1])),
        f"{points[-1][0]:.1f}", f"{points[-1][1]:.1f}",
    )  # fmt: skip
