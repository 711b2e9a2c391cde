"""Pairs of programs that share fingerprints, by an inverted index. Pure.

Of two programs with a and b fingerprints that share s of them the *shares* are s/a and s/b. Pairs
are ranked by the larger one, then by s. What is left out counts neither in s nor in a and b:
fingerprints of what everybody was given, and those that many programs have. A passage of the
lecture, or a usual way to write something, is no trace of two teams.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Figures", "PairFigures", "Program", "compare", "most_programs"]

MIN_SHARED: Final = 6
"""Fingerprints that a pair has in common, at least: some six passages of four lines."""
MAX_PAIRS: Final = 500
"""The most similar pairs that are kept."""
MIN_COMMON: Final = 10
COMMON_SHARE: Final = 4
"""Common ground is in more than a fourth of the programs, and in more than ten."""

Keys: TypeAlias = NDArray[np.uint64]
Counts: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Program:
    """One program: its people and its fingerprints."""

    people: frozenset[int]
    hashes: Collection[int]


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two programs by their positions, and what they share."""

    first: int
    second: int
    shared: int
    first_share: float
    second_share: float

    @property
    def order(self) -> tuple[float, int]:
        """The most similar first."""
        return -max(self.first_share, self.second_share), -self.shared


@dataclass(frozen=True, slots=True)
class Figures:
    """The outcome of a comparison."""

    pairs: tuple[PairFigures, ...]
    typical_share: float
    """The median of the larger shares, over all pairs within the assignment."""
    common: frozenset[int]
    """Fingerprints that too many programs have."""


def most_programs(programs: int) -> int:
    """Return how many of them may have a fingerprint that still counts."""
    return max(MIN_COMMON, programs // COMMON_SHARE)


def compare(programs: Sequence[Program], *, own: int, given: Collection[int] = ()) -> Figures:
    """Compare the first ``own`` programs with one another and with all others.

    ``given``: hashes of what everybody has. Programs that have a person in common are no pair.
    """
    shared = np.zeros((own, len(programs)), dtype=np.int32)
    sizes = np.zeros(len(programs), dtype=np.int32)
    common: set[int] = set()
    most_own, most = most_programs(own), most_programs(len(programs))
    for key, group in _groups(programs, given=given):
        mine = group[: np.searchsorted(group, own)]
        if len(mine) > most_own or len(group) > most:
            common.add(key)
            continue
        sizes[group] += 1
        if len(group) > 1 and len(mine):
            shared[np.ix_(mine, group)] += 1
    larger = shared / np.maximum(1, np.minimum(sizes[:own, None], sizes[None, :]))
    within = larger[:, :own][np.triu_indices(own, k=1)]
    return Figures(
        pairs=tuple(_ranked(programs, shared, sizes, larger)),
        typical_share=float(np.median(within)) if len(within) else 0.0,
        common=frozenset(common),
    )


def _groups(
    programs: Sequence[Program], *, given: Collection[int]
) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield each fingerprint with the positions of the programs that have it, ascending."""
    sets = [set(program.hashes).difference(given) for program in programs]
    keys: Keys = np.fromiter((key for one in sets for key in one), dtype=np.uint64)
    holders = np.repeat(np.arange(len(sets)), [len(one) for one in sets])
    if not len(keys):
        return
    order = np.lexsort((holders, keys))
    keys, holders = keys[order], holders[order]
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    yield from zip(keys[starts].tolist(), np.split(holders, starts[1:]), strict=True)


def _ranked(
    programs: Sequence[Program],
    shared: Counts,
    sizes: Counts,
    larger: NDArray[np.float64],
) -> Iterator[PairFigures]:
    """Yield the most similar pairs, each once."""
    firsts, seconds = np.nonzero(shared >= MIN_SHARED)
    once = firsts < seconds
    firsts, seconds = firsts[once], seconds[once]
    order = np.lexsort((-shared[firsts, seconds], -larger[firsts, seconds]))
    found = 0
    for first, second in zip(firsts[order].tolist(), seconds[order].tolist(), strict=True):
        if found == MAX_PAIRS:
            return
        if programs[first].people & programs[second].people:
            continue
        found += 1
        count = int(shared[first, second])
        yield PairFigures(
            first, second, count, count / int(sizes[first]), count / int(sizes[second])
        )
