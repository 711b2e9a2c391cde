"""Estimates with intervals, and the ranks that they allow."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.core.games.outcomes import in_points
from grader.results.statistics import t_quantile


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """An estimate with its 95% interval."""

    value: float
    low: float | None
    """``None``: too few rounds for an interval."""
    high: float | None

    @property
    def half_width(self) -> float | None:
        """The ± of the interval."""
        return None if self.high is None else self.high - self.value

    def in_points(self, unit: Fraction) -> "Figure":
        """Return the estimate of scores as one of points."""
        low, high = (None if end is None else in_points(end, unit) for end in (self.low, self.high))
        return Figure(value=in_points(self.value, unit), low=low, high=high)


def figure(value: float, error: float, rounds: int) -> Figure:
    """An estimate from a number of rounds, with Student's interval."""
    if rounds < 2:
        return Figure(value=value, low=None, high=None)
    reach = t_quantile(rounds - 1) * error
    return Figure(value=value, low=value - reach, high=value + reach)


def mean_over_rounds(scores: Collection[Sequence[int]]) -> Figure | None:
    """The mean of all scores, those of one round together; ``None`` without any.

    Games of one round share partners or, where an agent sits at several of its tables, deals: they
    are alike. So rounds are what is sampled.
    """
    if not any(scores):
        return None
    mean, error = ratio(scores)
    return figure(mean, error, len(scores))


def ratio(values: Collection[Sequence[int]]) -> tuple[float, float]:
    """The mean of values that come in groups, at least one of them, and its standard error.

    With K groups, of n values and sum S each, the mean M = sum S / sum n has the estimated variance
    K / (K - 1) · sum (S - nM)² / (sum n)² (a ratio estimator: Cochran 1977, chapter 6).
    """
    count, groups = sum(map(len, values)), len(values)
    mean = sum(map(sum, values)) / count
    squares = sum((sum(sample) - len(sample) * mean) ** 2 for sample in values)
    return mean, (groups / max(groups - 1, 1) * squares) ** 0.5 / count


def places(figures: Mapping[int, Figure], *, lower_is_better: bool) -> dict[int, int]:
    """Return the order of the estimates; equal ones share a place and leave out the next ones."""
    values = [figure.value for figure in figures.values()]
    return {
        number: 1
        + sum(_better(value, figure.value, lower_is_better=lower_is_better) for value in values)
        for number, figure in figures.items()
    }


def ranks(figures: Mapping[int, Figure], *, lower_is_better: bool) -> dict[int, int]:
    """Return one plus the number of clearly better ones: intervals wholly on the better side.

    A figure without an interval is neither clearly better nor clearly worse than another.
    """
    return {
        number: 1
        + sum(
            _is_clearly_better(other, own, lower_is_better=lower_is_better)
            for other in figures.values()
        )
        for number, own in figures.items()
    }


def _better(a: float, b: float, *, lower_is_better: bool) -> bool:
    return a < b if lower_is_better else a > b


def _is_clearly_better(a: Figure, b: Figure, *, lower_is_better: bool) -> bool:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return False
    return a.high < b.low if lower_is_better else a.low > b.high
