"""Points a game that are lost in each part of a game: a bar for some turns, or for a trick."""

from collections.abc import Sequence
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

from grader.results.insights import Span

_HEIGHT: Final = 170
_FLOOR: Final = 146
_TOP: Final = 22


def places_chart(places: Sequence[Span], *, unit: str) -> SafeString:
    """Draw the losses in the order of the game; the largest says how much it is."""
    most = max(*(span.points for span in places), 0.01)
    width = 100 / len(places)
    bars = [_bar(span, at, width, most) for at, span in enumerate(places)]
    worst = max(places, key=lambda span: span.points)
    where = f"{unit} {worst.first}"
    if worst.last > worst.first:
        where = f"{unit}s {worst.first} to {worst.last}"
    words = f"Most points are lost in {where}: {worst.points:.2f} a game."
    return format_html(
        '<svg class="places" width="100%" height="{}" role="img" aria-label="{}">'
        '<line class="grid" x1="0" x2="100%" y1="{}" y2="{}"/>{}</svg>',
        _HEIGHT, words, _FLOOR, _FLOOR, SafeString("".join(bars)),
    )  # fmt: skip


def _bar(span: Span, at: int, width: float, most: float) -> SafeString:
    tall = max(span.points, 0) / most * (_FLOOR - _TOP)
    left, middle = f"{(at + 0.12) * width:.2f}%", f"{(at + 0.5) * width:.2f}%"
    figure = f"{span.points:.2f}" if span.points == most else ""
    return format_html(
        '<rect class="bar" x="{}" width="{}%" y="{}" height="{}" rx="2"/>'
        '<text class="count" x="{}" y="{}">{}</text><text class="tick" x="{}" y="{}">{}</text>',
        left, f"{width * 0.76:.2f}", f"{_FLOOR - tall:.1f}", f"{tall:.1f}",
        middle, f"{_FLOOR - tall - 6:.1f}", figure, middle, _FLOOR + 18,
        "" if at % 2 else span.first,
    )  # fmt: skip
