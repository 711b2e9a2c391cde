"""The rules that agents of an interface can play by, and those that an assignment cannot have."""

from typing import Any

import pytest

from firebox_games.gomoku import Gomoku
from grader.core.games import game_from_options
from grader.interfaces import interface_named, unfit
from grader.interfaces.cs221_python.firebox_cs221 import seat
from tests.support.every import every
from tests.support.interfaces import GAME_OF


def complaint(interface: str, **options: Any) -> str:
    found = interface_named(interface)
    options = {"variant": found.rules.variant or "standard", "players": 2, **options}
    return unfit(found, game_from_options(found.rules.game or "hanabi", options))


@every("interface", GAME_OF)
def test_agents_play_by_the_rules_of_their_course(interface: str) -> None:
    assert complaint(interface) == ""


def test_agents_play_games_and_numbers_of_players_that_they_were_written_for() -> None:
    assert "Hanabi declares no lines for such programs." in complaint("lines-cpp")
    assert not unfit(interface_named("lines-cpp"), Gomoku())
    hearts = game_from_options("hearts", {"players": 2})
    assert "its agents play hanabi, not hearts" in unfit(interface_named("gcc-cpp"), hearts)
    assert unfit(interface_named("python"), hearts) == ""
    with pytest.raises(ValueError, match="players"):
        complaint("gcc-cpp", players=3)
    three = game_from_options("hanabi", {"players": 3})
    assert "a game has 2 players, not 3" in unfit(interface_named("gcc-cpp"), three)


@every(
    ("interface", "options"),
    [
        ("uwa-java", {"lives": 5}),
        ("uwa-java", {"five_returns_token": False}),
        ("uwa-java", {"discard_at_max": "allowed"}),
        ("uwa-java", {"draw_position": "end"}),
        ("uwa-java", {"hint_tokens": 7}),
        ("gcc-cpp", {"hand_size": 4}),
        ("gcc-cpp", {"draw_position": "slot"}),
        ("ensta-python", {"hint_tokens": 7}),
        ("cs221-python", {"five_returns_token": True}),
        ("cs221-python", {"discard_at_max": "illegal"}),
        ("cs221-python", {"empty_hints": True}),
        ("cs221-python", {"misplay": "strike", "lives": 3}),
        ("fit2102-haskell", {"passing": "cycle"}),
        ("fit2102-haskell", {"bleeding": "lenient"}),
        ("fit2102-haskell", {"queen_breaks": True}),
    ],
)
def test_rules_that_their_types_have_built_in_are_refused(
    interface: str, options: dict[str, Any]
) -> None:
    (name,) = options.keys() - {"lives"} or options.keys()
    assert f"{name} is {options[name]}" in complaint(interface, **options)


@every(
    ("interface", "options"),
    [
        ("uwa-java", {"empty_hints": False, "strikeout_score": "keep", "players": 5}),
        ("gcc-cpp", {"lives": 5, "swaps": False, "discard_at_max": "illegal"}),
        ("ensta-python", {"empty_hints": True, "strikeout_score": "keep"}),
        ("cs221-python", {"hand_size": 5, "hint_tokens": 8}),
        ("fit2102-haskell", {"moon": "self", "hands": 3, "players": 4}),
    ],
)
def test_options_that_agents_are_told_can_be_changed(
    interface: str, options: dict[str, Any]
) -> None:
    assert complaint(interface, **options) == ""


def test_an_assignment_cannot_ask_for_options_that_the_simulator_refuses() -> None:
    assert set(seat.RULES) == set(interface_named("cs221-python").rules.fixed_options)
