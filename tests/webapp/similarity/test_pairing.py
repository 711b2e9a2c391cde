"""The pairs that are found, their order, and code that does not count."""

from collections.abc import Iterable

import numpy as np

from webapp.grading.similarity.pairing import (
    MAX_PAIRS,
    MIN_SHARED,
    ComparedProgram,
    compare,
    most_programs,
)


def made(people: Iterable[int], hashes: Iterable[int]) -> ComparedProgram:
    return ComparedProgram(frozenset(people), np.unique(np.fromiter(hashes, dtype=np.uint64)))


def one(person: int, *hashes: int) -> ComparedProgram:
    return made({person}, hashes)


def test_the_pair_with_the_larger_share_comes_first() -> None:
    programs = [
        one(1, *range(100)),
        one(2, *range(50), *range(200, 250)),
        one(3, *range(90), *range(300, 400)),
    ]
    pairs = compare(programs, own=3).pairs
    assert [(pair.first, pair.second, pair.shared) for pair in pairs] == [
        (0, 2, 90), (0, 1, 50), (1, 2, 50),
    ]  # fmt: skip
    assert (pairs[0].first_share, pairs[0].second_share) == (0.9, 90 / 190)


def test_code_from_the_starter_kit_does_not_count() -> None:
    programs = [one(1, *range(50)), one(2, *range(45), 99)]
    (pair,) = compare(programs, own=2, given=range(30)).pairs
    assert (pair.shared, pair.first_share, pair.second_share) == (15, 15 / 20, 15 / 16)
    assert compare(programs, own=2, given=range(40)).pairs == ()


def test_code_that_many_share_does_not_count() -> None:
    programs = [one(number, *range(20), 1000 + number) for number in range(11)]
    figures = compare(programs, own=11)
    assert most_programs(11) == 10
    assert figures.common == frozenset(range(20))
    assert figures.pairs == ()
    assert len(compare(programs[:10], own=10).pairs) == 45


def test_programs_of_the_same_person_are_no_pair() -> None:
    partners = made({1, 2}, range(20))
    again = made({2, 3}, range(20))
    assert compare([partners, again], own=2).pairs == ()
    assert compare([partners, again], own=1).pairs == ()


def test_earlier_programs_are_compared_with_own_ones_only() -> None:
    programs = [one(1, *range(20)), one(2, *range(50, 70)), one(3, *range(20)), one(4, *range(20))]
    pairs = compare(programs, own=2).pairs
    assert {(pair.first, pair.second) for pair in pairs} == {(0, 2), (0, 3)}


def test_a_few_fingerprints_in_common_are_no_pair() -> None:
    def pairs(shared: int) -> int:
        programs = [one(1, *range(shared), 500), one(2, *range(shared), 600)]
        return len(compare(programs, own=2).pairs)

    assert (pairs(MIN_SHARED - 1), pairs(MIN_SHARED)) == (0, 1)


def test_the_most_similar_pairs_are_kept_and_the_typical_one_is_told() -> None:
    programs = [one(number, *range(8), *range(1000 * number, 1000 * number + 8 + number))
                for number in range(1, 41)]  # fmt: skip
    groups = [
        made(each.people, [hash_ + 10**6 * (number // 8) if hash_ < 8 else hash_
                           for hash_ in each.hashes.tolist()])
        for number, each in enumerate(programs)
    ]  # fmt: skip
    figures = compare(groups, own=40)
    assert len(figures.pairs) == 5 * 28 <= MAX_PAIRS
    shares = [max(pair.first_share, pair.second_share) for pair in figures.pairs]
    assert shares == sorted(shares, reverse=True)
    assert figures.typical_share == 0.0


def test_without_programs_there_are_no_figures() -> None:
    assert compare([], own=0).pairs == ()
    assert compare([one(1), one(2)], own=2).pairs == ()
