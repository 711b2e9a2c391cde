"""The standings of contests, drawn: ratings with their intervals on one scale."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from webapp.contests.tables.contests import RankedEntry
from webapp.pages.intervals import Interval, Scale, axis, row


@dataclass(frozen=True, slots=True)
class DrawnEntry:
    """A row of the standings and its bar."""

    row: RankedEntry[Any]
    bar: SafeString
    shares_rank: bool
    """True if another entry has the same rank."""
    address: str
    """A page on the agent; empty if the reader may open none."""


def interval_of(ranked: RankedEntry[Any]) -> Interval | None:
    """Return an entry's rating with its interval; ``None`` before there is one."""
    figure = ranked.figure
    return None if figure is None else Interval(figure.value, figure.low, figure.high)


def drawn(
    rows: Sequence[RankedEntry[Any]],
    *,
    shared: Collection[int],
    lower_is_better: bool,
    address: Callable[[Any], str],
    has_band: bool = True,
    leader: RankedEntry[Any] | None = None,
) -> dict[str, Any]:
    """Return the scale and all rows; the band is the viewer's interval, or the leader's.

    With a ``leader`` it is the leader's for every viewer. ``shared`` are the ranks that several
    entries have, on other pages too. ``address`` returns the page on a row's agent.
    """
    intervals = [interval_of(ranked) for ranked in rows]
    known = [interval for interval in intervals if interval is not None]
    scale = Scale.of(known, lower_is_better=lower_is_better)
    own = next(
        (
            interval
            for ranked, interval in zip(rows, intervals, strict=True)
            if ranked.mine and interval is not None and leader is None
        ),
        None,
    )
    first = interval_of(leader) if leader else next(iter(known), None)
    return {
        "axis": axis(scale, band=(own or first) if has_band else None),
        "drawn": [
            DrawnEntry(
                ranked,
                row(scale, interval, own=ranked.mine, played=_played(ranked) if has_band else None),
                shares_rank=ranked.rank in shared,
                address=address(ranked),
            )
            for ranked, interval in zip(rows, intervals, strict=True)
        ],
        "band_is_own": own is not None,
    }


def _played(ranked: RankedEntry[Any]) -> float | None:
    standing = ranked.standing
    return None if standing is None or standing.mean is None else standing.mean.value
