"""What scores say: wins, draws and losses, or points of a unit."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from grader.core.games import game_from_options
from grader.core.games.base import ResultKind
from grader.core.games.outcomes import Tally, decided, result_words, tally_of, value_words
from grader.results.figures import outcome
from grader.results.statistics import estimate, summarise

HEARTS: Any = game_from_options("hearts", {"players": 2})
DUEL: Any = SimpleNamespace(result=ResultKind.WIN_DRAW_LOSS, unit=Fraction(1), seats=2)


@pytest.mark.parametrize(
    ("unit", "score", "words"),
    [
        (Fraction(1), -3, "-3"),
        (Fraction(1, 2), 3, "1.5"),
        (Fraction(1, 2), 4, "2"),
        (Fraction(1, 10), -3, "-0.3"),
        (Fraction(1, 1000), 7, "0.007"),
        (Fraction(1, 240), 247, "247/240"),
        (Fraction(1, 240), -60, "-0.25"),
    ],
)
def test_a_score_is_written_exactly_in_points(unit: Fraction, score: int, words: str) -> None:
    game: Any = SimpleNamespace(result=ResultKind.POINTS, unit=unit)
    assert value_words(game, score) == words
    assert result_words(game, score) == f"{words} points"


def test_means_of_units_have_no_noise_of_floats() -> None:
    scores, unit = [3, 6, 9], Fraction(1, 10)
    assert summarise(scores, unit=unit).mean == 0.6
    assert estimate(scores, scale=3 / unit).mean == 0.2
    assert summarise([1] * 3, unit=unit).mean == 0.1
    assert summarise(scores).low == summarise(scores, unit=Fraction(1)).low


def test_a_draw_is_not_half_a_win() -> None:
    assert [outcome(DUEL, decided(winner), 0).won for winner in (0, None, 1)] == [2, 0, 0]
    assert outcome(HEARTS, (5, 5), 0).won == 1


def test_wins_draws_and_losses_are_counted_where_they_are_what_counts() -> None:
    games = [(-1, 3), (0, 2), (1, 1500)]
    tally = tally_of(DUEL, games)
    assert tally == Tally(wins=1500, draws=2, losses=3)
    assert tally is not None
    assert tally.words == "1,500 won, 2 drawn, 3 lost"
    assert tally_of(HEARTS, games) is None
    assert tally_of(DUEL, [(2, 1)]) is None, "scores of an earlier version"
