"""Who sits at a table with whom: tables whose members have met as seldom as possible.

A round begins with a random arrangement and is then improved: members of different tables change
places as long as that lowers the sum, over all pairs at one table, of how often the pair has met
before. A pair that meets for the (m+1)-th time raises the sum of squared meetings by 2m + 1, so
this is steepest descent on that sum: it keeps the numbers of meetings as equal as local exchanges
can. Measured beside random and transversal designs: see ``grader.bench``.

Whole numbers only, so that every machine comes to the same tables.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Whole", "arranged", "note_meetings"]

Whole: TypeAlias = NDArray[np.int64]

_MOST_SWEEPS: Final = 200
"""Far more than it takes; descent ends by itself."""


def arranged(members: Sequence[int], size: int, cost: Whole) -> Whole:
    """Tables of ``size`` members each, one row a table, improved from the order given.

    ``cost[a, b]`` is what it costs to have ``a`` and ``b`` at one table; symmetric. A member may
    occur several times. The number of members must be a multiple of ``size``.
    """
    places = np.array(members, dtype=np.int64)
    tables = len(places) // size
    if tables > 1 and size > 1:
        for _ in range(_MOST_SWEEPS):
            if not _sweep(places, tables, size, cost):
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


def _sweep(places: Whole, tables: int, size: int, cost: Whole) -> bool:
    """Make the best exchanges, each table in at most one of them; whether there was any."""
    everyone = np.arange(len(places))
    table_of = everyone // size
    pair = cost[places][:, places]
    load = pair.reshape(len(places), tables, size).sum(axis=2)
    own = load[everyone, table_of] - pair[everyone, everyone]
    there = load[:, table_of]
    gain = own[:, None] + own[None, :] - there - there.T + 2 * pair
    gain[table_of[:, None] == table_of[None, :]] = 0
    partner = gain.argmax(axis=1)
    best = gain[everyone, partner]
    if best.max() <= 0:
        return False
    free = [True] * tables
    for one in np.argsort(-best, kind="stable"):
        if best[one] <= 0:
            break
        other = partner[one]
        here, over = one // size, other // size
        if free[here] and free[over]:
            free[here] = free[over] = False
            places[one], places[other] = places[other], places[one]
    return True
