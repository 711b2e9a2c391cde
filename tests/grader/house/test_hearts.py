"""The house agents for Hearts: that each beats the weaker ones, and their bundles."""

import statistics

import pytest

from grader import house
from grader.core.games import Game, game_from_options
from tests.grader.house.table import play
from tests.support.depth import deeper


def short(players: int, hands: int = 1) -> Game:
    return game_from_options("hearts", {"players": players, "hands": hands})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("weak", "strong", "players", "deals"),
    [
        ("low_card", "careful", 2, deeper(40, deep=120)),
        ("careful", "guarded", 2, deeper(15, deep=25)),
        ("guarded", "sampling", 2, deeper(50, deep=100)),
        ("low_card", "careful", 4, deeper(10, deep=20)),
        ("careful", "guarded", 4, deeper(12, deep=60)),
        ("guarded", "sampling", 4, deeper(4, deep=20)),
    ],
)
def test_a_stronger_agent_takes_fewer_points_with_the_same_hands(
    weak: str, strong: str, players: int, deals: int
) -> None:
    agent, others = house.agent(f"hearts/{strong}"), [house.agent(f"hearts/{weak}")] * (players - 1)
    game = short(players)
    taken = [
        play(game, [*others[:seat], agent, *others[seat:]], deal).scores[seat]
        for deal in range(deals)
        for seat in range(players)
    ]
    assert statistics.fmean(taken) < 26 / players - 0.5


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name == "sampling" else name
        for name in house.family("hearts").names
    ],
)
@pytest.mark.parametrize(
    "rules",
    [
        {"players": 3, "hands": 2},
        {"players": 4, "hands": 1, "moon": "self", "bleeding": "lenient"},
        {"players": 4, "hands": 1, "variant": "fit2102"},
        {"players": 2, "hands": 2, "queen_breaks": False},
    ],
)
def test_each_agent_plays_by_all_rules_and_repeats_its_moves(
    name: str, rules: dict[str, object]
) -> None:
    game = game_from_options("hearts", rules)
    first = play(game, [house.agent(f"hearts/{name}")] * game.seats, 7)
    assert first == play(game, [house.agent(f"hearts/{name}")] * game.seats, 7)
