"""A seat that a person plays is shown what it may know: two deals that differ in what it cannot see
look the same to it, in every scene of the viewer's data."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.core.deals import deal_seed, shuffled
from grader.core.errors import IllegalAction
from grader.core.games import GAMES, Game, JsonObject, State, presented
from grader.core.games.hanabi import DECK, Hanabi
from grader.core.games.hanabi.view import scenes as hanabi_scenes
from grader.core.games.hearts import Hearts, deck
from grader.core.games.hearts.view import scenes as hearts_scenes
from grader.core.games.presentation import Presentation
from tests.grader.core.games.policies import at_random, cheating, played
from tests.support.depth import deeper

SECRET = b"what a person sees"
TRIES = 8
EXAMPLES = deeper(25, deep=500)


def after(state: State, actions: Sequence[JsonObject]) -> State | None:
    for action in actions:
        try:
            state.apply(action)
        except IllegalAction:
            return None
    return state


def looks_the_same(state: State, other: State, seat: int) -> bool:
    """Return whether a seat got the same messages in two games, and observes the same."""
    told = list(state.events(seat)) == list(other.events(seat))
    return told and state.observe(seat) == other.observe(seat)


@settings(max_examples=EXAMPLES)
@given(st.sampled_from((2, 3, 5)), st.booleans(), st.integers(0, 10_000), st.floats(0, 1))
def test_hanabi_hides_the_seats_own_cards_and_the_deck(
    players: int,
    swaps: bool,  # noqa: FBT001 - an option of the rules
    index: int,
    share: float,
) -> None:
    game = Hanabi.from_options({"players": players, "swaps": swaps})
    seed, rng = deal_seed(SECRET, index), Random(index)  # noqa: S311 - repeatable test data
    notations = played(game, game.deal(seed), cheating(0.2), rng)
    actions = [game.parse(each) for each in notations[: int(share * len(notations))]]
    seat, cards = rng.randrange(players), shuffled(DECK, seed)
    state = after(game.start(cards), actions)
    assert state is not None
    own = state.observe(seat)["hands"][seat]["ids"]
    undrawn = range(len(DECK) - state.observe(seat)["deck"], len(DECK))
    hidden = [number for number in [*own, *undrawn] if number is not None]
    assume(len(hidden) > 1)
    for _ in range(TRIES):
        first, second = rng.sample(hidden, 2)
        other = list(cards)
        other[first], other[second] = other[second], other[first]
        swapped = after(game.start(other), actions)
        if swapped is None or not looks_the_same(state, swapped, seat):
            continue
        shown = [list(hanabi_scenes(game.start(each), actions, seat)) for each in (cards, other)]
        assert shown[0] == shown[1]
        told = {presented(game).observed(each.observe(seat)) for each in (state, swapped)}
        assert len(told) == 1
        return


@settings(max_examples=EXAMPLES)
@given(st.sampled_from((2, 3, 4)), st.integers(0, 10_000), st.integers(0, 52))
def test_hearts_hides_the_hands_and_passes_of_others(players: int, index: int, turns: int) -> None:
    game = Hearts.from_options({"players": players})
    seed, rng = deal_seed(SECRET, index), Random(index)  # noqa: S311 - repeatable test data
    cards = shuffled(deck(players), seed)
    notations = played(game, game.start([cards]), at_random, rng)
    actions = [game.parse(each) for each in notations[:turns]]
    seat = rng.randrange(players)
    state = after(game.start([cards]), actions)
    assert state is not None
    assume(state.observe(seat)["hand_number"] == 0)
    seen = str(list(state.events(seat)))
    hidden = [card for card in cards if card not in seen]
    assume(len(hidden) > 1)
    for _ in range(TRIES):
        first, second = rng.sample(hidden, 2)
        names = {first: second, second: first}
        renamed = [_renamed(action, names) for action in actions]
        other = [names.get(card, card) for card in cards]
        swapped = after(game.start([other]), renamed)
        if swapped is None or not looks_the_same(state, swapped, seat):
            continue
        shown = [
            list(hearts_scenes(game.start([each]), done, seat))
            for each, done in ((cards, actions), (other, renamed))
        ]
        assert shown[0] == shown[1]
        assert presented(game).observed(state.observe(seat)) == presented(game).observed(
            swapped.observe(seat)
        )
        return


def _renamed(action: JsonObject, names: Mapping[str, str]) -> dict[str, Any]:
    return {**action, "card": names.get(action["card"], action["card"])}


@pytest.mark.parametrize("name", GAMES)
def test_what_a_game_hides_is_tested_here(name: str) -> None:
    """No check of the conformance suite knows what a seat must not see."""
    assert [test for test in globals() if test.startswith(f"test_{name}_hides_")]


def test_a_game_without_drawings_shows_a_seats_observation_only() -> None:
    game: Game = Hanabi.from_options({"players": 2})
    seed = deal_seed(SECRET, 0)
    action = game.deal(seed).legal_actions()[0]
    shown = Presentation(game)
    own, other = (list(shown.scenes(seed, [action], seat)) for seat in (0, 1))
    assert own[0]["text"] == shown.observed(game.deal(seed).observe(0))
    assert own[1]["said"][0].startswith("Seat 1 ")
    assert "plays" in own[1]["said"][0]
    assert other[1]["said"] == ["Seat 1 acts."]
