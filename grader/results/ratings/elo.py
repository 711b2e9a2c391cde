"""Elo's rating for games of several players, as pairwise results.

Everybody at a table plays, as it were, against each of the n - 1 others at once: 1 for a better
score, ½ for an equal one. With E = 1 / (1 + 10^((R_other - R) / 400)) and K = 32 / (n - 1),
R changes by K · sum(result - E), all at once from the ratings before the game; everybody starts
with 1200. This is the course FIT2102's rule, with the lowest total winning.

Elo depends on the order of the games and forgets the earlier ones: it is shown because courses know
it. Ranks come from means.
"""

from collections.abc import Iterable, Sequence
from typing import Final

START: Final = 1200.0
_MAX_FACTOR: Final = 32.0
_SCALE: Final = 400.0


def elo_ratings(
    games: Iterable[tuple[Sequence[int], Sequence[float]]], *, lower_is_better: bool
) -> dict[int, float]:
    """Return the ratings after these games, each given as its agents and their scores.

    Seats of the same agent do not play against one another.
    """
    ratings: dict[int, float] = {}
    for members, scores in games:
        before = [ratings.setdefault(member, START) for member in members]
        factor = _MAX_FACTOR / (len(members) - 1) if len(members) > 1 else 0.0
        for a, member in enumerate(members):
            for b, other in enumerate(members):
                if member != other:
                    result = _result(scores[a], scores[b], lower_is_better=lower_is_better)
                    ratings[member] += factor * (result - _expected(before[a], before[b]))
    return ratings


def _result(own: float, other: float, *, lower_is_better: bool) -> float:
    if own == other:
        return 0.5
    return float((own < other) is lower_is_better)


def _expected(own: float, other: float) -> float:
    return float(1 / (1 + 10 ** ((other - own) / _SCALE)))
