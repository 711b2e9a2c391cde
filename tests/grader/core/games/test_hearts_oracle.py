"""Differential test: Hearts against OpenSpiel's, move by move."""

from collections import Counter
from random import Random

import pytest

from grader.core.games import State
from grader.core.games.hearts import CARDS, Hearts
from tests.grader.core.games.openspiel_hearts import Oracle
from tests.support.depth import deeper

RULES = {
    "standard": ({"variant": "standard"}, {"passing": True, "queen_breaks": True}),
    "no passing": ({"passing": "none"}, {"passing": False, "queen_breaks": True}),
    "fit2102": ({"variant": "fit2102"}, {"passing": False, "queen_breaks": False}),
}
"""Ours, and the oracle's."""


def greedy(legal: list[str], rng: Random, hunger: float) -> str:
    """Mostly the highest card, for moons; else any."""
    if rng.random() < hunger:
        return max(legal, key=lambda card: ("23456789TJQKA".index(card[1]), card))
    return rng.choice(legal)


def play_both(rules: str, number: int) -> State:
    """Play one hand in both engines; every difference is an AssertionError."""
    rng = Random(f"hearts oracle {rules} {number}")  # noqa: S311 - repeatable test data
    deck = rng.sample(CARDS, len(CARDS))
    if number % 5 == 0:  # a hand that can take everything
        deck.sort(key=lambda card: -"23456789TJQKA".index(card[1]))
    options, parameters = RULES[rules]
    hearts = Hearts.from_options({**options, "hands": 1})
    ours, oracle = hearts.start([deck]), Oracle(deck, **parameters)
    while ours.seat_to_act is not None:
        legal = [action["card"] for action in ours.legal_actions()]
        assert set(legal) == oracle.legal()
        assert ours.seat_to_act == oracle.seat
        assert not oracle.over
        kind = ours.legal_actions()[0]["type"]
        hungry = number % 5 == 0 and ours.seat_to_act == 0
        card = greedy(legal, rng, 0.97 if hungry and kind == "play" else 0.0)
        ours.apply({"type": kind, "card": card})
        oracle.apply(card)
    assert oracle.over
    assert ours.scores() == oracle.points
    return ours


def play_many(rules: str, games: int) -> None:
    moons = Counter(26 in play_both(rules, number).scores()[1:] for number in range(games))
    assert moons[False]
    assert moons[True] or RULES[rules][1]["passing"], "nobody shot the moon"


@pytest.mark.parametrize("rules", RULES)
def test_agrees_with_openspiel_move_by_move(rules: str) -> None:
    play_many(rules, games=40)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_agrees_with_openspiel_in_many_hands(rules: str) -> None:
    play_many(rules, games=deeper(700, deep=2500))
