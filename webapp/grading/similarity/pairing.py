"""Pairs of programs that share fingerprints, by an inverted index. Pure.

Of two programs with a and b fingerprints that share s of them the *shares* are s/a and s/b. Pairs
are ranked by the larger one, then by s. What everybody was given, or many programs have, counts
neither in s nor in a and b.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

MIN_SHARED: Final = 6
"""Fingerprints that a pair has in common, at least: some six passages of four lines."""
MAX_PAIRS: Final = 500
MIN_COMMON: Final = 10
COMMON_SHARE: Final = 4
"""Common ground is in more than a fourth of the programs, and in more than ten."""

Keys: TypeAlias = NDArray[np.uint64]
Counts: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class ComparedProgram:
    people: frozenset[int]
    hashes: Keys
    """Each once."""


@dataclass(frozen=True, slots=True)
class PairFigures:
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
class SimilarityFigures:
    pairs: tuple[PairFigures, ...]
    typical_share: float
    """The median of the larger shares, over all pairs within the assignment."""
    common: frozenset[int]


def most_programs(programs: int) -> int:
    """Return how many of them may have a fingerprint that still counts."""
    return max(MIN_COMMON, programs // COMMON_SHARE)


def compare(
    programs: Sequence[ComparedProgram], *, own: int, given: Collection[int] = ()
) -> SimilarityFigures:
    """Compare the first ``own`` programs with one another and with all others.

    ``given``: hashes of what everybody has. Programs with a person in common are no pair.
    """
    groups = _groups(programs, own=own, given=given)
    shared = np.zeros((own, len(programs)), dtype=np.int32)
    for at in np.flatnonzero(~groups.common & (groups.counts > 1) & (groups.own > 0)):
        group = groups.holders[groups.starts[at] : groups.starts[at] + groups.counts[at]]
        shared[np.ix_(group[: groups.own[at]], group)] += 1
    sizes = _sizes(groups, len(programs))
    larger = shared / np.maximum(1, np.minimum(sizes[:own, None], sizes[None, :]))
    within = larger[:, :own][np.triu_indices(own, k=1)]
    return SimilarityFigures(
        pairs=tuple(_ranked(programs, shared, sizes, larger)),
        typical_share=float(np.median(within)) if len(within) else 0.0,
        common=frozenset(groups.keys[groups.common].tolist()),
    )


@dataclass(frozen=True, slots=True)
class _Groups:
    """An inverted index: each fingerprint with the positions of the programs that have it."""

    keys: Keys
    holders: NDArray[np.intp]
    """Positions, ascending within each fingerprint."""
    starts: NDArray[np.intp]
    """In ``holders``, by fingerprint."""
    counts: NDArray[np.intp]
    own: NDArray[np.intp]
    common: NDArray[np.bool_]


def _groups(programs: Sequence[ComparedProgram], *, own: int, given: Collection[int]) -> _Groups:
    without = np.fromiter(given, dtype=np.uint64)
    kept = [program.hashes[~np.isin(program.hashes, without)] for program in programs]
    every = np.concatenate([np.empty(0, dtype=np.uint64), *kept])
    holders = np.repeat(np.arange(len(kept)), [len(one) for one in kept])
    order = np.lexsort((holders, every))
    keys, starts, counts = np.unique(every[order], return_index=True, return_counts=True)
    holders = holders[order]
    ends = np.r_[0, np.cumsum(holders < own)]
    mine = ends[starts + counts] - ends[starts]
    common = (mine > most_programs(own)) | (counts > most_programs(len(programs)))
    return _Groups(keys, holders, starts, counts, mine, common)


def _sizes(groups: _Groups, programs: int) -> NDArray[np.intp]:
    counted = np.repeat(~groups.common, groups.counts)
    return np.bincount(groups.holders[counted], minlength=programs)


def _ranked(
    programs: Sequence[ComparedProgram],
    shared: Counts,
    sizes: NDArray[np.intp],
    larger: NDArray[np.float64],
) -> Iterator[PairFigures]:
    firsts, seconds = np.nonzero(shared >= MIN_SHARED)
    once = firsts < seconds
    firsts, seconds = firsts[once], seconds[once]
    order = np.lexsort((-shared[firsts, seconds], -larger[firsts, seconds]))
    n_pairs = 0
    for first, second in zip(firsts[order].tolist(), seconds[order].tolist(), strict=True):
        if n_pairs == MAX_PAIRS:
            return
        if programs[first].people & programs[second].people:
            continue
        n_pairs += 1
        count = int(shared[first, second])
        yield PairFigures(
            first, second, count, count / int(sizes[first]), count / int(sizes[second])
        )
