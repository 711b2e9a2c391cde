"""A figure beside a threshold of its own scheme is never shown on the side that it missed."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from grader.results.grading_scheme import Beaten, GradingScheme, Threshold
from tests.support.every import every


def scheme(*steps: str, full: str = "15", bonus: int = 1, lower: bool = False) -> GradingScheme:
    thresholds = (Threshold(mean=Decimal(mean), points=Decimal(50)) for mean in steps)
    return GradingScheme(
        full_mean=Decimal(full),
        bonus_points=Decimal(bonus),
        thresholds=tuple(thresholds),
        fewest_wins=lower,
    )


@every(
    ("mean", "words"),
    [
        (14.996, "14.996"),
        (14.99996, "14.99996"),
        (15.0, "15.00"),
        (15.004, "15.004"),
        (15.996, "15.996"),
        (12.3456, "12.35"),
        (9.999, "9.999"),
        (18.25, "18.25"),
    ],
)
def test_a_mean_has_the_decimals_that_tell_it_from_a_threshold(mean: float, words: str) -> None:
    assert scheme("10").mean_in_words(mean) == words


def test_a_threshold_with_more_decimals_is_told_apart_too() -> None:
    assert scheme(full="14.1275").mean_in_words(14.12749) == "14.127"
    assert scheme(full="14.1275").mean_in_words(14.1275) == "14.1275"


def test_where_few_points_win_a_mean_is_told_apart_from_below() -> None:
    few = scheme(full="5", lower=True)
    assert (few.mean_in_words(5.004), few.mean_in_words(3.996)) == ("5.004", "3.996")


def test_a_share_is_told_apart_from_what_beats_an_opponent() -> None:
    beaten = Beaten(opponent="x", won=Decimal("0.25"), points=Decimal(10))
    won = GradingScheme(full_mean=None, beaten=(beaten,))
    assert [won.share_in_words(share) for share in (0.2499, 0.25, 0.5)] == [
        "24.99%",
        "25.0%",
        "50.0%",
    ]


DECIMALS = st.decimals(0, 25, places=3)


@given(
    mean=st.floats(0, 25) | DECIMALS.map(float),
    full=DECIMALS.filter(lambda full: full > 10),
    step=st.decimals(0, 10, places=3),
    interpolation=st.booleans(),
)
def test_the_figure_that_is_shown_is_worth_the_points_of_the_mean(
    mean: float, full: Decimal, step: Decimal, *, interpolation: bool
) -> None:
    own = scheme(str(step), full=str(full), bonus=int(interpolation))
    shown = own.mean_in_words(mean)
    assert own.points(Decimal(shown)) == own.points(mean)
    assert abs(float(shown) - mean) <= 0.005 + 1e-9
