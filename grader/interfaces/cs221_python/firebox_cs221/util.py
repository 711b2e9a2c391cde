"""The course's module ``util``, which agents import: a counter and a few small functions."""

import collections
import random
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NoReturn

__all__ = [
    "Counter",
    "chooseFromDistribution",
    "flipCoin",
    "normalize",
    "raiseNotDefined",
    "random",
]


class Counter(collections.Counter[Any]):
    """A dictionary of numbers in which everything else is 0, with sums that may be negative."""

    def incrementAll(self, keys: Iterable[Hashable], count: float) -> None:
        """Add the same to each of the keys."""
        for key in keys:
            self[key] += count  # type: ignore[assignment]  # as in the original, not only integers

    def argMax(self) -> Any:
        """The key with the largest value, ``None`` if there is none."""
        return max(self, key=self.__getitem__) if self else None

    def sortedKeys(self) -> list[Any]:
        """The keys, those with the largest values first."""
        return sorted(self, key=self.__getitem__, reverse=True)

    def totalCount(self) -> int:
        """The sum of all values."""
        return sum(self.values())

    def normalize(self) -> None:
        """Divide all values by their sum."""
        total = self.totalCount()
        if total:
            self.divideAll(total)

    def divideAll(self, divisor: float) -> None:
        """Divide all values, not rounding."""
        for key in self:
            self[key] /= divisor  # type: ignore[assignment]  # see above

    def copy(self) -> "Counter":
        """Another one with the same values."""
        return Counter(self)

    def __add__(self, other: Mapping[Any, Any]) -> "Counter":
        keys = [*self, *(key for key in other if key not in self)]
        return Counter({key: self[key] + other.get(key, 0) for key in keys})

    def __sub__(self, other: Mapping[Any, Any]) -> "Counter":
        keys = [*self, *(key for key in other if key not in self)]
        return Counter({key: self[key] - other.get(key, 0) for key in keys})

    def __mul__(self, other: Mapping[Any, Any]) -> Any:
        return sum(self[key] * other[key] for key in self if key in other)


def raiseNotDefined() -> NoReturn:
    """For methods that a subclass has to write."""
    raise NotImplementedError("this method is not written yet")


def flipCoin(probability: float) -> bool:
    """True with this probability."""
    return random.random() < probability  # noqa: S311 - for playing


def normalize(values: Any) -> Any:
    """A list or counter with the same proportions and the sum 1."""
    if isinstance(values, Mapping):
        normalized = Counter(values)
        normalized.normalize()
        return normalized
    total = float(sum(values))
    return [value / total for value in values] if total else values


def chooseFromDistribution(distribution: Any) -> Any:
    """A key of a counter, or of pairs of probability and key, as likely as it says."""
    if isinstance(distribution, Mapping):
        keys, weights = list(distribution), list(distribution.values())
    else:
        weights, keys = [pair[0] for pair in distribution], [pair[1] for pair in distribution]
    return random.choices(keys, weights)[0]  # noqa: S311 - for playing
