"""The value of a mean, in words."""

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from grader.core.games import game_from_options
from grader.results.grading_scheme import GradingScheme
from webapp.grading.evaluations.models import Kind
from webapp.pages.figures.forecast import points_words

GAME = game_from_options("hanabi", {})
SCHEME = GradingScheme(full_mean=Decimal(15), full_points=Decimal(100), bonus_points=Decimal(1))


def words(
    mean: float | None, low: float | None = None, high: float | None = None, **more: Any
) -> str:
    values = {"kind": Kind.PRACTICE, "opponents": ()} | more
    run: Any = SimpleNamespace(
        mean=mean, low=low, high=high, assignment=SimpleNamespace(scheme=SCHEME), **values
    )
    return points_words(run, GAME)


@pytest.mark.parametrize(
    ("interval", "said"),
    [
        ((17.5, 17.2, 17.8), "Forecast: 102 points"),
        ((17.9, 17.5, 18.3), "Forecast: 102 points, give or take one"),
        ((17.9, 15.5, 20.3), "Forecast: 102 points, between 100 and 105"),
        ((17.5, None, None), "Forecast: 102 points"),
    ],
)
def test_practice_is_a_forecast_as_sure_as_its_interval(
    interval: tuple[float, float | None, float | None], said: str
) -> None:
    assert words(*interval) == said


def test_a_graded_mean_says_how_little_is_missing() -> None:
    assert words(17.95, kind=Kind.GRADED) == "0.05 short of 103"
    assert words(17.2, kind=Kind.GRADED) == ""


def test_there_is_no_text_where_points_mean_nothing() -> None:
    assert words(None) == words(17.5, kind=Kind.SMOKE) == words(17.5, opponents=("iggi",)) == ""
