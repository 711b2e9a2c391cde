"""Python's library and the course's module, as agents of the course's years used them."""

import pytest

from grader.interfaces.ensta_python.hanabi import Game
from grader.interfaces.ensta_python.hanabi.ai import Cheater
from tests.grader.interfaces.ensta.playing import play_one, robot


@pytest.mark.slow
@pytest.mark.parametrize(
    ("imported", "called"),
    [
        ("import time", "assert time.clock() <= time.clock()"),
        ("import random", "random.sample({1, 2}, 1)"),
        ("from collections import Iterable", "assert isinstance([], Iterable)"),
    ],
)
def test_functions_that_python_had_in_the_courses_years_are_there(
    imported: str, called: str
) -> None:
    result = play_one(robot(called, top=f"{imported}\nimport hanabi"))
    assert result.record.fault is None, result.evidence


def test_the_courses_example_can_be_imported() -> None:
    result = play_one(
        robot("assert Cheater", top="from hanabi.ai import AI, Cheater\nimport hanabi")
    )
    assert result.record.fault is None, result.evidence


def test_the_courses_example_cannot_play() -> None:
    with pytest.raises(NotImplementedError, match="Cheater has no method play"):
        Cheater(Game(2)).play()
