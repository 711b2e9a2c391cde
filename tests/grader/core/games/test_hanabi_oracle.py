"""Differential test: Hanabi's ``standard`` variant against OpenSpiel's, move by move."""

from collections import Counter
from random import Random

import pytest

from grader.core.games import State
from grader.core.games.hanabi import DECK, Hanabi, HanabiEnding
from tests.grader.core.games import openspiel
from tests.grader.core.games.policies import cheating
from tests.support.depth import deeper

CLUMSINESS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0)
"""One for each game in turn, so that all endings occur; a test asserts that they do."""


def play_both(players: int, number: int) -> State:
    """Play one game in both engines; every difference is an AssertionError."""
    rng = Random(f"oracle {players} {number}")  # noqa: S311 - repeatable test data
    deck = rng.sample(DECK, len(DECK))
    policy = cheating(CLUMSINESS[number % len(CLUMSINESS)])
    hanabi = Hanabi.from_options({"players": players})
    ours, oracle = hanabi.start(deck), openspiel.Oracle(players, deck)
    while ours.seat_to_act is not None:
        assert openspiel.table(ours, players) == oracle.table()
        assert {hanabi.notate(action) for action in ours.legal_actions()} == oracle.legal()
        assert ours.seat_to_act == oracle.seat
        assert not oracle.over
        action = policy(ours, rng)
        ours.apply(action)
        oracle.apply(hanabi.notate(action))
    assert oracle.over
    assert openspiel.table(ours, players) == oracle.table()
    assert ours.scores() == (oracle.score,) * players
    return ours


def play_many(players: int, games: int) -> None:
    endings = Counter(play_both(players, number).ending for number in range(games))
    assert set(endings) == set(HanabiEnding), f"some ending never occurred: {endings}"


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_agrees_with_openspiel_in_many_games(players):
    play_many(players, games=deeper(400, deep=2500))
