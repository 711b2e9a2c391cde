"""The measurement of the house agents for Hearts, and the guide's figures from it."""

import json
from importlib import resources

import pytest

from grader import house
from grader.core.games import game_from_options
from tests.bench.hearts import games_of, measure_cell, pairs

PLAYERS = (2, 4)
MEASURED = resources.files(house.family("hearts").package) / "measured.json"
NAMES = list(house.family("hearts").names)
RUNGS = list(zip(NAMES[1:], NAMES, strict=False))
"""Each agent with the next weaker one."""


@pytest.mark.parametrize("players", PLAYERS)
def test_measuring_a_cell_again_gives_the_same_result(players: int) -> None:
    game = game_from_options("hearts", {"players": players, "hands": 1})
    first = measure_cell(game, "careful", "low_card", 4 * players)
    assert first == measure_cell(game, "careful", "low_card", 4 * players)
    assert first.games == 4 * players
    assert 0 <= first.won <= 1


@pytest.mark.slow
def test_points_are_those_of_a_hand_not_of_a_game() -> None:
    rules = {"players": 2, "passing": "none", "moon": "self"}
    long = measure_cell(
        game_from_options("hearts", {**rules, "hands": 4}), "low_card", "careful", 40
    )
    assert 8 < long.points < 18


def test_slow_agents_play_fewer_games_but_whole_deals() -> None:
    assert games_of(1000, 4, "guarded", "careful") == 1000
    assert games_of(1000, 4, "sampling", "guarded") == 76
    assert games_of(1000, 4, "guarded", "sampling") == 24
    assert games_of(1000, 2, "guarded", "sampling") == 142
    assert games_of(1, 4, "guarded", "sampling") == 8


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
