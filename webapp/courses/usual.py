"""What an assignment has until somebody decides otherwise, by its game."""

from collections.abc import Sequence
from decimal import ROUND_FLOOR, Decimal
from typing import Final

from grader.games import Game
from grader.grading import Beaten, GradingScheme
from grader.house.catalogue import fitting

__all__ = ["usual_opponents", "usual_scheme"]

_POINTS: Final = Decimal(100)
_CENT: Final = Decimal("0.01")


def usual_opponents(game: Game) -> list[str]:
    """All house agents for these rules, weakest first; none where there are no opponents."""
    return list(fitting(game)) if game.competitive else []


def usual_scheme(game: Game, opponents: Sequence[str]) -> GradingScheme:
    """Full credit at a mean of 15, one point more for every full point above it.

    Where there are opponents: as much for each of them that is beaten, which is to win no fewer
    games than each of its copies does.
    """
    if not opponents:
        full = GradingScheme(full_mean=Decimal(15), bonus_points=Decimal(1))
        return (
            full if not game.fewest_wins else GradingScheme(full_mean=Decimal(15), fewest_wins=True)
        )
    won = (1 / Decimal(game.seats)).quantize(_CENT, ROUND_FLOOR)
    points = (_POINTS / len(opponents)).quantize(_CENT, ROUND_FLOOR)
    return GradingScheme(
        full_mean=None,
        fewest_wins=game.fewest_wins,
        beaten=tuple(Beaten(opponent=name, won=won, points=points) for name in opponents),
    )
