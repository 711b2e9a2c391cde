"""A student's total of a course: weights of assignments, and the lowest ones left out. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

__all__ = ["Result", "Total", "total_of"]

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
    """Return the weighted mean of the percentages, without the ``drops`` lowest.

    One result at least stays; of equal percentages the one with the greatest weight is left out
    first, which serves the student as well as any. Rounded to hundredths, halves up.
    """
    counted = [position for position, result in enumerate(results) if result.counts]
    ordered = sorted(counted, key=lambda at: (_percent(results[at]), -results[at].weight, at))
    dropped = frozenset(ordered[: max(0, min(drops, len(counted) - 1))])
    kept = [results[at] for at in counted if at not in dropped]
    weight = sum((result.weight for result in kept), Decimal(0))
    if not weight:
        return Total(None, frozenset())
    weighted = sum((result.weight * _percent(result) for result in kept), Decimal(0))
    return Total((weighted / weight).quantize(_CENT, ROUND_HALF_UP), dropped)


def _percent(result: Result) -> Decimal:
    return result.percent or Decimal(0)
