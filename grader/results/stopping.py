"""Stopping when the mean is known precisely enough: for practice evaluations, never graded ones.

If one looks after every game and stops when an ordinary interval is narrow enough, or shows the
desired result, the intervals contain the truth less often than they claim. The interval here is one
of a *confidence sequence*: with probability 95% it contains the true mean after every number of
games at once, so one may look at any time and stop for any reason.

The sequence is the asymptotic one of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform
central limit theory and asymptotic confidence sequences" (Annals of Statistics 52, 2024), which
extends Robbins' normal mixture (1970) to variances that are estimated. After n games with mean m
and standard deviation s, at level a:

    m ± s · sqrt(2 (n r² + 1) / (n² r²) · log(sqrt(n r² + 1) / a))

r makes it narrowest at about the number of games that one expects (their equation for the best r,
with the usual approximation): r² = (-2 log a + log(-2 log a) + 1) / expected. There it is about
1.5 times as wide as an ordinary interval: the price of looking. It is asymptotic, so no interval
is given before ``FEWEST`` games.

A graded evaluation plays what was announced: with a rule that depends on scores, two agents would
be measured with different numbers of games. Games are taken in the order of their index, so that
the result does not depend on batches.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

FEWEST: Final = 50
"""Games before which no interval is given: means of so few scores are not yet normal."""
_LEVEL: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimeInterval:
    """A mean whose interval holds at every number of games. ``n`` is the number of games."""

    n: int
    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return self.high - self.mean


def anytime_interval(n: int, mean: float, sd: float, *, expected: int) -> AnytimeInterval:
    """The interval after n games. ``expected`` is the number where it should be narrowest.

    It must be chosen before the games. Raises ValueError for fewer than ``FEWEST`` games.
    """
    if n < FEWEST:
        raise ValueError(f"{n} games are too few; at least {FEWEST} are needed")
    spread = _best_spread(expected)
    reach = sd * sqrt(2 * (n * spread + 1) / (n * n * spread) * log(sqrt(n * spread + 1) / _LEVEL))
    return AnytimeInterval(n=n, mean=mean, low=mean - reach, high=mean + reach)


def stopped_after(
    scores: Mapping[int, int], *, half_width: float, most: int
) -> AnytimeInterval | None:
    """Return the interval at which an evaluation of at most ``most`` games stops.

    ``scores`` are those of the games that were played so far, by index. The first number of games
    whose interval is as narrow as asked decides, or ``most``. ``None`` as long as a game is missing
    that may be needed. Games beyond it do not count. Scores that never varied stop nothing: their
    variance is not known to be 0.
    """
    total = squares = 0
    for n in range(1, most + 1):
        if n - 1 not in scores:
            return None
        score = scores[n - 1]
        total += score
        squares += score * score
        if n < FEWEST:
            continue
        sd = sqrt(max(n * squares - total * total, 0) / (n * (n - 1)))
        interval = anytime_interval(n, total / n, sd, expected=most)
        if 0 < interval.half_width <= half_width or n == most:
            return interval
    return None


def _best_spread(expected: int) -> float:
    """r² for the narrowest interval after ``n`` games."""
    tail = -2 * log(_LEVEL)
    return (tail + log(tail) + 1) / max(expected, FEWEST)
