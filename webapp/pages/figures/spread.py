"""The spread of scores: for each agent the middle half as a bar, the median, nine games in ten."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

from webapp.pages.figures.axis import Axis, around

_ROW: Final = 34
_SHARES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The scores of an agent at some percentiles."""

    name: str
    kind: str
    """``own``, ``before`` or ``house``."""
    at: tuple[int, ...]
    """The scores at 5, 25, 50, 75 and 95%."""


def spread_of(histogram: Iterable[tuple[int, int]], *, name: str, kind: str) -> Spread:
    """Sum up a histogram that has games."""
    scores, counts = zip(*sorted(histogram), strict=True)
    ends = tuple(accumulate(counts))
    games = (min(int(share * ends[-1]), ends[-1] - 1) for share in _SHARES)
    return Spread(name=name, kind=kind, at=tuple(scores[bisect_right(ends, n)] for n in games))


def spread_chart(rows: Sequence[Spread], score_range: tuple[int, int]) -> SafeString:
    """Draw the spreads below each other on one scale."""
    least, most = score_range
    axis = around((score for row in rows for score in row.at), least=least, most=most)
    drawn = [_row(axis, row, at * _ROW) for at, row in enumerate(rows)]
    height = len(rows) * _ROW + 24
    return format_html(
        '<svg class="spread" width="100%" height="{}" role="img" aria-label="{}">{}{}</svg>',
        height, _sentence(rows), SafeString("".join(drawn)), axis.ticks(height - 6),
    )  # fmt: skip


def _sentence(rows: Sequence[Spread]) -> str:
    words = (
        f"{row.name}: median {row.at[2]}, half of the games from {row.at[1]} to {row.at[3]}"
        for row in rows
    )
    return "; ".join(words) + "."


def _row(axis: Axis, row: Spread, y: int) -> SafeString:
    lowest, low, middle, high, highest = row.at
    return format_html(
        '<text class="name {}" x="0" y="{}">{}</text>'
        '<line class="whisker" x1="{}" x2="{}" y1="{}" y2="{}"/>'
        '<rect class="{}" x="{}" width="{}" y="{}" height="10" rx="2"/>'
        '<line class="{} mean" x1="{}" x2="{}" y1="{}" y2="{}"/>',
        row.kind, y + 11, row.name,
        axis.at(lowest), axis.at(highest), y + 21, y + 21,
        row.kind, axis.at(low), axis.span(low, max(high, low + 0.15)), y + 16,
        row.kind, axis.at(middle), axis.at(middle), y + 14, y + 28,
    )  # fmt: skip
