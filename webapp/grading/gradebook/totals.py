"""A student's total of a course: weights of assignments, and the results left out. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from operator import mul
from typing import Final

_CENT: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A student's result of one assignment."""

    points: Decimal | None
    """``None``: nothing yet, so it does not count yet."""
    out_of: Decimal
    """Full credit; more is possible where there is a bonus."""
    weight: Decimal

    @property
    def percent(self) -> Decimal | None:
        """The share of full credit; ``None`` where nothing can be said."""
        if self.points is None or not self.out_of:
            return None
        return 100 * self.points / self.out_of

    @property
    def counts(self) -> bool:
        """True if it has a part in the total."""
        return self.percent is not None and self.weight > 0


@dataclass(frozen=True, slots=True)
class Total:
    """The total in percent, and the positions of the results that were left out."""

    percent: Decimal | None
    dropped: frozenset[int]


def total_of(results: Sequence[Result], drops: int) -> Total:
    """Return the weighted mean of the percentages, without the results that lower it most.

    ``drops``: their number. With equal weights these are the lowest. One result at least stays; of
    equal choices the lowest percentage is left out, then the greatest weight. Rounded to
    hundredths, halves up.
    """
    counted = [position for position, result in enumerate(results) if result.counts]
    if not counted:
        return Total(None, frozenset())
    n_dropped = max(0, min(drops, len(counted) - 1))
    dropped, mean = frozenset[int](), _mean(results, counted)
    while n_dropped:
        # Dinkelbach: without the results that most lower a sum over the mean, the mean only rises,
        # and once it stays, no other choice has a higher one.
        lowering = sorted(counted, key=lambda at: _lowering(results[at], at, mean))
        dropped = frozenset(lowering[:n_dropped])
        risen = _mean(results, [at for at in counted if at not in dropped])
        if risen == mean:
            break
        mean = risen
    percent = Decimal(mean.numerator) / mean.denominator
    return Total(percent.quantize(_CENT, ROUND_HALF_UP), dropped)


def _mean(results: Sequence[Result], positions: Collection[int]) -> Fraction:
    chosen = [results[at] for at in positions]
    weights = [Fraction(result.weight) for result in chosen]
    percents = [Fraction(_percent(result)) for result in chosen]
    return sum(map(mul, weights, percents), Fraction(0)) / sum(weights, Fraction(0))


def _lowering(result: Result, at: int, mean: Fraction) -> tuple[Fraction, Decimal, Decimal, int]:
    """Return a key that is smaller for results that lower a mean more."""
    percent = _percent(result)
    return Fraction(result.weight) * (Fraction(percent) - mean), percent, -result.weight, at


def _percent(result: Result) -> Decimal:
    return result.percent or Decimal(0)
