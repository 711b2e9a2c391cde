"""The practice deals: their first ones are as hard for house agents as others are."""

import pytest

from grader.bench.practice import AGENTS, BOUNDS, Bound, deviation, main, misses, numbered_secret
from grader.core.deals import PRACTICE_SECRET, REFERENCE_SECRET
from grader.house import NAMES
from tests.support.depth import deeper

CHEAPEST = ("iggi", "piers")
NUMBER = 2741
"""Of the practice secret."""


def test_the_practice_secret_is_that_of_its_number() -> None:
    assert numbered_secret(NUMBER) == PRACTICE_SECRET


def test_means_were_measured_on_other_deals() -> None:
    assert REFERENCE_SECRET != PRACTICE_SECRET


def test_every_agent_that_scores_is_looked_at() -> None:
    assert {*AGENTS, "random_legal"} == set(NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("agent", deeper(CHEAPEST, deep=AGENTS))
@pytest.mark.parametrize("bound", deeper(BOUNDS[:1], deep=BOUNDS), ids=str)
def test_the_first_practice_deals_are_as_hard_as_others(agent: str, bound: Bound) -> None:
    found = deviation(PRACTICE_SECRET, agent, bound.players, bound.games)
    assert abs(found) <= bound.standard_errors


@pytest.mark.slow
def test_deals_that_are_too_easy_are_refused_at_the_first_agent() -> None:
    assert next(misses(REFERENCE_SECRET)).startswith("iggi, 2 players, 100 deals: +1.")


def test_the_table_shows_how_far_off_an_agent_is(capsys: pytest.CaptureFixture[str]) -> None:
    main(["iggi", "--games", "5"])
    assert capsys.readouterr().out.count("iggi") == 4
