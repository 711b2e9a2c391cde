"""Hidden cards that an agent draws for a search: they fit all that it was told."""

from typing import Any

import pytest

from firebox import Agent, Context, hanabi, hearts
from grader.core.deals import deal_seed
from grader.core.games import game_from_options
from grader.core.games.hearts.cards import CARDS
from grader.play.players import LocalPlayer, play_game
from grader.results.replay import replay
from tests.grader.played import SECRET


class Drawing(Agent):
    """Plays at random, and draws hidden cards on each turn."""

    drawn: list[Any]

    def start(self, context: Context) -> None:
        self.context = context
        self.others = hearts.OtherHands(context) if context.game == "hearts" else None
        self.void: set[tuple[int, str]] = set()
        self.led = ""

    def on_event(self, event: Any) -> None:
        if self.others is None:
            return
        self.others.on_event(event)
        if isinstance(event, hearts.Dealt):
            self.void.clear()
        if isinstance(event, hearts.Dealt | hearts.TrickTaken):
            self.led = ""
        if isinstance(event, hearts.Played):
            self.led = self.led or event.card.suit
            if event.card.suit != self.led:
                self.void.add((event.seat, self.led))

    def act(self, observation: Any) -> Any:
        if self.others is not None:
            drawn = self.others.resample(observation, self.context.random)
            held = {(seat, card.suit) for seat, hand in enumerate(drawn) for card in hand}
            assert not held & {each for each in self.void if each[0] != self.context.seat}
        else:
            drawn = observation.resample(self.context.random)
        self.drawn.append((observation, drawn))
        return self.context.random.choice(observation.legal_actions)


def drawn_in(name: str, players: int, **options: object) -> list[tuple[Any, Any]]:
    drawn: list[tuple[Any, Any]] = []
    agent = type("Agent", (Drawing,), {"drawn": drawn})
    game = game_from_options(name, {"players": players, **options})
    record = play_game(game, deal_seed(SECRET, 3), [LocalPlayer(agent) for _ in range(players)])
    replay(record)
    return drawn


@pytest.mark.parametrize("players", [2, 5])
def test_a_hand_of_hanabi_fits_the_hints_and_the_cards_that_are_seen(players: int) -> None:
    for observation, (hand, deck) in drawn_in("hanabi", players):
        assert len(deck) == observation.deck
        for position, card in enumerate(hand):
            if card is None:
                assert position not in observation.my_hand.positions
            else:
                assert card in observation.candidates(position)
        held = [card for card in (*hand, *deck) if card is not None]
        for card in hanabi.ALL_CARDS:
            copies = hanabi.COPIES[card.rank]
            assert held.count(card) + observation.seen_counts()[card] == copies


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_of_hearts_hold_all_unseen_cards_and_none_of_a_suit_not_followed(
    players: int,
) -> None:
    drawn = drawn_in("hearts", players, hands=4)
    assert len(drawn) >= 4 * len(CARDS) // players
    for observation, hands in drawn:
        dealt = [*observation.hand, *(observation.passed if observation.is_passing else ())]
        seen = {seat for seat, _ in ((each.seat, each.card) for each in observation.trick)}
        for seat, hand in enumerate(hands):
            if seat != observation.seat:
                assert len(hand) == len(dealt) - (seat in seen)
        others = [
            card for seat, hand in enumerate(hands) if seat != observation.seat for card in hand
        ]
        hidden = set(observation.unseen()) - (set(dealt) if observation.is_passing else set())
        assert len(others) == len(hidden)
        assert set(others) == hidden
