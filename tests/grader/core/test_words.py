"""Numbers in sentences."""

import pytest

from grader.core.words import counted, percent, share
from tests.support.every import every


@pytest.mark.parametrize(("count", "words"), [(0, "0 games"), (1, "1 game"), (1000, "1,000 games")])
def test_only_a_count_of_one_is_singular(count: int, words: str) -> None:
    assert counted(count, "game") == words


@pytest.mark.parametrize(("count", "words"), [(1, "1 person"), (2, "2 people")])
def test_a_plural_may_be_irregular(count: int, words: str) -> None:
    assert counted(count, "person", "people") == words


@every(
    ("part", "whole", "words"),
    [
        (0, 1000, "0 of 1,000 (0%)"),
        (3, 1000, "3 of 1,000 (0.3%)"),
        (1, 3, "1 of 3 (33.3%)"),
        (20, 20, "20 of 20 (100%)"),
        (1, 100_000, "1 of 100,000 (< 0.1%)"),
        (99_999, 100_000, "99,999 of 100,000 (> 99.9%)"),
        (0, 0, "0 of 0"),
    ],
)
def test_a_share_is_rounded_but_never_to_none_or_all(part: int, whole: int, words: str) -> None:
    assert share(part, whole) == words


def test_a_percentage_of_nothing_is_a_dash() -> None:
    assert percent(0, 0) == "–"
