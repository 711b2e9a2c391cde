"""Compares two agents on the same deals: the difference, its interval, the number of games needed.

Deals that both played are compared one by one. The luck of a deal cancels out of each difference.
So versions of one agent, whose scores on a deal are similar, need far fewer games than two separate
means would (``saving``). Pure.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil
from statistics import NormalDist, StatisticsError, correlation
from typing import Final, TypeVar

from grader.results.statistics import CONFIDENCE, PairedDifference, paired_difference, t_quantile

Game = TypeVar("Game", bound=Hashable)

POWER: Final = 0.8
"""Probability with which the games that ``games_to_detect`` asks for show the difference."""
_MAX_GAMES: Final = 10**9
_ZERO: Final = 0.0
_ONE: Final = Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportComparison:
    """Agent ``a`` against agent ``b``."""

    difference: PairedDifference
    """The difference of their scores in points, a - b, on common deals."""
    better: bool | None
    """True if ``a`` is better, False if ``b`` is; ``None``: the interval includes no difference."""
    sd: float | None
    """Standard deviation of one deal's difference; ``None`` below two deals."""
    correlation: float | None
    """The correlation of the two scores on a deal; ``None`` if one of them never varies."""
    saving: float | None
    """Factor by which more games would be needed on deals that are not common; ``None`` where the
    differences or the scores do not vary."""
    left_out: int
    """Deals that only one of them played."""


def compare(
    a: Mapping[Game, int],
    b: Mapping[Game, int],
    *,
    lower_is_better: bool = False,
    unit: Fraction = _ONE,
    deal_of: Callable[[Game], Hashable] | None = None,
) -> ExportComparison:
    """Compare scores game by game. Only deals that both played count.

    ``unit`` is a score's in points.

    ``deal_of`` tells which deal a game was of, where the games of one deal share its luck: they
    are compared together then. Deals of which not all games are common are left out.
    """
    deals = _by_deal([game for game in a if game in b], deal_of)
    size = max(map(len, deals.values()), default=1)
    whole = [games for games in deals.values() if len(games) == size]
    ours = [sum(a[game] for game in games) for games in whole]
    theirs = [sum(b[game] for game in games) for games in whole]
    difference = paired_difference(ours, theirs, scale=size / unit)
    error = difference.standard_error
    sd = None if error is None else error * len(whole) ** 0.5
    return ExportComparison(
        difference=difference,
        better=_better(difference, lower_is_better=lower_is_better),
        sd=sd,
        correlation=_correlation(ours, theirs),
        saving=_saving(ours, theirs, None if sd is None else size * sd / unit),
        left_out=len(_by_deal(a.keys() | b.keys(), deal_of)) - len(whole),
    )


def _by_deal(
    games: Iterable[Game], deal_of: Callable[[Game], Hashable] | None
) -> dict[Hashable, list[Game]]:
    deals: dict[Hashable, list[Game]] = {}
    for game in games:
        deals.setdefault(game if deal_of is None else deal_of(game), []).append(game)
    return deals


def games_for_half_width(sd: float, half_width: float) -> int:
    """Return common deals after which the difference is known to ± ``half_width``.

    The smallest n with t(n - 1) · sd / sqrt(n) <= half_width, at most 10⁹; ``sd`` is of one
    difference. Raises ValueError for a half width that is not positive.
    """
    if half_width <= 0:
        raise ValueError("a half width must be positive")
    if sd == _ZERO:
        return 2
    if sd / half_width > _MAX_GAMES**0.5:
        return _MAX_GAMES
    games = max(2, ceil((_z(CONFIDENCE) * sd / half_width) ** 2))
    while t_quantile(games - 1) * sd > half_width * games**0.5:
        games += max(1, games // 1000)
    return games


def games_to_detect(sd: float, difference: float) -> int:
    """Return the common deals needed to detect a true difference with probability ``POWER``.

    n = ((z(0.975) + z(0.8)) · sd / difference)², the sample size of the paired z test. Raises
    ValueError for no difference at all.
    """
    if difference == _ZERO:
        raise ValueError("no number of games tells equal agents apart")
    z = _z(CONFIDENCE) + NormalDist().inv_cdf(POWER)
    return min(_MAX_GAMES, max(2, ceil((z * sd / difference) ** 2)))


def sentence(comparison: ExportComparison, *, a: str, b: str) -> str:
    """``v7 is +0.42 ± 0.11 over v6 on 1,000 common deals: better.``, for the command line.

    It names the better one, because where fewest points win a positive difference is worse.
    """
    difference = comparison.difference
    if difference.mean is None:
        return f"{a} and {b} have no deals in common."
    deals = f"{difference.n:,} common deal{'' if difference.n == 1 else 's'}"
    if difference.ties == difference.n:
        return f"{a} and {b} scored the same on {deals}."
    if difference.high is None:
        return f"{a} is {difference.mean:+.2f} over {b} on {deals}: too few for an interval."
    reach = difference.high - difference.mean
    text = f"{a} is {difference.mean:+.2f} ± {reach:.2f} over {b} on {deals}"
    words = {True: "better", False: "worse", None: "that may be chance"}
    return f"{text}: {words[comparison.better]}."


def _better(difference: PairedDifference, *, lower_is_better: bool) -> bool | None:
    if difference.low is None or difference.high is None:
        return None
    if difference.low <= 0 <= difference.high:
        return None
    if difference.low == difference.high and difference.sign_p > 1 - CONFIDENCE:
        return None  # so few differences are equal by chance
    return (difference.low > 0) is not lower_is_better


def _correlation(ours: list[int], theirs: list[int]) -> float | None:
    try:
        return correlation(ours, theirs)
    except StatisticsError:
        return None


def _saving(ours: list[int], theirs: list[int], sd: float | None) -> float | None:
    """Return (var a + var b) / var (a - b): independent means vary that much more."""
    if sd is None:
        return None
    separate = _variance(ours) + _variance(theirs)
    return separate / sd**2 if separate and sd else None


def _variance(scores: list[int]) -> float:
    n, total = len(scores), sum(scores)
    return (n * sum(score * score for score in scores) - total * total) / (n * (n - 1))


@lru_cache(maxsize=8)
def _z(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)
