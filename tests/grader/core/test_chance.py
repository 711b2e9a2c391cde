"""Randomness for rules: the same choices for the same deal, and the stated probabilities."""

from collections import Counter
from copy import deepcopy
from fractions import Fraction

import pytest

from grader.core.chance import Chance

SEED = bytes(range(32))


def test_choices_follow_from_the_deal_and_the_name_of_the_stream() -> None:
    def drawn(seed: bytes, name: str) -> list[int]:
        chance = Chance(seed, name)
        return [chance.below(1000) for _ in range(20)]

    assert drawn(SEED, "dice") == drawn(SEED, "dice")
    assert drawn(SEED, "dice") != drawn(SEED, "cards")
    assert drawn(SEED, "dice") != drawn(bytes(32), "dice")


def test_a_copied_stream_goes_on_like_the_stream_it_was_copied_from() -> None:
    chance = Chance(SEED, "dice")
    chance.below(6)
    copies = [deepcopy(chance), deepcopy([chance])[0], chance]
    draws = [[each.below(1000) for _ in range(20)] for each in copies]
    assert draws[0] == draws[1] == draws[2]


def test_each_choice_has_its_probability() -> None:
    chance = Chance(SEED, "dice")
    faces = Counter(chance.below(6) for _ in range(6000))
    assert set(faces) == set(range(6))
    assert max(faces.values()) - min(faces.values()) < 200
    weights = Counter(chance.weighted([0, Fraction(1, 2), Fraction(3, 2)]) for _ in range(4000))
    assert set(weights) == {1, 2}
    assert 0.22 < weights[1] / 4000 < 0.28
    orders = Counter("".join(chance.shuffled("abc")) for _ in range(6000))
    assert len(orders) == 6
    assert min(orders.values()) > 850


def test_choices_that_cannot_be_made_are_refused() -> None:
    chance = Chance(SEED, "dice")
    for n in (0, -1, (1 << 32) + 1):
        with pytest.raises(ValueError, match="below 1 to"):
            chance.below(n)
    for weights in ([], [0, 0], [1, -1]):
        with pytest.raises(ValueError, match="weights are at least 0"):
            chance.weighted(weights)
