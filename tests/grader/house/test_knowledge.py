"""Sets of cards as bits: the same conclusions as the library draws, only faster."""

from typing import Any

from firebox import Agent
from firebox.hanabi import ALL_CARDS, COPIES, Action, Card, Observation
from grader import house
from grader.core.games.hanabi.agents._knowledge import BIT, CARD, Copies, View, members, union
from tests.grader.house.table import play, standard


class Checking(Agent):
    """Plays like Piers, and compares both ways of drawing conclusions at every turn."""

    def __init__(self) -> None:
        self.inner: Any = house.agent("piers")()

    def start(self, context: Any) -> None:
        self.inner.start(context)

    def act(self, observation: Observation) -> Action:
        view = View(observation)
        for card in ALL_CARDS:
            useless = observation.is_useless(card)
            fits = observation.is_playable(card) and not useless  # it may not exist any more
            assert bool(view.playable & BIT[card]) == fits
            assert bool(view.useless & BIT[card]) == useless
            assert bool(view.critical & BIT[card]) == observation.is_critical(card)
            hidden = COPIES[card.rank] - observation.seen_counts()[card]
            assert view.hidden.count(BIT[card]) == hidden
        for at in observation.my_hand.positions:
            assert view.mine[at] == union(observation.candidates(at))
        action: Action = self.inner.act(observation)
        return action


def test_conclusions_agree_with_the_library_at_every_turn() -> None:
    for players in (2, 5):
        for index in range(5):
            assert play(standard(players), [Checking] * players, index).score > 0


def test_a_set_of_cards_has_a_bit_for_each() -> None:
    assert sorted(CARD) == [1 << at for at in range(25)]
    cards = [Card("R", 1), Card("G", 4), Card("B", 5)]
    assert {CARD[bit] for bit in members(union(cards))} == set(cards)


def test_copies_run_out_one_by_one_and_each_set_of_counts_by_itself() -> None:
    copies, one = Copies(), BIT[Card("Y", 1)]
    left = []
    for _ in range(4):
        left.append(copies.count(one))
        copies.take(one)
    assert left == [3, 2, 1, 0]
    copies = Copies()
    twin = copies.copy()
    twin.take(BIT[Card("W", 5)])
    assert (copies.count(BIT[Card("W", 5)]), twin.count(BIT[Card("W", 5)])) == (1, 0)
