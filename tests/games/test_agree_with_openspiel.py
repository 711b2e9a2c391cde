"""Differential tests: the games of ``firebox_games`` against OpenSpiel's, move by move."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import pyspiel
import pytest

from firebox_games.connect_four import ConnectFour
from firebox_games.gomoku import Gomoku
from firebox_games.goofspiel import Goofspiel
from firebox_games.leduc_poker import RANKS, LeducPoker
from firebox_games.othello import Othello
from firebox_games.pig import Pig
from grader.core.deals import deal_seed
from grader.core.games import Game, JsonObject, State
from grader.core.games.openings import GameWithOpenings
from tests.support.depth import deeper


class Oracle(NamedTuple):
    game: Game
    theirs: str
    """The game for OpenSpiel, with its parameters."""
    number: Callable[[JsonObject], int]
    """The number that OpenSpiel gives an action."""
    returns: Callable[[State], list[float]]
    """What OpenSpiel pays in one of our final states."""
    drawn: Callable[[Any, Any], int] | None = None
    """Given OpenSpiel's state at a chance node, and ours: the number of what was drawn."""


def lead(state: State) -> list[float]:
    """+1 for the winner, -1 for the loser, and 0 for a draw."""
    one, other = state.scores()
    won = (one > other) - (one < other)
    return [won, -won]


def card_of(theirs: Any, ours: Any) -> int:
    """The next card: hands by seat, then the card in the middle. A rank has two suits."""
    card = [*ours.hands, ours.middle][min(len(theirs.history()), 2)]
    rank = RANKS.index(card)
    return next(number for number, _ in theirs.chance_outcomes() if number // 2 == rank)


ORACLES = {
    oracle.game.name: oracle
    for oracle in (
        Oracle(ConnectFour(), "connect_four", lambda action: action["column"], lead),
        Oracle(
            Othello(),
            "othello",
            lambda action: 64 if action["type"] == "pass" else action["y"] * 8 + action["x"],
            lead,
        ),
        Oracle(Gomoku(), "gomoku", lambda action: action["y"] * 15 + action["x"], lead),
        Oracle(
            LeducPoker(),
            "leduc_poker",
            lambda action: ["fold", "call", "raise"].index(action["type"]),
            lambda state: list(map(float, state.scores())),
            card_of,
        ),
        Oracle(
            Goofspiel(),
            "goofspiel(returns_type=total_points)",
            lambda action: action["card"] - 1,
            lambda state: list(map(float, state.scores())),
            lambda _, ours: ours.shown_prizes[-1] - 1,
        ),
        Oracle(
            Pig(),
            "pig",
            lambda action: ["roll", "hold"].index(action["type"]),
            lead,
            lambda _, ours: ours.told[-1]["number"] - 1,
        ),
    )
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ORACLES)
def test_agrees_with_openspiel_move_by_move(name: str) -> None:
    oracle = ORACLES[name]
    for number in range(deeper(40, deep=10_000)):
        play_both(oracle, Random(f"{name} {number}"), number)  # noqa: S311 - repeatable test data


def play_both(oracle: Oracle, rng: Random, number: int) -> None:
    game, theirs = oracle.game, pyspiel.load_game(oracle.theirs).new_initial_state()
    seed = deal_seed(b"played by two engines".ljust(32), number)
    ours = game.start() if isinstance(game, GameWithOpenings) else game.deal(seed)
    draw(oracle, theirs, ours)
    while not theirs.is_terminal():
        acting = ours.acting()
        chosen = [rng.choice(ours.legal_for(seat)) for seat in acting]
        for seat, action in zip(acting, chosen, strict=True):
            legal = {oracle.number(each) for each in ours.legal_for(seat)}
            assert legal == set(theirs.legal_actions(seat))
            ours.apply(action)
        numbers = [oracle.number(action) for action in chosen]
        if theirs.is_simultaneous_node():
            theirs.apply_actions(numbers)
        else:
            assert [theirs.current_player()] == list(acting)
            theirs.apply_action(*numbers)
        draw(oracle, theirs, ours)
    while ours.acting():
        # OpenSpiel does not ask for the last card of Goofspiel's hands.
        (forced,) = ours.legal_actions()
        ours.apply(forced)
    assert theirs.returns() == oracle.returns(ours)


def draw(oracle: Oracle, theirs: Any, ours: State) -> None:
    while theirs.is_chance_node():
        assert oracle.drawn is not None
        theirs.apply_action(oracle.drawn(theirs, ours))
