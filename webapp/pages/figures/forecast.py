"""A mean's worth in points, as sentences: the forecast by practice, the step to the next point."""

from decimal import Decimal
from typing import Final

from grader.core.games import Game
from grader.results.grading_scheme import GradingScheme
from webapp.grading.evaluations.models import Evaluation, Kind

_STEP: Final = Decimal("0.01")
_NEAR: Final = 50
"""Steps of the mean within which the next point is worth a word."""


def points_words(run: Evaluation, game: Game) -> str:
    """Return what an evaluation's mean is worth, or is short of; empty where points say nothing.

    Practice is a forecast: the interval says how sure it is.
    """
    scheme = run.assignment.scheme
    if run.mean is None or not points_at(run, run.mean):
        return ""
    sign = -1 if game.lower_is_better else 1
    if run.kind == Kind.GRADED:
        return _short_of(scheme, run.mean, sign)
    ends = [run.mean if end is None else end for end in (run.low, run.high)]
    return _forecast(scheme.points(run.mean), sorted(scheme.points(end) for end in ends))


def points_at(run: Evaluation, mean: float) -> str:
    """Return the points of an evaluation with this mean; empty where points say nothing."""
    scheme = run.assignment.scheme
    if run.opponents or run.kind == Kind.SMOKE or scheme.full_mean is None:
        return ""
    return f"{_plain(scheme.points(mean))} points"


def _forecast(points: Decimal, ends: list[Decimal]) -> str:
    least, most = ends
    if least == most:
        return f"Forecast: {_plain(points)} points"
    if max(points - least, most - points) <= 1:
        return f"Forecast: {_plain(points)} points, give or take one"
    return f"Forecast: {_plain(points)} points, between {_plain(least)} and {_plain(most)}"


def _short_of(scheme: GradingScheme, mean: float, sign: int) -> str:
    points = scheme.points(mean)
    for step in range(1, _NEAR):
        better = scheme.points(Decimal(str(mean)) + sign * step * _STEP)  # exactly
        if better > points:
            return f"{step * _STEP:.2f} short of {_plain(better)}"
    return ""


def _plain(points: Decimal) -> str:
    return f"{points.normalize():f}"
