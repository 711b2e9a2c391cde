"""Groups for tables whose members have met as seldom as possible.

A round begins with a random arrangement and is then improved: members of different tables change
places as long as that lowers the sum, over all pairs at one table, of how often the pair has met
before. A pair that meets for the (m+1)-th time raises the sum of squared meetings by 2m + 1, so
this is steepest descent on that sum: it keeps the numbers of meetings as equal as local exchanges
can. ``make bench NAME=tournaments`` compares it with random groups.

Whole numbers only, so that every machine comes to the same tables.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Whole: TypeAlias = NDArray[np.int64]

_MAX_SWEEPS: Final = 200
"""Far more than ever needed; the descent terminates anyway."""
_NEVER: Final = -(1 << 30)
"""The gain of an exchange between members of one table: none."""


def arranged(members: Sequence[int], size: int, cost: Whole) -> Whole:
    """Tables of ``size`` members each, one row a table, improved from the order given.

    ``cost[a, b]``, symmetric, is the cost of having ``a`` and ``b`` at one table. A member may
    occur several times. The number of members must be a multiple of ``size``; costs must be below
    2^24.
    """
    places = np.array(members, dtype=np.int64)
    small = cost.astype(np.int32)
    tables = len(places) // size
    if tables > 1 and size > 1:
        for _ in range(_MAX_SWEEPS):
            if not _sweep(places, tables, size, small):
                break
    return places.reshape(tables, size)


def note_meetings(met: Whole, tables: Whole) -> None:
    """Count every pair at these tables into ``met``; a member that meets itself counts once."""
    size = tables.shape[1]
    for left in range(size):
        for right in range(left + 1, size):
            a, b = tables[:, left], tables[:, right]
            np.add.at(met, (a, b), 1)
            other = a != b
            np.add.at(met, (b[other], a[other]), 1)


def _sweep(places: Whole, tables: int, size: int, cost: NDArray[np.int32]) -> bool:
    """Make the best exchanges, each table in at most one; return whether there was any.

    An exchange of e and f saves own(e) + own(f) - (e at f's table) - (f at e's) + 2 cost(e, f).
    A plan's time is spent here: in place, and with small numbers, it takes half as long.
    """
    everyone = np.arange(len(places))
    gain = cost[np.ix_(places, places)]
    load = gain.reshape(len(places), tables, size).sum(axis=2, dtype=np.int32)
    own = load[everyone, everyone // size] - gain[everyone, everyone]
    there = np.repeat(load, size, axis=1)
    gain *= 2
    gain -= there
    gain -= there.T
    gain += own[None, :]
    at = np.arange(tables)
    gain.reshape(tables, size, tables, size)[at, :, at, :] = _NEVER
    partner = gain.argmax(axis=1)
    best = gain[everyone, partner] + own
    if best.max() <= 0:
        return False
    _exchange(places, size, best, partner)
    return True


def _exchange(places: Whole, size: int, best: NDArray[np.int32], partner: NDArray[np.intp]) -> None:
    """Exchange everybody with its partner, the best first, while both tables are untouched."""
    free = [True] * (len(places) // size)
    for one in np.argsort(-best, kind="stable").tolist():
        if best[one] <= 0:
            return
        other = int(partner[one])
        here, over = one // size, other // size
        if free[here] and free[over]:
            free[here] = free[over] = False
            places[one], places[other] = places[other], places[one]
