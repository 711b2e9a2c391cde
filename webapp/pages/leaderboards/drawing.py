"""A leaderboard ready for its template: every row with its drawing, the scale over all of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from grader.house.catalogue import title_of
from webapp.contests.leaderboards.values import BoardStanding, Leaderboard, Provisional
from webapp.pages.intervals import Interval, IntervalLine, Scale, axis, history, lines_on, row


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A standing, its bar and its history."""

    standing: BoardStanding
    bar: SafeString
    history: SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBoard:
    """A page of a board with its charts."""

    board: Leaderboard
    axis: SafeString
    rows: tuple[DrawnRow, ...]
    has_band: bool
    has_lines: bool
    """True if a house agent's line is on the scale."""
    has_so_far: bool
    """True if a row has a mean that is not final."""


def drawn(board: Leaderboard, *, band_of_leader: bool = False, values: bool = False) -> DrawnBoard:
    """Draw a board; ``values`` writes house agents' means beside their names."""
    shown = [interval for entry in board.rows for interval in _drawn_of(entry)]
    scale = Scale.of(shown, lower_is_better=board.game.lower_is_better)
    owner = board.leader if band_of_leader or board.own is None else board.own
    band = None if owner is None else _interval(owner)
    chosen = board.assignment.board_lines
    lines = [
        IntervalLine(title_of(line.alias), line.mean)
        for line in board.house
        if not chosen or line.alias in chosen
    ]
    reach = _reach(board.rows)
    rows = tuple(
        DrawnRow(
            entry,
            row(scale, _interval(entry), own=entry.mine, provisional=_so_far(entry.playing)),
            history(entry.history, reach, board.assignment.scheme.mean_in_words),
        )
        for entry in board.rows
    )
    has_band = band is not None and band.low is not None and _overlaps(scale, band)
    return DrawnBoard(
        board=board,
        axis=axis(scale, lines, band=band if has_band else None, values=values),
        rows=rows,
        has_band=has_band,
        has_lines=bool(lines_on(scale, lines)),
        has_so_far=any(_so_far(entry.playing) for entry in board.rows),
    )


def _overlaps(scale: Scale, band: Interval) -> bool:
    low, high = band.ends
    return low <= scale.high and high >= scale.low


def _drawn_of(standing: BoardStanding) -> Iterable[Interval]:
    final, so_far = _interval(standing), _so_far(standing.playing)
    return [interval for interval in (final, so_far) if interval is not None]


def _interval(standing: BoardStanding) -> Interval | None:
    if standing.mean is None:
        return None
    return Interval(standing.mean, standing.low, standing.high)


def _so_far(playing: Provisional | None) -> Interval | None:
    if playing is None or playing.mean is None:
        return None
    return Interval(playing.mean, playing.low, playing.high)


def _reach(rows: Iterable[BoardStanding]) -> tuple[float, float]:
    means = [mean for row in rows for mean in row.history] or [0.0]
    return min(means), max(means)
