"""Differential test: Hanabi's ``standard`` variant against OpenSpiel's, move by move."""

from collections import Counter
from random import Random

import pytest

from grader.games import State
from grader.games.hanabi import DECK, Ending, Hanabi
from tests.grader.games import openspiel

CLUMSINESS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0)
"""How often a game's players act at random; else they cheat by looking at their own cards."""


def choose(state: State, hanabi: Hanabi, clumsiness: float, rng: Random) -> str:
    legal = state.legal_actions()
    if rng.random() >= clumsiness:
        seen = state.observe((state.seat_to_act + 1) % hanabi.seats)
        tops, cards = seen["fireworks"], seen["hands"][state.seat_to_act]["cards"]
        for action in legal:
            if action["type"] == "play" and tops[cards[action["card"]][0]] + 1 == int(
                cards[action["card"]][1]
            ):
                return hanabi.notate(action)
        useless = [
            action
            for action in legal
            if action["type"] == "discard"
            and tops[cards[action["card"]][0]] >= int(cards[action["card"]][1])
        ]
        careful = [action for action in legal if action["type"] != "play"]
        return hanabi.notate(rng.choice(useless or careful or legal))
    return hanabi.notate(rng.choice(legal))


def play_both(players: int, number: int) -> State:
    rng = Random(f"oracle {players} {number}")
    deck = rng.sample(DECK, len(DECK))
    clumsiness = CLUMSINESS[number % len(CLUMSINESS)]
    hanabi = Hanabi.from_options({"players": players})
    ours, oracle = hanabi.start(deck), openspiel.Oracle(players, deck)
    while ours.seat_to_act is not None:
        assert openspiel.table(ours, players) == oracle.table()
        assert {hanabi.notate(action) for action in ours.legal_actions()} == oracle.legal()
        assert ours.seat_to_act == oracle.seat
        assert not oracle.over
        notation = choose(ours, hanabi, clumsiness, rng)
        ours.apply(hanabi.parse(notation))
        oracle.apply(notation)
    assert oracle.over
    assert openspiel.table(ours, players) == oracle.table()
    assert ours.scores() == (oracle.score,) * players
    return ours


def play_many(players: int, games: int) -> None:
    endings = Counter(play_both(players, number).ending for number in range(games))
    assert set(endings) == set(Ending), f"some ending never occurred: {endings}"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_agrees_with_openspiel_move_by_move(players):
    play_many(players, games=125)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_agrees_with_openspiel_in_ten_thousand_games(players):
    play_many(players, games=2500)
