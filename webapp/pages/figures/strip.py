"""All games by score: a column for each score, a square for each game, faults crossed out."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.core.words import counted
from grader.results.statistics import Bin, binned

_ROOM: Final = 170
"""The height that columns may take, in pixels of a wide drawing."""
_FOOT: Final = 26
_HEAD: Final = 18
_COLUMNS: Final = 26
_FEW: Final = 3
"""Columns that all have their labels on a phone, too."""
_DIGIT: Final = 7
"""The width of a digit of a count."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One game."""

    index: int
    score: int
    is_faulted: bool


@dataclass(frozen=True, slots=True)
class StripChoice:
    """A column whose games can be listed."""

    at: int
    column: Bin
    label: str
    cells: Sequence[Cell]

    @property
    def value(self) -> str:
        """The scores as the list of games is asked for them."""
        column = self.column
        return str(column.low) if column.low == column.high else f"{column.low}..{column.high}"

    @property
    def games(self) -> str:
        """The numbers of its games."""
        return ",".join(str(cell.index) for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """The games of an evaluation in their columns."""

    columns: Sequence[tuple[Bin, Sequence[Cell]]]
    opens: bool
    """True for a reader who may open the games."""
    words: Callable[[int], str] = str
    """Says a score as its game does."""

    @property
    def choices(self) -> "list[StripChoice]":
        """The columns that have games."""
        return [
            StripChoice(at, scores, scores.in_words(self.words), cells)
            for at, (scores, cells) in enumerate(self.columns)
            if cells
        ]

    @property
    def title(self) -> str:
        """A heading for the games that are in, while others are still played."""
        return f"The first {counted(sum(len(cells) for _, cells in self.columns), 'game')}"

    @property
    def sentence(self) -> str:
        """The chart as a sentence."""
        filled = [(scores, cells) for scores, cells in self.columns if cells]
        words = [f"{scores.in_words(self.words)}: {len(cells)}" for scores, cells in filled]
        faults = sum(cell.is_faulted for _, cells in filled for cell in cells)
        faulted = f"; {counted(faults, 'game')} ended with a fault" if faults else ""
        return f"Games by score. {', '.join(words)}{faulted}."

    @property
    def wide(self) -> SafeString:
        """The drawing for wide screens."""
        return self._drawn(680, label_every=1 if len(self.columns) <= _COLUMNS else 5)

    @property
    def narrow(self) -> SafeString:
        """The drawing for phones."""
        return self._drawn(311, label_every=5)

    def _drawn(self, width: int, *, label_every: int) -> SafeString:
        step = width / len(self.columns)
        most = max(len(cells) for _, cells in self.columns)
        abreast, side = _packing(most, step * 0.86)
        height = _HEAD + -(-most // abreast) * side + _FOOT
        columns = [
            _column(
                at,
                column[1],
                step=step,
                abreast=abreast,
                side=side,
                floor=height - _FOOT,
                is_counted=self._has_room(at, step),
            )
            + self._label(at, column[0], step=step, height=height, every=label_every)
            for at, column in enumerate(self.columns)
        ]
        return format_html(
            '<svg viewBox="0 0 {} {}" data-side="{}" data-abreast="{}" role="img" aria-label="{}">'
            '<line class="axis" x1="0" x2="{}" y1="{}" y2="{}"/>{}</svg>',
            width, _px(height), f"{side:.2f}", abreast, self.sentence,
            width, _px(height - _FOOT), _px(height - _FOOT),
            SafeString("".join(columns)),
        )  # fmt: skip

    def _label(self, at: int, scores: Bin, *, step: float, height: float, every: int) -> SafeString:
        if scores.low % every and len(self.columns) > _FEW:
            return SafeString("")
        x, y = f"{at * step + step / 2:.1f}", f"{height - 8:.0f}"
        words = self.words(scores.low)
        return format_html('<text class="tick" x="{}" y="{}">{}</text>', x, y, words)

    def _has_room(self, at: int, step: float) -> bool:
        """True if a column's count does not lie over a taller column beside it."""
        heights = [len(cells) for _, cells in self.columns]
        if _DIGIT * len(str(heights[at])) <= step:
            return True
        before, after = heights[max(at - 1, 0) : at], heights[at + 1 : at + 2]
        return all(heights[at] > other for other in before) and all(
            heights[at] >= other for other in after
        )


def strip_of(
    cells: Iterable[Cell],
    score_range: tuple[int, int],
    *,
    opens: bool,
    words: Callable[[int], str] = str,
) -> Strip:
    """Sort games into columns, faults first: one for each score, or for several neighbours."""
    by_score: defaultdict[int, list[Cell]] = defaultdict(list)
    for cell in sorted(cells, key=lambda cell: (not cell.is_faulted, cell.index)):
        by_score[cell.score].append(cell)
    counts = {score: len(column) for score, column in by_score.items()}
    played = sorted(by_score)
    low, high = score_range
    return Strip(
        columns=[
            (
                scores,
                [cell for s in played if scores.low <= s <= scores.high for cell in by_score[s]],
            )
            for scores in binned(counts.items(), most=_COLUMNS, low=low, high=high)
        ],
        opens=opens,
        words=words,
    )


def _packing(most: int, room: float) -> tuple[int, float]:
    """Return the squares that stand abreast, and their side, so that the tallest column fits."""
    abreast = 1
    while -(-most // abreast) * (room / abreast) > _ROOM:
        abreast += 1
    return abreast, min(room / abreast, 14.0)


def _places(
    n: int, left: float, *, abreast: int, side: float, floor: float
) -> Iterator[tuple[float, float]]:
    for at in range(n):
        row, column = divmod(at, abreast)
        yield left + column * side, floor - (row + 1) * side


def _column(
    at: int,
    cells: Sequence[Cell],
    *,
    step: float,
    abreast: int,
    side: float,
    floor: float,
    is_counted: bool,
) -> SafeString:
    if not cells:
        return SafeString("")
    left = at * step + (step - min(abreast, len(cells)) * side) / 2
    places = list(_places(len(cells), left, abreast=abreast, side=side, floor=floor))
    faulted = sum(cell.is_faulted for cell in cells)
    inner = max(side - (1.6 if side > 4 else 0.8), 1.0)
    shapes = [f"M{x:.1f} {y:.1f}h{inner:.1f}v{inner:.1f}h-{inner:.1f}z" for x, y in places]
    cross = f"l{inner:.1f} {inner:.1f}m0-{inner:.1f}l-{inner:.1f} {inner:.1f}"
    crossed, squares = "".join(f"{shape}{cross}" for shape in shapes[:faulted]), shapes[faulted:]
    top = places[-1][1]
    return format_html(
        '<rect class="pick" data-column="{}" x="{}" y="0" width="{}" height="{}"/>'
        '<g data-left="{}" data-floor="{}"><path class="cell" d="{}"/><path class="fault" d="{}"/>'
        "</g>"
        '<text class="count" x="{}" y="{}">{}</text>',
        at, _px(at * step), _px(step), _px(floor + _FOOT), _px(left), _px(floor),
        "".join(squares), crossed, _px(at * step + step / 2), _px(top - 5),
        len(cells) if is_counted else "",
    )  # fmt: skip


def _px(value: float) -> str:
    return f"{value:.1f}"


def sparkline(histogram: Sequence[tuple[int, int]], score_range: tuple[int, int]) -> SafeString:
    """The distribution of scores at the height of a line of text."""
    wide, tall = 104, 24
    low, high = score_range
    bins = binned(histogram, most=52, low=low, high=high)
    step, most = wide / len(bins), max(1, *(scores.count for scores in bins))
    heights = (max(scores.count / most * (tall - 2), 1) if scores.count else 0 for scores in bins)
    rows = [
        (f"{(at + 0.1) * step:.1f}", f"{tall - 1 - bar:.1f}", f"{step * 0.8:.1f}", f"{bar:.1f}")
        for at, bar in enumerate(heights)
        if bar
    ]
    played = [score for score, number in histogram if number]
    games = counted(sum(number for _, number in histogram), "game")
    words = f"Scores of {games}: from {min(played)} to {max(played)}" if played else "No games yet."
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        "<title>{}</title>{}"
        '<line class="axis" x1="0" x2="{}" y1="{}" y2="{}"/></svg>',
        wide, tall, words, words,
        format_html_join("", '<rect class="bar" x="{}" y="{}" width="{}" height="{}"/>', rows),
        wide, tall - 0.5, tall - 0.5,
    )  # fmt: skip
