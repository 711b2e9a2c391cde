"""A scale from a value to a place in percent of a chart's width."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from webapp.pages.intervals import Interval
from webapp.pages.steps import step_for

_MAX_BLOCKS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """Whole numbers from ``low`` to ``high``, marked every ``step``."""

    low: int
    high: int
    step: int

    def share(self, value: float) -> float:
        """Return the place of a value, in percent; the place of one beyond an end is at the end."""
        inside = min(max(value, self.low), self.high)
        return 100 * (inside - self.low) / (self.high - self.low)

    def at(self, value: float) -> str:
        """Return the position in SVG's notation."""
        return f"{self.share(value):.2f}%"

    def span(self, low: float, high: float) -> str:
        """Return the width between two values."""
        return f"{self.share(high) - self.share(low):.2f}%"

    @property
    def marks(self) -> Iterator[int]:
        """The numbers that are marked."""
        return iter(range(self.low, self.high + 1, self.step))

    def ticks(self, y: int) -> SafeString:
        """The marked numbers below a chart."""
        return format_html_join(
            "",
            '<text class="tick" x="{}" y="{}">{}</text>',
            ((self.at(mark), y, str(mark).replace("-", "−")) for mark in self.marks),
        )


def around(values: Iterable[float], *, least: float, most: float, margin: float = 1) -> Axis:
    """An axis that holds these values and a margin, within a game's scores."""
    known = list(values)
    low = max(floor(least), floor(min(known) - margin))
    high = min(ceil(most), ceil(max(known) + margin))
    high = max(high, low + 1)
    step = int(step_for(high - low, most=_MAX_BLOCKS))
    low -= low % step
    return Axis(low=low, high=low + ceil((high - low) / step) * step, step=step)


def bar(axis: Axis, low: float, high: float, *, y: int, height: int, kind: str) -> SafeString:
    """A bar between two values."""
    return format_html(
        '<rect class="{}" x="{}" width="{}" y="{}" height="{}" rx="3"/>',
        kind, axis.at(low), axis.span(low, high), y, height,
    )  # fmt: skip


def interval(axis: Axis, shown: Interval, *, y: int, height: int, kind: str) -> SafeString:
    """A 95% interval as a bar, and the mean as a line across it."""
    line = format_html(
        '<line class="{} mean" x1="{}" x2="{}" y1="{}" y2="{}"/>',
        kind, axis.at(shown.mean), axis.at(shown.mean), y - 3, y + height + 3,
    )  # fmt: skip
    return bar(axis, *shown.ends, y=y, height=height, kind=kind) + line
