"""Randomness for rules: dice, cards that are drawn later, openings.

Every number follows from the deal's seed, so that a record replays to the same play. Streams with
different names are independent: a game may shuffle with one and roll dice with another.
"""

import hmac
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, chain, tee
from math import lcm
from typing import Any, Final, Self, TypeVar

from grader.core.deals import number_blocks, shuffle

T = TypeVar("T")

_WORDS: Final = 1 << 32


class Chance:
    """A stream of random choices, each with the probability that its method states, exactly.

    The stream ``name`` of a deal has the key ``HMAC-SHA-256(key=deal_seed, message="firebox chance
    v1" ‖ name)``; steps 2 to 4 of ``grader.core.deals`` draw numbers from it.
    """

    def __init__(self, seed: bytes, name: str) -> None:
        key = hmac.digest(seed, b"firebox chance v1" + name.encode(), "sha256")
        self._numbers: Iterator[int] = chain.from_iterable(number_blocks(key))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a stream that draws what this one would draw, so that a play can be copied."""
        other = object.__new__(type(self))
        self._numbers, other._numbers = tee(self._numbers)
        return other

    def below(self, n: int) -> int:
        """Draw a number from 0 to ``n`` - 1. Raises ValueError unless 1 <= n <= 2³²."""
        if not 1 <= n <= _WORDS:
            raise ValueError(f"a number is drawn below 1 to 2^32, not below {n}")
        limit = _WORDS // n * n
        return next(x for x in self._numbers if x < limit) % n

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return a new list of the items; every order is equally likely."""
        result = list(items)
        shuffle(result, self._numbers)
        return result

    def weighted(self, weights: Sequence[int | Fraction]) -> int:
        """Draw an index with a probability in proportion to its weight.

        Weights are exact: floats would make a play depend on how a machine rounds. Raises
        ValueError if one is below 0, if all are 0, or if their sum as whole numbers exceeds 2³².
        """
        if any(weight < 0 for weight in weights) or sum(weights) <= 0:
            raise ValueError("weights are at least 0, and one of them is above 0")
        unit = lcm(*(Fraction(weight).denominator for weight in weights))
        ends = list(accumulate(int(weight * unit) for weight in weights))
        drawn = self.below(ends[-1])
        return next(index for index, end in enumerate(ends) if drawn < end)
