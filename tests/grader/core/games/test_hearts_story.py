"""The story of a game of Hearts, hand by hand: complete, without repetition, also if unfinished."""

from collections.abc import Callable
from typing import cast

import pytest

from grader.core.games import game_from_options, presented
from grader.core.games.hearts import Hearts, HeartsState
from grader.core.games.hearts.story import HandStory

SEED = bytes(range(32))


def played(actions: int | None = None, **options: object) -> tuple[Hearts, HeartsState]:
    game = cast("Hearts", game_from_options("hearts", {"hands": 2, **options}))
    state = game.deal(SEED)
    while state.seat_to_act is not None and (actions is None or state.turn < actions):
        state.apply(state.legal_actions()[0])
    return game, state


@pytest.fixture
def story() -> Callable[..., tuple[HandStory, ...]]:
    def tell(actions: int | None = None, **options: object) -> tuple[HandStory, ...]:
        game, state = played(actions, **options)
        return presented(game).story(state)

    return tell


Story = Callable[..., tuple[HandStory, ...]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_hand_has_all_tricks_and_points(story: Story, players: int) -> None:
    _, state = played(players=players)
    hands = story(players=players)
    assert [hand.number for hand in hands] == [1, 2]
    for hand in hands:
        assert len(hand.tricks) == len(hand.seats[0].cards)
        assert all(None not in trick.cards for trick in hand.tricks)
        assert sum(trick.points for trick in hand.tricks) == 26
        assert hand.points is not None
    assert hands[-1].totals == state.scores()


def test_the_winner_of_a_trick_leads_the_next(story: Story) -> None:
    tricks = story()[0].tricks
    assert [trick.leader for trick in tricks[1:]] == [trick.winner for trick in tricks[:-1]]


def test_passed_cards_are_shown_with_giver_and_taker(story: Story) -> None:
    first, second = story()
    assert (first.passing, second.passing) == ("left", "right")
    for seat, each in enumerate(first.seats):
        assert len(each.passed) == len(each.received) == 3
        assert each.to == (seat + 1) % 4
        assert each.giver == (seat - 1) % 4
        assert {card.words for card in first.seats[each.to].received} == {
            card.words for card in each.passed
        }


def test_without_passing_no_seat_has_a_receiver(story: Story) -> None:
    hand = story(passing="none")[0]
    assert not hand.is_passed
    assert hand.seats[0].to is None


def test_an_unfinished_game_is_shown_as_far_as_it_went(story: Story) -> None:
    (hand,) = story(14)
    assert hand.points is None
    (trick,) = hand.tricks
    assert sum(card is not None for card in trick.cards) == 2
    assert trick.winner is None
    (passing,) = story(4)
    assert [len(seat.passed) for seat in passing.seats] == [3, 1, 0, 0]
    assert passing.tricks == []


def test_a_card_has_a_symbol_and_its_name_in_words(story: Story) -> None:
    cards = [card for seat in story()[0].seats for card in seat.cards]
    queen = next(card for card in cards if card.words == "queen of spades")
    assert (queen.sign, queen.rank, queen.costs, queen.is_red) == ("♠", "Q", True, False)
    ten = next(card for card in cards if card.words == "10 of diamonds")
    assert (ten.sign, ten.rank, ten.costs, ten.is_red) == ("♦", "10", False, True)


def test_a_game_without_a_story_of_its_own_has_none() -> None:
    hanabi = game_from_options("hanabi", {})
    assert presented(hanabi).story(hanabi.deal(SEED)) is None
