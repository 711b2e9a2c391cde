"""The practice deals: their first ones are as hard for house agents as others are."""

import numpy as np
import pytest

from grader.core.deals import PRACTICE_KEY, PRACTICE_SECRET, REFERENCE_SECRET
from grader.house import family
from grader.house.measured import ladder
from tests.bench.practice import AGENTS, BOUND, PLAYERS, SIZES, block_order, deviations
from tests.support.depth import deeper

CHEAPEST = ("iggi", "piers")


def test_means_were_measured_on_other_deals() -> None:
    assert ladder("hanabi").secret == REFERENCE_SECRET.hex()
    assert REFERENCE_SECRET not in {PRACTICE_KEY, PRACTICE_SECRET}


def test_every_agent_that_scores_is_looked_at() -> None:
    assert {*AGENTS, "random_legal"} == set(family("hanabi").names)


@pytest.mark.slow
@pytest.mark.parametrize("agent", deeper(CHEAPEST, deep=AGENTS))
@pytest.mark.parametrize("players", PLAYERS)
def test_the_first_practice_deals_are_as_hard_as_others(agent: str, players: int) -> None:
    found = deviations(PRACTICE_SECRET, agent, players, deeper(SIZES[:1], deep=SIZES))
    assert np.abs(found).max() <= BOUND


@pytest.mark.slow
def test_other_deals_may_be_easier() -> None:
    assert deviations(REFERENCE_SECRET, "iggi", 2, [100])[0] > 1


@pytest.mark.slow
def test_an_order_of_blocks_has_means_near_the_known_ones() -> None:
    blocks = 2 * np.random.default_rng(7).normal(size=(140, 3))
    order = list(block_order(blocks))
    means = np.cumsum(blocks[order], axis=0) / np.sqrt(4 * np.arange(1, 126))[:, None]
    assert len(set(order)) == len(order) == 125
    assert np.abs(means[[24, 49, 124]]).max() < BOUND
