"""Elo's rating as pairwise results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.results.ratings.elo import START, elo_ratings


def test_the_lowest_total_wins_only_where_fewest_points_do() -> None:
    ratings = elo_ratings([((0, 1, 2, 3), (10, 20, 30, 40))], lower_is_better=True)
    assert [ratings[number] - START for number in range(4)] == pytest.approx(
        [16, 16 / 3, -16 / 3, -16]
    )
    game = [((0, 1), (10, 20))]
    assert elo_ratings(game, lower_is_better=True)[0] > START
    assert elo_ratings(game, lower_is_better=False)[0] < START


def test_ties_of_equals_and_seats_of_one_agent_change_nothing() -> None:
    assert elo_ratings([((0, 1), (5, 5))], lower_is_better=False) == {0: START, 1: START}
    assert elo_ratings([((4, 4), (1, 9))], lower_is_better=True) == {4: START}


def test_expected_results_follow_the_difference() -> None:
    """400 points more: expected to win 10 of 11."""
    ratings = elo_ratings([((0, 1), (1, 0))] * 500, lower_is_better=False)
    before = ratings[0] - ratings[1]
    gain = 32 / (1 + 10 ** (before / 400))
    after = elo_ratings([((0, 1), (1, 0))] * 501, lower_is_better=False)
    assert after[0] - ratings[0] == pytest.approx(gain)


@given(
    st.lists(
        st.tuples(st.permutations(range(6)), st.lists(st.integers(0, 26), min_size=4, max_size=4)),
        max_size=20,
    )
)
def test_points_are_only_exchanged(games: list[tuple[list[int], list[int]]]) -> None:
    ratings = elo_ratings([(order[:4], scores) for order, scores in games], lower_is_better=True)
    assert sum(ratings.values()) == pytest.approx(START * len(ratings))
