"""Charts as inline SVG, drawn on the server: readable without colour, script or style attribute.

Colours come from the style sheet by class, so that the same picture serves light, dark and paper.
Each chart says in its ``<title>`` what a reader who cannot see it needs to know.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.core.words import counted
from grader.results.statistics import Bin, binned
from webapp.pages.steps import step_for

HEIGHT: Final = 210
_TOP: Final = 18
_BOTTOM: Final = 40
_MAX_BARS: Final = 52
_MAX_TICKS: Final = 12
_FEW_BARS: Final = 8
"""The maximum number of scores with which every bar shows its count."""
_LABEL: Final = 6.25
"""Percent of the width that a count takes. In a narrower column it would lie over a taller bar
beside it."""


# Its cached properties are kept in the instance's dictionary, which a slotted class does not have.
@dataclass(frozen=True, kw_only=True)
class Bars:
    """The number of games with each score, on an axis from ``low`` to ``high``."""

    counts: Mapping[int, int]
    low: int
    high: int
    mean: float | None = None
    lost: int | None = 0
    """The score of a lost game; ``None`` if the game has no such score."""
    words: Callable[[int], str] = str
    """Says a score as its game does."""

    @cached_property
    def bins(self) -> tuple[Bin, ...]:
        """The bars: one a score if there are few, or one for several neighbours."""
        zeros = dict.fromkeys((self.low, self.high), 0)
        return binned({**zeros, **self.counts}.items(), most=_MAX_BARS)

    @property
    def total(self) -> int:
        """Number of games."""
        return sum(self.counts.values())

    @cached_property
    def tallest(self) -> int:
        """Number of games with the most frequent score; at least 1, to divide by."""
        return max([*(scores.count for scores in self.bins), 1])

    def x(self, score: float) -> float:
        """Return the place of a score on the axis: the middle of its bar, if it has one alone."""
        first, last = self.bins[0].low, self.bins[-1].high
        return (score - first + 0.5) / (last - first + 1)

    def sentence(self) -> str:
        """The distribution as a sentence."""
        if not self.total:
            return "No games yet."
        common = max(self.counts, key=lambda score: (self.counts[score], score))
        present = [score for score, count in self.counts.items() if count]
        text = (
            f"Scores of {counted(self.total, 'game')}: from {self.words(min(present))}"
            f" to {self.words(max(present))},"
            f" most often {self.words(common)} ({counted(self.counts[common], 'game')})"
        )
        if self.lost is not None and (lost := self.counts.get(self.lost, 0)):
            text += f"; {lost} scored {self.words(self.lost)}"
        return text + "."


def bars_of(
    pairs: Iterable[tuple[int, int]],
    score_range: tuple[int, int],
    mean: float | None = None,
    lost: int | None = 0,
    words: Callable[[int], str] = str,
) -> Bars:
    """Bars from (score, games) pairs, on an axis that holds the game's range and every score."""
    counts = dict(pairs)
    low, high = score_range
    low, high = min([low, *counts]), max([high, *counts])
    return Bars(counts=counts, low=low, high=high, mean=mean, lost=lost, words=words)


def histogram(bars: Bars, *, name: str, words: str = "") -> SafeString:
    """A bar for every score, an axis with ticks, the mean as a triangle below it.

    ``name`` makes the ids unique on the page. Lost games are drawn hollow: they stand apart without
    colour. Places are in percent of the width: one drawing serves every width.
    """
    step = 100 / len(bars.bins)
    return format_html(
        '<svg class="scores" width="100%" height="{}" role="img" aria-labelledby="{}-title">'
        '<title id="{}-title">{}</title>{}{}'
        '<line class="axis" x1="0" x2="100%" y1="{}" y2="{}"/>{}</svg>',
        HEIGHT, name, name, bars.sentence(),
        _columns(bars, step), _mean_mark(bars, words),
        HEIGHT - _BOTTOM, HEIGHT - _BOTTOM, _ticks(bars),
    )  # fmt: skip


def _columns(bars: Bars, step: float) -> SafeString:
    room = HEIGHT - _TOP - _BOTTOM
    rows = []
    for position, scores in enumerate(bars.bins):
        if not scores.count:
            continue
        tall = max(scores.count / bars.tallest * room, 1.5)
        left = position * step + step * 0.12
        top = HEIGHT - _BOTTOM - tall
        kind = "bar zero" if scores.low == scores.high == bars.lost else "bar"
        label = _count_label(bars, position, step, top)
        shape = (kind, f"{left:.2f}", f"{top:.1f}", f"{step * 0.76:.2f}", f"{tall:.1f}")
        rows.append((*shape, scores.in_words(bars.words), counted(scores.count, "game"), label))
    return format_html_join(
        "",
        '<rect class="{}" x="{}%" y="{}" width="{}%" height="{}"><title>{}: {}</title></rect>{}',
        rows,
    )


def _count_label(bars: Bars, position: int, step: float, top: float) -> SafeString:
    """The tallest bar always says its count, so that the picture has a scale."""
    count = bars.bins[position].count
    around = bars.bins[max(position - 1, 0) : position + 2]
    has_room = step >= _LABEL or all(other.count <= count for other in around)
    if count != bars.tallest and (len(bars.counts) > _FEW_BARS or not has_room):
        return SafeString("")
    middle = (position + 0.5) * step
    return format_html(
        '<text class="count" x="{}%" y="{}">{}</text>', f"{middle:.2f}", f"{top - 5:.1f}", count
    )


def _mean_mark(bars: Bars, words: str) -> SafeString:
    if bars.mean is None:
        return SafeString("")
    return format_html(
        '<svg x="{}%" y="{}" overflow="visible">'
        '<path class="mean" d="M0 0 l6 9 h-12 z"><title>mean {}</title></path></svg>',
        f"{bars.x(bars.mean) * 100:.2f}", HEIGHT - _BOTTOM + 2, words or f"{bars.mean:.2f}",
    )  # fmt: skip


def _ticks(bars: Bars) -> SafeString:
    every = int(step_for(bars.high - bars.low, most=_MAX_TICKS))
    first = -(-bars.low // every) * every
    marks = [
        (f"{bars.x(score) * 100:.2f}", HEIGHT - _BOTTOM + 26, bars.words(score))
        for score in range(first, bars.high + 1, every)
    ]
    return format_html_join("", '<text class="tick" x="{}%" y="{}">{}</text>', marks)


def sparkline(bars: Bars) -> SafeString:
    """The histogram at the height of a line of text."""
    wide, tall = 104, 24
    step = wide / len(bars.bins)
    heights = [scores.count / bars.tallest * (tall - 2) for scores in bars.bins]
    rows = [
        (f"{(at + 0.1) * step:.1f}", f"{tall - 1 - high:.1f}", f"{step * 0.8:.1f}", f"{high:.1f}")
        for at, high in enumerate(max(height, 1) if height else 0 for height in heights)
        if high
    ]
    columns = format_html_join("", '<rect class="bar" x="{}" y="{}" width="{}" height="{}"/>', rows)
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>{}'
        '<line class="axis" x1="0" x2="{}" y1="{}" y2="{}"/></svg>',
        wide, tall, bars.sentence(), bars.sentence(), columns, wide, tall - 0.5, tall - 0.5,
    )  # fmt: skip
