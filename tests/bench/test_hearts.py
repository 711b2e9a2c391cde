"""The measurement of the house agents for Hearts, and the guide's figures from it."""

import json
from importlib import resources

import pytest

from grader import house
from grader.core.games import game_from_options
from tests.bench.hearts import measure_cell, pairs

PLAYERS = (2, 4)
MEASURED = resources.files(house.family("hearts").package) / "measured.json"
NAMES = list(house.family("hearts").names)
RUNGS = list(zip(NAMES[1:], NAMES, strict=False))
"""Each agent with the next weaker one."""


@pytest.mark.slow
def test_points_are_those_of_a_hand_not_of_a_game() -> None:
    rules = {"players": 2, "passing": "none", "moon": "self"}
    long = measure_cell(
        game_from_options("hearts", {**rules, "hands": 4}), "low_card", "careful", 40
    )
    assert 8 < long.points < 18


def test_the_guides_figures_are_of_these_agents() -> None:
    report = json.loads(MEASURED.read_text(encoding="utf-8"))
    assert [grid["players"] for grid in report["grids"]] == list(PLAYERS)
    for grid in report["grids"]:
        assert [(cell["agent"], cell["others"]) for cell in grid["cells"]] == list(pairs())


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(("strong", "weak"), RUNGS)
def test_each_rung_of_the_ladder_was_measured_to_be_clear(
    strong: str, weak: str, players: int
) -> None:
    """At least half a point a hand below what is even, and more games won, beyond doubt."""
    report = json.loads(MEASURED.read_text(encoding="utf-8"))
    (grid,) = [each for each in report["grids"] if each["players"] == players]
    (cell,) = [each for each in grid["cells"] if (each["agent"], each["others"]) == (strong, weak)]
    assert cell["points"] <= 26 / players - 0.5
    assert cell["points"] + cell["points_half_width"] < 26 / players
    assert cell["won"] - cell["won_half_width"] > 1 / players
