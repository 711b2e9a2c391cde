"""The games whose output is kept."""

from grader.results.prints import LOWEST_GAMES, LowestGames


def test_the_first_games_are_all_among_the_lowest() -> None:
    lowest = LowestGames(lower_is_better=False)
    assert all(lowest.add(score) for score in range(LOWEST_GAMES))


def test_later_games_are_among_the_lowest_only_with_a_lower_score() -> None:
    lowest = LowestGames(lower_is_better=False)
    for _ in range(LOWEST_GAMES):
        lowest.add(15)
    assert not lowest.add(16)
    assert not lowest.add(15)
    assert lowest.add(14)


def test_the_highest_scores_are_the_worst_where_few_points_win() -> None:
    lowest = LowestGames(lower_is_better=True)
    for _ in range(LOWEST_GAMES):
        lowest.add(15)
    assert lowest.add(16)
    assert not lowest.add(14)
