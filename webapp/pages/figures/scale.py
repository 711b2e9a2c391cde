"""The points scale: a mean's worth, beside the previous version and house agents."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

from grader.results.grading_scheme import GradingScheme
from webapp.pages.figures.axis import Axis, around, bar, interval
from webapp.pages.intervals import Interval, IntervalLine

_HEIGHT: Final = 118
_TOP, _BOTTOM = 22, 66
_SOME_PERCENT: Final = 14
"""Names closer than this would touch."""
_MAX_HOUSE: Final = 4


def points_scale(
    own: Interval,
    *,
    scheme: GradingScheme | None,
    score_range: tuple[float, float],
    before: tuple[str, Interval] | None = None,
    house: Sequence[IntervalLine] = (),
    clean: float | None = None,
) -> SafeString:
    """Draw a mean on the scale of points; a dashed bar leads to ``clean``, without faults."""
    ends = [*own.ends, *(() if before is None else before[1].ends)]
    ends += [] if clean is None else [clean]
    least, most = score_range
    axis = around(ends, least=least, most=most, margin=1.5)
    near = [mark for mark in house if axis.low <= mark.mean <= axis.high][:_MAX_HOUSE]
    parts = [
        *_blocks(axis, own, scheme),
        *_house(axis, near),
        *([] if clean is None else [_lost(axis, *sorted((own.mean, clean)))]),
        interval(axis, own, y=28, height=16, kind="own"),
        *([] if before is None else _before(axis, *before)),
        axis.ticks(_BOTTOM + 17),
    ]
    return format_html(
        '<svg class="scale" width="100%" height="{}" role="img" aria-label="{}">{}</svg>',
        _HEIGHT, _sentence(own, before, near, scheme, clean), SafeString("".join(parts)),
    )  # fmt: skip


def _sentence(
    own: Interval,
    before: tuple[str, Interval] | None,
    house: Sequence[IntervalLine],
    scheme: GradingScheme | None,
    clean: float | None,
) -> str:
    def shown(mean: float) -> str:
        return f"{mean:.2f}" if scheme is None else scheme.mean_in_words(mean)

    low, high = map(shown, own.ends)
    words = [f"Mean {shown(own.mean)}, 95% interval {low} to {high}"]
    if scheme is not None:
        words.append(f"worth {_plain(scheme, own.mean)} points")
    if clean is not None:
        words.append(f"without the faults: {shown(clean)}")
    if before is not None:
        words.append(f"{before[0]}: {shown(before[1].mean)}")
    words += [f"house agent {mark.name}: {shown(mark.mean)}" for mark in house]
    return "; ".join(words) + "."


def _plain(scheme: GradingScheme, mean: float) -> str:
    return f"{scheme.points(mean).normalize():f}"


def _blocks(axis: Axis, own: Interval, scheme: GradingScheme | None) -> Iterator[SafeString]:
    """Draw blocks of means worth about the same, with their points; one's own has the mean's."""
    marks = [mark for mark in axis.marks if mark < axis.high]
    worth = {mark: "" if scheme is None else _plain(scheme, mark + axis.step / 2) for mark in marks}
    groups = groupby(marks, key=worth.__getitem__) if scheme else ((str(m), [m]) for m in marks)
    for points, group in groups:
        block = list(group)
        low, high = block[0], block[-1] + axis.step
        is_own = low <= own.mean < high
        kind = "block own" if is_own else "block"
        yield bar(axis, low, high, y=_TOP, height=_BOTTOM - _TOP, kind=kind)
        if scheme is not None:
            middle = format_html('x="{}"', axis.at((low + high) / 2))
            words = f"{_plain(scheme, own.mean)} points" if is_own else points
            kind = "worth own" if is_own else "worth"
            yield format_html('<text class="{}" {} y="14">{}</text>', kind, middle, words)


def _lost(axis: Axis, low: float, high: float) -> SafeString:
    return bar(axis, low, high, y=28, height=16, kind="clean")


def _before(axis: Axis, name: str, shown: Interval) -> Iterator[SafeString]:
    yield interval(axis, shown, y=52, height=8, kind="before")
    low, high = shown.ends
    start = axis.share(low) > 30
    x, anchor = (low, "end") if start else (high, "start")
    gap = -6 if start else 6
    yield format_html(
        '<text class="before-name" x="{}" dx="{}" y="60" text-anchor="{}">{}</text>',
        axis.at(x), gap, anchor, name,
    )  # fmt: skip


def _house(axis: Axis, house: Sequence[IntervalLine]) -> Iterator[SafeString]:
    """Lines through the scale, with names below; one that would touch another moves down."""
    last, lower = -100.0, False
    for mark in sorted(house, key=lambda mark: mark.mean):
        share = axis.share(mark.mean)
        lower = not lower if share - last < _SOME_PERCENT else False
        last = share
        yield format_html(
            '<line class="house" x1="{}" x2="{}" y1="{}" y2="{}"/>'
            '<text class="house-name" x="{}" y="{}">{}</text>',
            axis.at(mark.mean), axis.at(mark.mean), _TOP, _BOTTOM + 4,
            axis.at(mark.mean), _BOTTOM + (50 if lower else 34), mark.name,
        )  # fmt: skip
