"""Charged time by turn: the median as a bar, the slowest as a mark, on a scale of powers of ten."""

from collections.abc import Sequence
from math import log10
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.results.insights import TurnTime

_HEIGHT: Final = 170
_FLOOR: Final = 140
_TOP: Final = 12
_LEFT_PERCENT: Final = 9
_LEAST_US: Final = 10.0
_WORDS: Final = {
    10.0: "10 µs",
    100.0: "0.1 ms",
    1e3: "1 ms",
    1e4: "10 ms",
    1e5: "100 ms",
    1e6: "1 s",
    1e7: "10 s",
}


def times_chart(times: Sequence[TurnTime], *, limit_us: float) -> SafeString:
    """Draw how long the turns took, below the limit of a turn."""
    most = max(limit_us, *(turn.slowest_us for turn in times)) * 1.3
    width = (100 - _LEFT_PERCENT) / len(times)
    bars = [_span(turn, at, width, most) for at, turn in enumerate(times)]
    return format_html(
        '<svg class="times" width="100%" height="{}" role="img" aria-label="{}">{}{}{}</svg>',
        _HEIGHT, _sentence(times), _grid(most), SafeString("".join(bars)), _limit(limit_us, most),
    )  # fmt: skip


def _sentence(times: Sequence[TurnTime]) -> str:
    slowest = max(times, key=lambda turn: turn.slowest_us)
    first, last = times[0], times[-1]
    return (
        f"Median charged time: {_ms(first.median_us)} in turns {first.first} to {first.last},"
        f" {_ms(last.median_us)} from turn {last.first} on. The slowest turn took"
        f" {_ms(slowest.slowest_us)}, in turns {slowest.first} to {slowest.last}."
    )


def _ms(microseconds: float) -> str:
    return f"{microseconds / 1000:.3g} ms"


def _y(microseconds: float, most: float) -> float:
    share = log10(max(microseconds, _LEAST_US) / _LEAST_US) / log10(most / _LEAST_US)
    return _FLOOR - share * (_FLOOR - _TOP)


def _grid(most: float) -> SafeString:
    lines = [(f"{_y(at, most):.0f}", words) for at, words in _WORDS.items() if at <= most]
    return format_html_join(
        "",
        '<line class="grid" x1="{}%" x2="100%" y1="{}" y2="{}"/>'
        '<text class="tick end" x="{}%" dx="-6" y="{}" dy="4">{}</text>',
        ((_LEFT_PERCENT, y, y, _LEFT_PERCENT, y, words) for y, words in lines),
    )


def _limit(limit_us: float, most: float) -> SafeString:
    y = f"{_y(limit_us, most):.0f}"
    return format_html(
        '<line class="limit" x1="{}%" x2="100%" y1="{}" y2="{}"/>'
        '<text class="limit-name" x="100%" y="{}" dy="-4">limit</text>',
        _LEFT_PERCENT, y, y, y,
    )  # fmt: skip


def _span(turn: TurnTime, at: int, width: float, most: float) -> SafeString:
    left = _LEFT_PERCENT + at * width
    median, slowest = _y(turn.median_us, most), _y(turn.slowest_us, most)
    label = "" if at % 2 else turn.first
    start, end, middle = (f"{left + width * share:.2f}%" for share in (0.15, 0.85, 0.5))
    return format_html(
        '<rect class="bar" x="{}" width="{}%" y="{}" height="{}"/>'
        '<line class="slowest" x1="{}" x2="{}" y1="{}" y2="{}"/>'
        '<text class="tick" x="{}" y="{}">{}</text>',
        start, f"{width * 0.7:.2f}", f"{median:.1f}", f"{max(_FLOOR - median, 1):.1f}",
        start, end, f"{slowest:.1f}", f"{slowest:.1f}", middle, _FLOOR + 18, label,
    )  # fmt: skip
