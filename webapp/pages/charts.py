"""Charts as inline SVG, drawn on the server: readable without colour, script or style attribute.

Colours come from the style sheet by class, so that the same picture serves light, dark and paper.
Each chart says in its ``<title>`` what a reader who cannot see it needs to know.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.words import counted

__all__ = ["Bars", "histogram", "sparkline"]

WIDTH: Final = 640
HEIGHT: Final = 210
_TOP: Final = 18
_BOTTOM: Final = 40
_FEW_BARS: Final = 8
"""With so few scores every bar carries its count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """How many games ended with each score, on an axis from ``low`` to ``high``."""

    counts: Mapping[int, int]
    low: int
    high: int
    mean: float | None = None

    @property
    def total(self) -> int:
        """Number of games."""
        return sum(self.counts.values())

    @property
    def tallest(self) -> int:
        """Number of games with the most frequent score; at least 1, to divide by."""
        return max([*self.counts.values(), 1])

    def sentence(self) -> str:
        """The distribution in words."""
        if not self.total:
            return "No games yet."
        common = max(self.counts, key=lambda score: (self.counts[score], score))
        present = [score for score, count in self.counts.items() if count]
        text = (
            f"Scores of {counted(self.total, 'game')}: from {min(present)} to {max(present)},"
            f" most often {common} ({counted(self.counts[common], 'game')})"
        )
        if zeros := self.counts.get(0, 0):
            text += f"; {zeros} scored 0"
        return text + "."


def bars_of(
    pairs: Iterable[tuple[int, int]], score_range: tuple[int, int], mean: float | None = None
) -> Bars:
    """Bars from (score, games) pairs, on an axis that holds the game's range and every score."""
    counts = dict(pairs)
    low, high = score_range
    return Bars(counts=counts, low=min([low, *counts]), high=max([high, *counts]), mean=mean)


def histogram(bars: Bars, *, name: str) -> SafeString:
    """A bar for every score, an axis with ticks, the mean as a triangle below it.

    ``name`` makes the ids unique on the page. Games that scored 0 are drawn hollow: they are lost
    games, and stand apart without colour.
    """
    step = WIDTH / (bars.high - bars.low + 1)
    return format_html(
        '<svg viewBox="0 0 {} {}" role="img" aria-labelledby="{}-title">'
        '<title id="{}-title">{}</title>{}{}'
        '<line class="axis" x1="0" x2="{}" y1="{}" y2="{}"/>{}</svg>',
        WIDTH, HEIGHT, name, name, bars.sentence(),
        _columns(bars, step), _mean_mark(bars, step),
        WIDTH, HEIGHT - _BOTTOM, HEIGHT - _BOTTOM, _ticks(bars, step),
    )  # fmt: skip


def _columns(bars: Bars, step: float) -> SafeString:
    room = HEIGHT - _TOP - _BOTTOM
    rows = []
    for score, count in sorted(bars.counts.items()):
        if not count:
            continue
        tall = max(count / bars.tallest * room, 1.5)
        left = (score - bars.low) * step + step * 0.12
        top = HEIGHT - _BOTTOM - tall
        kind = "bar zero" if score == 0 else "bar"
        label = _count_label(bars, left + step * 0.38, top, count)
        shape = (kind, f"{left:.1f}", f"{top:.1f}", f"{step * 0.76:.1f}", f"{tall:.1f}")
        rows.append((*shape, score, counted(count, "game"), label))
    return format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"><title>{}: {}</title></rect>{}',
        rows,
    )


def _count_label(bars: Bars, x: float, top: float, count: int) -> SafeString:
    """The tallest bar always says its count, so that the picture has a scale."""
    if len(bars.counts) > _FEW_BARS and count != bars.tallest:
        return SafeString("")
    return format_html(
        '<text class="count" x="{}" y="{}">{}</text>', f"{x:.1f}", f"{top - 5:.1f}", count
    )


def _mean_mark(bars: Bars, step: float) -> SafeString:
    if bars.mean is None:
        return SafeString("")
    x, y = (bars.mean - bars.low + 0.5) * step, HEIGHT - _BOTTOM + 2
    return format_html(
        '<path class="mean" d="M{} {} l6 9 h-12 z"><title>mean {}</title></path>',
        f"{x:.1f}", y, f"{bars.mean:.2f}",
    )  # fmt: skip


def _ticks(bars: Bars, step: float) -> SafeString:
    every = 1 if bars.high - bars.low <= 12 else 5
    marks = [
        (f"{(score - bars.low + 0.5) * step:.1f}", HEIGHT - _BOTTOM + 26, score)
        for score in range(bars.low, bars.high + 1)
        if score % every == 0
    ]
    return format_html_join("", '<text class="tick" x="{}" y="{}">{}</text>', marks)


def sparkline(bars: Bars) -> SafeString:
    """The histogram at the height of a line of text."""
    wide, tall = 104, 24
    step = wide / (bars.high - bars.low + 1)
    rows = [
        (
            f"{(score - bars.low) * step + step * 0.1:.1f}",
            f"{tall - 1 - max(count / bars.tallest * (tall - 2), 1):.1f}",
            f"{step * 0.8:.1f}",
            f"{max(count / bars.tallest * (tall - 2), 1):.1f}",
        )
        for score, count in sorted(bars.counts.items())
        if count
    ]
    columns = format_html_join("", '<rect class="bar" x="{}" y="{}" width="{}" height="{}"/>', rows)
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>{}'
        '<line class="axis" x1="0" x2="{}" y1="{}" y2="{}"/></svg>',
        wide, tall, bars.sentence(), bars.sentence(), columns, wide, tall - 0.5, tall - 0.5,
    )  # fmt: skip
