"""A tournament's standings, drawn: adjusted means with their intervals, and how far it is."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.safestring import SafeString

from grader.tournament import Figure
from webapp.pages.intervals import Interval, Scale, axis, row
from webapp.tournaments.selectors import Entry

__all__ = ["DrawnEntry", "blocks", "drawn"]

BLOCKS: Final = 40
"""Pieces of the bar that tells how far a tournament is."""


@dataclass(frozen=True, slots=True)
class DrawnEntry:
    """A participant and its bar."""

    entry: Entry
    bar: SafeString
    shares_rank: bool
    """True if another participant has the same rank."""


def drawn(
    people: Sequence[Entry],
    *,
    shared: Collection[int],
    lower_is_better: bool,
    leader: Entry | None = None,
) -> dict[str, Any]:
    """Return the scale and all rows; the band is the viewer's interval, or the leader's.

    With a ``leader`` it is that one's, for every viewer. ``shared``: ranks that several
    participants have, on other pages too.
    """
    figures = [(entry, _interval(_main(entry))) for entry in people]
    known = [figure for _, figure in figures if figure is not None]
    scale = Scale.of(known, lower_is_better=lower_is_better)
    viewers = [] if leader else figures
    own = next((figure for entry, figure in viewers if entry.mine and figure is not None), None)
    first = _interval(_main(leader)) if leader else next(iter(known), None)
    band = own or first
    return {
        "axis": axis(scale, band=band),
        "drawn": [
            DrawnEntry(
                entry,
                row(scale, figure, own=entry.mine, played=_played(entry)),
                shares_rank=entry.rank in shared,
            )
            for entry, figure in figures
        ],
        "band_is_own": own is not None,
    }


def _main(entry: Entry) -> Figure | None:
    """The adjusted mean; the mean as played before there is one."""
    standing = entry.standing
    return None if standing is None else standing.adjusted or standing.mean


def _interval(figure: Figure | None) -> Interval | None:
    return None if figure is None else Interval(figure.value, figure.low, figure.high)


def _played(entry: Entry) -> float | None:
    standing = entry.standing
    return None if standing is None or standing.mean is None else standing.mean.value


def blocks(done: int, n_games: int) -> list[str]:
    """For each piece of the bar whether it is done, begun or still to come."""
    full, rest = divmod(done * BLOCKS, n_games)
    return ["done"] * full + (["begun"] if rest else []) + [""] * (BLOCKS - full - bool(rest))
