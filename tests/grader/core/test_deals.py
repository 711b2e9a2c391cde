"""Deals: every number re-derived by a second implementation of the specification, and its vectors.

The statistics run on fixed seeds, so they pass or fail for ever; their bounds are the 1-in-10,000
points of the chi-square distributions (divided by 50 where the largest of 50 is taken).
"""

import hashlib
import hmac
from collections import Counter
from itertools import chain, count, islice, permutations

import pytest

from grader.core import deals
from grader.core.deals import (
    PRACTICE_KEY,
    PRACTICE_SECRET,
    agent_seed,
    blocks_secret,
    commitment,
    deal_seed,
    shuffled,
)
from tests.support.every import every

SECRET = bytes(range(32))
BLOCKS = b"firebox blocks v1" + SECRET


def plain_hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 by RFC 2104, from the hash alone."""
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def plain_shuffle(items: list[int], seed: bytes) -> list[int]:
    """Steps 2 to 4 of the specification, as literally as they can be written."""
    blocks = (plain_hmac(seed, b"firebox stream v1" + b.to_bytes(8, "big")) for b in range(100))
    stream = b"".join(blocks)
    at = 0
    for j in range(len(items) - 1, 0, -1):
        n = j + 1
        while True:
            x = int.from_bytes(stream[at : at + 4], "big")
            at += 4
            if x < n * (2**32 // n):
                break
        k = x % n
        items[j], items[k] = items[k], items[j]
    return items


@pytest.mark.parametrize(
    ("index", "seed"),
    [
        (0, "525f7bc9277d0f9bbeb7080d985942e67a9018118a492cd7c79ea523ea6b5bc0"),
        (1, "d687aeb6cc7b0d0cdd253b55a93cf8f74c350ffb8d842c8c8d696182d4c3b551"),
        (999, "4fa9e63279d5025c7c9dad2f8ec814d9421771376293c4c3c8527383c2def1dd"),
        (2**64 - 1, "a7877506a9a686a8259de7538a46ffaa97f7c5eece1f1c986c6bceb085cff7fe"),
    ],
)
def test_deal_seeds_are_those_of_the_vectors(index, seed):
    assert deal_seed(SECRET, index).hex() == seed
    message = b"firebox deal v1" + index.to_bytes(8, "big")
    assert plain_hmac(SECRET, message).hex() == seed


def plain_place(listed: bytes, index: int) -> int:
    """Step 6, as literally as it can be written: which deal of the key a game has."""
    others = (number for number in count() if number not in list(listed))
    block = next(islice(chain(listed, others), index // 4, None))
    return 4 * block + index % 4


@every("listed", ["", "00", "03", "050002", "010203", "ff", "fffe00"])
def test_a_secret_of_blocks_gives_the_deals_of_its_key_in_another_order(listed):
    numbers = bytes.fromhex(listed)
    seeds = [deal_seed(BLOCKS + numbers, index) for index in range(1100)]
    assert len(set(seeds)) == 1100
    for index in (*range(24), *range(1014, 1030)):
        assert seeds[index] == deal_seed(SECRET, plain_place(numbers, index))
    assert deal_seed(BLOCKS + numbers, 2**64 - 1) == deal_seed(SECRET, 2**64 - 1)


def test_the_practice_secret_is_that_of_the_vectors():
    assert len(PRACTICE_SECRET) == 17 + 32 + 125
    assert commitment(PRACTICE_SECRET) == (
        "8361e6834637a3ab70f4bb140d66ae70e1c6fe54e8836107073304d1a08fd80a"
    )
    for index in (0, 101, 499, 500, 5000):
        place = plain_place(PRACTICE_SECRET[49:], index)
        message = b"firebox deal v1" + place.to_bytes(8, "big")
        assert deal_seed(PRACTICE_SECRET, index) == plain_hmac(PRACTICE_KEY, message)


def test_a_secret_of_blocks_is_its_tag_its_key_and_its_list():
    assert blocks_secret(SECRET, bytes([5, 250])) == BLOCKS + b"\x05\xfa"


@pytest.mark.parametrize("rest", [SECRET[1:], SECRET + b"\5\0\5"])
def test_a_malformed_secret_of_blocks_is_refused(rest):
    with pytest.raises(ValueError, match="32 bytes and each block once"):
        deal_seed(b"firebox blocks v1" + rest, 0)


def test_agent_seeds_are_those_of_the_vectors_and_fit_a_double():
    seed = deal_seed(SECRET, 0)
    expected = [281317609028633, 7291127642240706, 4394288220571606]
    assert [agent_seed(seed, seat) for seat in (0, 1, 4)] == expected
    seeds = [agent_seed(deal_seed(SECRET, index), 0) for index in range(200)]
    assert all(seed == int(float(seed)) < 1 << 53 for seed in seeds)
    assert max(seeds) > 1 << 52


def test_the_commitment_is_that_of_the_vector():
    expected = "f0802bd844d2ebaa9f17450cad0f8814ce60a4bf1fe3b3d557528512a6fb9ef8"
    assert commitment(SECRET) == expected


def test_a_shuffle_is_that_of_the_specification_and_leaves_its_items_alone():
    seed = deal_seed(SECRET, 0)
    assert shuffled(range(10), seed) == [9, 3, 5, 6, 1, 8, 4, 2, 7, 0]
    assert shuffled(range(52), seed)[:12] == [16, 27, 42, 34, 35, 8, 15, 14, 31, 43, 20, 41]
    for index in range(100):
        seed = deal_seed(SECRET, index)
        assert shuffled(range(50), seed) == plain_shuffle(list(range(50)), seed)
    items = [1, 2, 3]
    shuffled(items, SECRET)
    assert items == [1, 2, 3]


@pytest.mark.parametrize("items", [[], ["only"]])
def test_an_empty_list_can_be_shuffled(items):
    assert shuffled(items, SECRET) == items


def test_numbers_are_skipped_only_if_they_would_favour_a_residue():
    ceiling = 2**32 // 3 * 3
    items = ["first", "second", "third"]
    deals.shuffle(items, iter([2**32 - 1, ceiling, ceiling - 3, 1]))
    assert items == ["third", "second", "first"]
    items = ["first", "second"]
    deals.shuffle(items, iter([2**32 - 2]))
    assert items == ["second", "first"]


@every("length", [0, 31, 64, 65, 200])
def test_a_seed_of_any_length_gives_the_stream_of_its_hmac(length):
    seed = bytes(range(length))
    expected = hmac.digest(seed, b"firebox stream v1" + bytes(8), "sha256")
    numbers = next(deals.number_blocks(seed))
    assert b"".join(number.to_bytes(4, "big") for number in numbers) == expected


@pytest.mark.parametrize("secret", [b"", bytes(15)])
def test_a_short_secret_is_refused(secret):
    with pytest.raises(ValueError, match="at least 16 bytes"):
        deal_seed(secret, 0)


@pytest.mark.parametrize("index", [-1, 2**64])
def test_a_game_index_out_of_range_is_refused(index):
    with pytest.raises(ValueError, match="game index"):
        deal_seed(SECRET, index)


def chi_square(counts: Counter[object], cells: int) -> float:
    """Pearson's statistic against the uniform distribution over ``cells`` outcomes."""
    expected = counts.total() / cells
    unseen = (cells - len(counts)) * expected
    return unseen + sum((n - expected) ** 2 / expected for n in counts.values())


@pytest.mark.slow
def test_all_orders_of_five_items_are_equally_frequent():
    seeds = (deal_seed(SECRET, index) for index in range(24_000))
    counts = Counter(tuple(shuffled("abcde", seed)) for seed in seeds)
    assert set(counts) == set(permutations("abcde"))
    assert chi_square(counts, 120) < 185  # 119 degrees of freedom


@pytest.mark.slow
def test_every_card_is_equally_frequent_in_every_place():
    orders = [shuffled(range(50), deal_seed(SECRET, index)) for index in range(5000)]
    statistics = [chi_square(Counter(order[at] for order in orders), 50) for at in range(50)]
    assert max(statistics) < 109  # 49 degrees of freedom, 50 places
    assert 45 < sum(statistics) / 50 < 53
