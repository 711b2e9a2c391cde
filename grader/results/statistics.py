"""Statistics of scores: mean, interval, histogram, comparison of two agents.

Pure arithmetic on integers and floats. Sums are exact, so the order of the games never matters, and
a figure that cannot be computed (the spread of one game, the mean of none) is ``None``, not NaN.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import atan, ceil, cos, pi, sin, sqrt
from statistics import NormalDist
from typing import Final

CONFIDENCE: Final = 0.95
"""Share of repetitions in which an interval of this module would contain the true mean."""

_ONE: Final = Fraction(1)
_SERIES_BELOW: Final = 60
"""Degrees of freedom from which the expansion of ``t_quantile`` is exact to 10⁻⁸."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The scores of one agent's games in figures: means in points, scores as games have them."""

    n: int
    total: int
    mean: float | None
    """``None`` without games."""
    sd: float | None
    """Sample standard deviation (divided by n - 1); ``None`` below two games."""
    standard_error: float | None
    """The standard error of the mean: sd / sqrt(n)."""
    low: float | None
    """Lower end of the 95% interval of the mean (Student's t); ``None`` below two games."""
    high: float | None
    histogram: tuple[tuple[int, int], ...]
    """(score, number of games) for every score that occurred, ascending."""
    best: int | None
    worst: int | None
    lost: int
    """Games with the score of a lost game, if there is such a thing: in Hanabi 0, after three
    strikes or a fault of an agent."""

    @property
    def half_width(self) -> float | None:
        """The ± of the interval: mean ± half_width."""
        if self.mean is None or self.high is None:
            return None
        return self.high - self.mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean of independent values, and how sure it is."""

    n: int
    """Number of values."""
    mean: float | None
    """``None`` without values."""
    standard_error: float | None
    """``None`` below two values, like the interval."""
    low: float | None
    """Lower end of the 95% interval (Student's t)."""
    high: float | None

    @property
    def half_width(self) -> float | None:
        """The ± of the interval."""
        return None if self.mean is None or self.high is None else self.high - self.mean


@dataclass(frozen=True, slots=True)
class Bin:
    """The number of games that ended with one of some neighbouring scores."""

    low: int
    high: int
    """Included."""
    count: int

    @property
    def label(self) -> str:
        """``7``, or ``10–14``."""
        return self.in_words(str)

    def in_words(self, words: Callable[[int], str]) -> str:
        """Return the label, with scores as their game says them."""
        return "–".join(dict.fromkeys((words(self.low), words(self.high))))


_WIDTHS: Final = (1, 2, 5, 10, 20, 25, 50)


def binned(
    histogram: Iterable[tuple[int, int]],
    *,
    most: int,
    low: int | None = None,
    high: int | None = None,
) -> tuple[Bin, ...]:
    """A histogram in a limited number of bins, all equally wide, empty ones included.

    From the lowest score to the highest, or what is beyond them of ``low`` and ``high``. Bins begin
    at multiples of their width, which is round. Nothing for no scores and no such ends.
    """
    counts = dict(histogram)
    ends = [*counts, *(end for end in (low, high) if end is not None)]
    if not ends:
        return ()
    first, last = min(ends), max(ends)
    widths = chain(_WIDTHS, round_numbers(100))
    width = next(width for width in widths if last // width - first // width < most)
    games: Counter[int] = Counter()
    for score, played in counts.items():
        games[score // width] += played
    return tuple(
        Bin(number * width, number * width + width - 1, games[number])
        for number in range(first // width, last // width + 1)
    )


def round_numbers(first: int) -> Iterator[int]:
    """Yield 1, 2 and 5 times each power of ten, without end."""
    while True:
        yield from (first, 2 * first, 5 * first)
        first *= 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """The difference between ``a`` and ``b`` on the same deals."""

    n: int
    mean: float | None
    """Mean of a - b."""
    standard_error: float | None
    low: float | None
    high: float | None
    wins: int
    """Deals on which ``a`` scored more."""
    losses: int
    ties: int
    sign_p: float
    """Two-sided p-value of the exact sign test; ties are left out; 1 if nothing else is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTimes:
    """Charged times of turns, in microseconds: each figure is a turn that occurred."""

    median: int
    """Half of the turns took no longer (nearest rank: of two in the middle the lower)."""
    p99: int
    """99 of 100 turns took no longer (nearest rank)."""
    slowest: int


def turn_times(charged_us: Iterable[int]) -> TurnTimes | None:
    """The spread of turns' charged times in microseconds; ``None`` without turns."""
    turns = sorted(charged_us)
    if not turns:
        return None
    median, p99 = (turns[ceil(share * len(turns) / 100) - 1] for share in (50, 99))
    return TurnTimes(median=median, p99=p99, slowest=turns[-1])


def estimate(values: Sequence[int], *, scale: int | Fraction = 1) -> Estimate:
    """Mean and interval of ``values`` divided by ``scale``: fractions, kept exact until the end."""
    n = len(values)
    # In one division: after two, 11 games of 20 can be less than 0.55.
    mean = float(sum(values) / (n * scale)) if n else None
    error = _divided(_moments(values)[2], scale)
    if mean is None or error is None:
        return Estimate(n=n, mean=mean, standard_error=None, low=None, high=None)
    reach = t_quantile(n - 1) * error
    return Estimate(n=n, mean=mean, standard_error=error, low=mean - reach, high=mean + reach)


def summarise(
    scores: Sequence[int], *, lost_score: int | None = 0, unit: Fraction = _ONE
) -> Summary:
    """Figures for the scores of one agent, one score a game. ``unit`` is a score's in points."""
    counts = Counter(scores)
    _, sd, error, _, _ = _moments(scores)
    mean = estimate(scores, scale=1 / unit)
    return Summary(
        n=len(scores),
        total=sum(scores),
        mean=mean.mean,
        sd=_divided(sd, 1 / unit),
        standard_error=_divided(error, 1 / unit),
        low=mean.low,
        high=mean.high,
        histogram=tuple(sorted(counts.items())),
        best=max(counts, default=None),
        worst=min(counts, default=None),
        lost=0 if lost_score is None else counts[lost_score],
    )


def paired_difference(
    a: Sequence[int], b: Sequence[int], *, scale: int | Fraction = 1
) -> PairedDifference:
    """Compare two agents' scores, position by position of the same deal.

    Common deals share their luck, so this interval is narrower than the difference of two
    summaries. The scores may be sums over ``scale`` games of a deal: what comes out is a game's.
    Raises ValueError if the sequences differ in length.
    """
    differences = [x - y for x, y in zip(a, b, strict=True)]
    wins = sum(difference > 0 for difference in differences)
    losses = sum(difference < 0 for difference in differences)
    mean, _, error, low, high = _moments(differences)
    return PairedDifference(
        n=len(differences),
        mean=_divided(mean, scale),
        standard_error=_divided(error, scale),
        low=_divided(low, scale),
        high=_divided(high, scale),
        wins=wins,
        losses=losses,
        ties=len(differences) - wins - losses,
        sign_p=_sign_test(wins, losses),
    )


def _moments(
    values: Sequence[int],
) -> tuple[float | None, float | None, float | None, float | None, float | None]:
    """Return mean, standard deviation, standard error and the ends of the interval."""
    n, total = len(values), sum(values)
    if n == 0:
        return None, None, None, None, None
    mean = total / n
    if n == 1:
        return mean, None, None, None, None
    squares = n * sum(value * value for value in values) - total * total
    sd = sqrt(squares / (n * (n - 1)))
    error = sd / sqrt(n)
    reach = t_quantile(n - 1) * error
    return mean, sd, error, mean - reach, mean + reach


def _divided(value: float | None, by: int | Fraction) -> float | None:
    return None if value is None else value / by


def _sign_test(wins: int, losses: int) -> float:
    n = wins + losses
    ways = tail = 1
    for k in range(min(wins, losses)):
        ways = ways * (n - k) // (k + 1)
        tail += ways
    return min(1.0, 2 * tail / (1 << n))


@lru_cache(maxsize=256)
def t_quantile(degrees: int, confidence: float = CONFIDENCE) -> float:
    """Student's t: the bound that |t| stays below with probability ``confidence``.

    Raises ValueError for fewer than one degree of freedom.
    """
    if degrees < 1:
        raise ValueError(f"Student's t needs at least 1 degree of freedom, not {degrees}")
    if degrees >= _SERIES_BELOW:
        return _t_expansion(degrees, confidence)
    low, high = 0.0, 1.0
    while _t_within(high, degrees) < confidence:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        if _t_within(middle, degrees) < confidence:
            low = middle
        else:
            high = middle
    return high


def _t_within(t: float, degrees: int) -> float:
    """P(|T| < t), exactly: Abramowitz and Stegun 26.7.3 and 26.7.4."""
    theta = atan(t / sqrt(degrees))
    odd = degrees % 2
    term = cos(theta) if odd else 1.0
    total = term if degrees > 1 else 0.0
    for k in range(2 + odd, degrees, 2):
        term *= (k - 1) / k * cos(theta) ** 2
        total += term
    return 2 / pi * (theta + sin(theta) * total) if odd else sin(theta) * total


def _t_expansion(degrees: int, confidence: float) -> float:
    """Asymptotic expansion in 1 / degrees: Abramowitz and Stegun 26.7.5."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    correction = 0.0
    for term in reversed(terms):
        correction = (correction + term) / degrees
    return z + correction
