"""Defaults of an assignment, by its game."""

from collections.abc import Sequence
from decimal import ROUND_FLOOR, Decimal
from math import ceil, floor
from typing import Final

from grader.core.games import Game
from grader.core.games.outcomes import counts_wins, point_range
from grader.house.catalogue import fitting
from grader.results.grading_scheme import Beaten, GradingScheme

_POINTS: Final = 100
_FULL_MEAN: Final = 15
_CENT: Final = Decimal("0.01")
_STEPS: Final = 10_000
"""Steps of a point in which the form takes a mean."""


def default_opponents(game: Game) -> list[str]:
    """All house agents for these rules that are quick, weakest first; none where all play
    together."""
    known = fitting(game) if game.competitive else {}
    return [name for name, agent in known.items() if agent.is_quick]


def default_scheme(game: Game, opponents: Sequence[str]) -> GradingScheme:
    """Full credit at a mean of 15, or at the best score of a game that has no 15; one point more
    for every full point above it.

    Where there are opponents: as much for each of them that is beaten, which is to win no fewer
    games than each of its copies does; where two play, to win more. Where seats win points from one
    another, as in poker: full credit at a mean above 0, for who wins more games may lose more.
    """
    if not opponents:
        low, high = point_range(game)
        if game.lower_is_better:
            return GradingScheme(full_mean=Decimal(max(_FULL_MEAN, ceil(low))), fewest_wins=True)
        most = Decimal(floor(high)) if high >= 1 else Decimal(floor(100 * high)) / 100
        return GradingScheme(full_mean=min(Decimal(_FULL_MEAN), most), bonus_points=Decimal(1))
    if _has_stakes(game):
        return GradingScheme(full_mean=_above_even(game), fewest_wins=game.lower_is_better)
    won = (1 / Decimal(game.seats)).quantize(_CENT, ROUND_FLOOR)
    points = [_POINTS // len(opponents)] * len(opponents)
    points[-1] += _POINTS - sum(points)  # the strongest makes up for what does not divide evenly
    return GradingScheme(
        full_mean=None,
        fewest_wins=game.lower_is_better,
        beaten=tuple(
            Beaten(opponent=name, won=won, points=Decimal(share))
            for name, share in zip(opponents, points, strict=True)
        ),
    )


def _has_stakes(game: Game) -> bool:
    low, high = point_range(game)
    return low < 0 < high and not counts_wins(game)


def _above_even(game: Game) -> Decimal:
    """A hundredth of the best score: more than copies of one agent win from each other."""
    low, high = point_range(game)
    if game.lower_is_better:
        return Decimal(floor(low * _STEPS / 100)) / _STEPS
    return Decimal(ceil(high * _STEPS / 100)) / _STEPS
