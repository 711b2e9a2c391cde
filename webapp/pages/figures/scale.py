"""The points scale: a mean's worth, beside the previous version and house agents."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

from grader.results.grading_scheme import GradingScheme
from webapp.pages.figures.axis import Axis, around, bar, interval

_HEIGHT: Final = 118
_TOP, _BOTTOM = 22, 66
_SOME_PERCENT: Final = 14
"""Names closer than this would touch."""
_MAX_HOUSE: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleRow:
    """A mean with its interval."""

    mean: float
    low: float
    high: float
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleMark:
    """A house agent's mean."""

    mean: float
    name: str


def points_scale(
    own: ScaleRow,
    *,
    scheme: GradingScheme | None,
    score_range: tuple[float, float],
    before: ScaleRow | None = None,
    house: Sequence[ScaleMark] = (),
    clean: float | None = None,
) -> SafeString:
    """Draw a mean on the scale of points. Without a scheme there are no points on it.

    A dashed bar leads to ``clean``, the mean without the games that a fault ended.
    """
    rows = [own, *([] if before is None else [before])]
    ends = [end for row in rows for end in (row.low, row.high)]
    ends += [] if clean is None else [clean]
    least, most = score_range
    axis = around(ends, least=least, most=most, margin=1.5)
    near = [mark for mark in house if axis.low <= mark.mean <= axis.high][:_MAX_HOUSE]
    parts = [
        *_blocks(axis, own, scheme),
        *_house(axis, near),
        *([] if clean is None else [_lost(axis, own.mean, clean)]),
        interval(axis, own.mean, own.low, own.high, y=28, height=16, kind="own"),
        *([] if before is None else _before(axis, before)),
        axis.ticks(_BOTTOM + 17),
    ]
    return format_html(
        '<svg class="scale" width="100%" height="{}" role="img" aria-label="{}">{}</svg>',
        _HEIGHT, _sentence(own, before, near, scheme, clean), SafeString("".join(parts)),
    )  # fmt: skip


def _sentence(
    own: ScaleRow,
    before: ScaleRow | None,
    house: Sequence[ScaleMark],
    scheme: GradingScheme | None,
    clean: float | None,
) -> str:
    def shown(mean: float) -> str:
        return f"{mean:.2f}" if scheme is None else scheme.mean_in_words(mean)

    words = [f"Mean {shown(own.mean)}, 95% interval {shown(own.low)} to {shown(own.high)}"]
    if scheme is not None:
        words.append(f"worth {_plain(scheme, own.mean)} points")
    if clean is not None:
        words.append(f"without the faults: {shown(clean)}")
    if before is not None:
        words.append(f"{before.name}: {shown(before.mean)}")
    words += [f"house agent {mark.name}: {shown(mark.mean)}" for mark in house]
    return "; ".join(words) + "."


def _plain(scheme: GradingScheme, mean: float) -> str:
    return f"{scheme.points(mean).normalize():f}"


def _blocks(axis: Axis, own: ScaleRow, scheme: GradingScheme | None) -> Iterator[SafeString]:
    """Blocks of means that are worth about the same, with the points of their middle above.

    One's own is tinted, and has those of the mean.
    """
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


def _lost(axis: Axis, mean: float, clean: float) -> SafeString:
    low, high = sorted((mean, clean))
    return bar(axis, low, high, y=28, height=16, kind="clean")


def _before(axis: Axis, row: ScaleRow) -> Iterator[SafeString]:
    yield interval(axis, row.mean, row.low, row.high, y=52, height=8, kind="before")
    start = axis.share(row.low) > 30
    x, anchor = (row.low, "end") if start else (row.high, "start")
    gap = -6 if start else 6
    yield format_html(
        '<text class="before-name" x="{}" dx="{}" y="60" text-anchor="{}">{}</text>',
        axis.at(x), gap, anchor, row.name,
    )  # fmt: skip


def _house(axis: Axis, house: Sequence[ScaleMark]) -> Iterator[SafeString]:
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
