"""A team's versions side by side: means with their intervals, and from where credit is full."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.pages.intervals import Interval, Scale
from webapp.teaching.courses.models import Assignment, Team

_TALL: Final = 190
_TOP: Final = 24
_BOTTOM: Final = 26
_LEFT: Final = 8.0
"""Percent of the width, at least, for numbers; their lines begin a little before it ends."""
_GAP: Final = 2.0
_LETTER: Final = 2.3
"""Percent of the narrowest picture that a letter of a number takes."""
_RIGHT: Final = 95.0


def practice_means(team: Team, *, limit: int) -> dict[int, Interval]:
    """Return practice means of a team's last versions by number, oldest first. One query."""
    played = Evaluation.objects.current().filter(
        submission__team=team, kind=Kind.PRACTICE, mean__isnull=False
    )
    rows = played.order_by("-submission__number").values_list(
        "submission__number", "mean", "low", "high"
    )[:limit]
    return {number: Interval(mean or 0.0, low, high) for number, mean, low, high in reversed(rows)}


def full_from(assignment: Assignment) -> float | None:
    """Return the mean from which credit is full; ``None`` if no mean is."""
    full = assignment.scheme.full_mean
    return None if full is None else float(full)


def versions_chart(
    numbered: Mapping[int, Interval],
    *,
    full_from: float | None = None,
    shown: Callable[[float], str] = "{:.2f}".format,
) -> SafeString:
    """The oldest version at the left; the newest carries its figures."""
    if not numbered:
        return SafeString("")
    versions = list(numbered.values())
    marks = [*versions, *([] if full_from is None else [Interval(full_from)])]
    ends = [end for mark in marks for end in mark.ends]
    ends += [versions[-1].mean - 1, versions[-1].mean + 1]
    scale = Scale.of([Interval(end) for end in (min(ends), max(ends))])
    ticks = scale.numbers(every=max(1, len(scale.ticks) // 4))
    left = max(_LEFT, _LETTER * max(len(text) for _, text in ticks) + 2 * _GAP)
    xs = [_x(at, len(versions), left) for at in range(len(versions))]
    newest = versions[-1]
    return format_html(
        '<svg class="versions" width="100%" height="{}" role="img" aria-label="{}">{}{}{}{}{}'
        "</svg>",
        _TALL, _words([shown(version.mean) for version in versions], full_from),
        _grid(ticks, left - _GAP),
        _full(scale, full_from, left - _GAP),
        _path(scale, versions, xs), _marks(scale, numbered, xs),
        _figure(scale, newest, xs[-1], shown),
    )  # fmt: skip


def _grid(ticks: Sequence[tuple[float, str]], start: float) -> SafeString:
    rows = ((f"{start:.1f}", _y(x), _y(x), _y(x) + 4, text) for x, text in ticks)
    return format_html_join(
        "",
        '<line class="scale-grid" x1="{}%" x2="100%" y1="{}" y2="{}"/>'
        '<text class="tick" x="0" y="{}">{}</text>',
        rows,
    )


def _path(scale: Scale, versions: Sequence[Interval], xs: Sequence[float]) -> SafeString:
    points = [
        (f"{x:.1f}", _y(scale.x(version.mean))) for x, version in zip(xs, versions, strict=True)
    ]
    rows = ((x, then, y, after) for (x, y), (then, after) in pairwise(points))
    return format_html_join("", '<line class="path" x1="{}%" x2="{}%" y1="{}" y2="{}"/>', rows)


def _marks(scale: Scale, numbered: Mapping[int, Interval], xs: Sequence[float]) -> SafeString:
    marks = (
        (_mark(scale, version, x, number, newest=x == xs[-1]),)
        for (number, version), x in zip(numbered.items(), xs, strict=True)
    )
    return format_html_join("", "{}", marks)


def _x(at: int, count: int, left: float) -> float:
    if count == 1:
        return (left + _RIGHT) / 2
    return left + 2 + (_RIGHT - left - 2) * at / (count - 1)


def _y(percent: float) -> int:
    return round(_TALL - _BOTTOM - percent / 100 * (_TALL - _BOTTOM - _TOP))


def _mark(scale: Scale, version: Interval, x: float, number: int, *, newest: bool) -> SafeString:
    low, high = (_y(scale.x(end)) for end in version.ends)
    middle = _y(scale.x(version.mean))
    kind = "own" if newest else "final"
    at = f"{x:.1f}"
    return format_html(
        '<svg x="{}%" overflow="visible"><rect class="reach {}" x="-8" width="16" y="{}"'
        ' height="{}" rx="2"/><line class="mean-line {}" x1="-11" x2="11" y1="{}" y2="{}"/>'
        '<text class="number{}" x="0" y="{}">{}</text></svg>',
        at, kind, min(high, middle - 2), max(low - high, 4), kind, middle, middle,
        " newest" if newest else "", _TALL - 6, number,
    )  # fmt: skip


def _figure(scale: Scale, newest: Interval, x: float, shown: Callable[[float], str]) -> SafeString:
    half = "" if newest.high is None else f" ± {newest.high - newest.mean:.2f}"
    return format_html(
        '<text class="figure{}" x="{}%" y="{}">{}</text>',
        " to" if x > 80 else "", f"{100 if x > 80 else x:.1f}",
        _y(scale.x(newest.ends[1])) - 10, f"{shown(newest.mean)}{half}",
    )  # fmt: skip


def _full(scale: Scale, full_from: float | None, start: float) -> SafeString:
    if full_from is None:
        return SafeString("")
    y = _y(scale.x(full_from))
    words_y = y - 6 if y + 16 > _TALL - _BOTTOM else y + 16  # not over the versions' numbers
    return format_html(
        '<line class="full" x1="{}%" x2="100%" y1="{}" y2="{}"/>'
        '<text class="full-words" x="100%" y="{}">full credit from {}</text>',
        f"{start:.1f}", y, y, words_y, f"{full_from:.12g}",
    )  # fmt: skip


def _words(means: Sequence[str], full_from: float | None) -> str:
    tail = "" if full_from is None else f" Full credit from {full_from:.12g}."
    return f"Means of {len(means)} versions, the oldest first: {', '.join(means)}.{tail}"
