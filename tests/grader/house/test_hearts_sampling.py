"""The parts of the sampling agent: possible worlds, and hands played to their end by the rules."""

from collections.abc import Iterator
from random import Random

import pytest

from firebox import Context
from firebox.hearts import ALL_CARDS, Dealt, Observation, Played, TrickTaken, observation_from_wire
from firebox.hearts.events import event_from_wire
from grader.core.games import State, game_from_options
from grader.core.games.hearts.agents._playout import (
    BITS,
    COSTS,
    HEARTS,
    QUEEN,
    SUIT_BITS,
    Playout,
    Trick,
    bits,
    suit_of,
)
from grader.core.games.hearts.agents._worlds import Worlds

SEED = bytes(32)
CARDS = {str(card): card for card in ALL_CARDS}


def context(players: int, seat: int = 0) -> Context:
    options = dict(game_from_options("hearts", {"players": players}).options)
    return Context(game="hearts", options=options, seat=seat, players=players, seed=1)


def random_play(players: int, seat: int) -> Iterator[tuple[State, Worlds, Observation]]:
    """Each turn of a seat in a hand played at random, with what it has learnt so far."""
    game = game_from_options("hearts", {"players": players, "hands": 1})
    state, worlds, rng, told = game.deal(SEED), Worlds(context(players, seat)), Random(3), 0  # noqa: S311 - repeatable
    while (turn := state.seat_to_act) is not None:
        events = state.events(seat)
        for event in events[told:]:
            worlds.on_event(event_from_wire(event))
        told = len(events)
        observed = state.observe(seat)
        if turn == seat and observed["phase"] == "play":
            message = {"observation": observed, "legal": state.legal_actions(), "events": []}
            yield state, worlds, observation_from_wire(message, game.options)
        state.apply(rng.choice(list(state.legal_actions())))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_every_world_each_seat_holds_what_it_may(players: int) -> None:
    turns = 0
    for state, worlds, observation in random_play(players, seat=1):
        turns += 1
        worlds.look(observation)
        hands = worlds.deal()
        assert hands is not None
        sizes = [len(state.observe(seat)["hand"]) for seat in range(players)]
        assert [hand.bit_count() for hand in hands] == sizes
        assert hands[1] == bits(observation.hand)
        assert sum(hands) == bits(observation.unseen()) + bits(observation.hand)
        assert not any(hand & void for hand, void in zip(hands, worlds.void, strict=True))
        assert hands[worlds.taker] & worlds.known == worlds.known
    assert turns > 10


def test_the_queen_is_doubted_where_she_would_have_been_discarded() -> None:
    worlds = Worlds(context(4))
    worlds.on_event(Dealt(0, "none", ()))
    worlds.on_event(TrickTaken(1, 0))
    worlds.on_event(Played(1, CARDS["D5"]))
    worlds.on_event(Played(2, CARDS["C9"]))
    assert worlds.void[2] == SUIT_BITS["D"]
    assert worlds.doubts[2][QUEEN] < 0.2
    assert worlds.doubts[2][BITS[CARDS["HA"]]] < 1
    assert not worlds.doubts[3]


def test_a_low_duck_implies_no_higher_card_that_ducks() -> None:
    worlds = Worlds(context(4))
    worlds.on_event(Dealt(0, "none", ()))
    worlds.on_event(Played(1, CARDS["DJ"]))
    worlds.on_event(Played(2, CARDS["D5"]))
    assert {card for card in ALL_CARDS if BITS[card] in worlds.doubts[2]} == {
        CARDS[name] for name in ("D6", "D7", "D8", "D9", "DT")
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_hand_played_out_costs_twenty_six(players: int) -> None:
    cards = [BITS[card] for card in ALL_CARDS if players != 3 or str(card) != "D2"]
    Random(players).shuffle(cards)  # noqa: S311 - repeatable
    size = len(cards) // players
    hands = [sum(cards[seat * size : (seat + 1) * size]) for seat in range(players)]
    lead = cards[0]
    hands[0] ^= lead
    points = [0] * players
    Playout(players, HEARTS).play_out(
        hands, points, Trick().joined(0, lead), 1, broken=False, strict=False
    )
    assert sum(points) == 26
    assert not any(hand & COSTS for hand in hands)


def test_a_trick_is_taken_by_the_highest_card_of_the_suit_that_was_led() -> None:
    trick = Trick()
    for seat, name in enumerate(("D5", "DJ", "CA", "D9")):
        trick = trick.joined(seat, BITS[CARDS[name]])
    assert (trick.taker, trick.best, trick.led) == (1, BITS[CARDS["DJ"]], SUIT_BITS["D"])
    assert suit_of(trick.best) == trick.led
