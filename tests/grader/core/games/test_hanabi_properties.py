"""Properties of Hanabi under every combination of its options, searched by hypothesis."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from grader.core.errors import IllegalAction
from grader.core.games import JsonObject
from grader.core.games.hanabi import DECK, SWAPS_PER_TURN, Hanabi, HanabiState

OPTIONS = st.fixed_dictionaries(
    {
        "players": st.integers(2, 5),
        "colors": st.permutations("RYGWB").map("".join),
        "hand_size": st.integers(2, 5),
        "hint_tokens": st.integers(1, 9),
        "strikeout_score": st.sampled_from(["zero", "keep"]),
        "five_returns_token": st.booleans(),
        "discard_at_max": st.sampled_from(["illegal", "allowed"]),
        "empty_hints": st.booleans(),
        "last_round": st.sampled_from(["after_last_draw", "after_failed_draw"]),
        "draw_position": st.sampled_from(["end", "slot"]),
        "swaps": st.booleans(),
    }
)
LIVES = st.one_of(
    st.just({"misplay": "token", "lives": None}),
    st.builds(lambda lives: {"misplay": "strike", "lives": lives}, st.integers(1, 9)),
)
GAMES = st.builds(lambda one, two: Hanabi.from_options({**one, **two}), OPTIONS, LIVES)
DECKS = st.integers(0, 10**6).map(
    lambda seed: Random(seed).sample(DECK, len(DECK))  # noqa: S311 - repeatable test data
)


def _many_choices(seed: int, count: int) -> list[int]:
    return Random(seed).choices(range(1000), k=count)  # noqa: S311 - repeatable test data


CHOICES = st.builds(
    _many_choices, st.integers(0, 10**6), st.sampled_from([3, 10, 30, 60, 100, 400, 400])
)
"""Which of the legal actions, counted round and round, is taken in each turn; often to the end."""


def play(state: HanabiState, choices: list[int]) -> list[JsonObject]:
    """Play until choices or game end; the actions."""
    actions = []
    for choice in choices:
        legal = state.legal_actions()
        if not legal:
            break
        actions.append(legal[choice % len(legal)])
        state.apply(actions[-1])
    return actions


def replay(game: Hanabi, deck: list[str], actions: list[JsonObject]) -> HanabiState:
    state = game.start(deck)
    for action in actions:
        state.apply(action)
    return state


def open_hands(game: Hanabi, state: HanabiState) -> list[JsonObject]:
    """All hands, each as its neighbour sees it."""
    return [state.observe((seat + 1) % game.seats)["hands"][seat] for seat in range(game.seats)]


def view(state: HanabiState, seat: int) -> str:
    return json.dumps([state.observe(seat), list(state.events(seat))])


@given(GAMES)
def test_options_round_trip_through_json(game):
    assert Hanabi.from_options(json.loads(json.dumps(game.options))) == game


@given(GAMES, DECKS, CHOICES)
def test_cards_are_conserved(game, deck, choices):
    state = game.start(deck)
    play(state, choices)
    seen = state.observe(0)
    cards = Counter(seen["discards"])
    cards.update(f"{c}{r}" for c, top in seen["fireworks"].items() for r in range(1, top + 1))
    cards.update(deck[len(deck) - seen["deck"] :])
    for hand in open_hands(game, state):
        cards.update(card for card in hand["cards"] if card)
    assert cards == Counter(DECK)


@pytest.mark.slow
@given(GAMES, DECKS, CHOICES)
def test_ids_name_the_card_behind_them(game, deck, choices):
    state = game.start(deck)
    play(state, choices)
    for hand in open_hands(game, state):
        assert [None if number is None else deck[number] for number in hand["ids"]] == list(
            hand["cards"]
        )


@pytest.mark.slow
@given(GAMES, DECKS, CHOICES, st.data())
def test_cards_that_a_seat_cannot_tell_apart_can_be_exchanged_unseen(game, deck, choices, data):
    """Two cards of its hand or of the deck, each possible in the other's place after all hints."""
    state = game.start(deck)
    actions = play(state, choices)
    seat = data.draw(st.integers(0, game.seats - 1))
    seen = state.observe(seat)
    hand = seen["hands"][seat]
    possible = {
        number: known
        for number, known in zip(hand["ids"], hand["knowledge"], strict=True)
        if number is not None
    }
    hidden = [*possible, *range(len(deck) - seen["deck"], len(deck))]
    assume(len(hidden) >= 2)
    first, second = data.draw(st.permutations(hidden))[:2]
    assume(_fits(possible, first, deck[second]) and _fits(possible, second, deck[first]))
    exchanged = list(deck)
    exchanged[first], exchanged[second] = deck[second], deck[first]
    assert view(replay(game, exchanged, actions), seat) == view(state, seat)


def _fits(possible: dict[int, JsonObject], number: int, card: str) -> bool:
    known = possible.get(number)
    return known is None or (card[0] in known["colors"] and card[1] in known["ranks"])


@given(GAMES, DECKS, CHOICES)
def test_knowledge_follows_from_the_public_events_alone(game, deck, choices):
    """Worked out again from the event log by a slower method: one set of hints per card."""
    state = game.start(deck)
    play(state, choices)
    told = _knowledge_from_events(game, list(state.events(0)))
    for seat, hand in enumerate(open_hands(game, state)):
        assert list(hand["knowledge"]) == told[seat]
        for card, known in zip(hand["cards"], hand["knowledge"], strict=True):
            if card:
                assert card[0] in known["colors"]
                assert card[1] in known["ranks"]


def _knowledge_from_events(game: Hanabi, events: list[JsonObject]) -> list[list[Any]]:
    size, in_slot = game.options["hand_size"], game.options["draw_position"] == "slot"
    hands: list[list[Any]] = [[[] for _ in range(size)] for _ in range(game.seats)]
    for event in events[1:]:
        if event["type"] == "hint":
            symbol = event["color"] if "color" in event else str(event["rank"])
            for index, hints in enumerate(hands[event["to"]]):
                if hints is not None:
                    hints.append((symbol, index in event["cards"]))
            continue
        hand = hands[event["seat"]]
        if event["type"] == "swap":
            first, second = event["first"], event["second"]
            hand[first], hand[second] = hand[second], hand[first]
        elif event["type"] == "draw" and not in_slot:
            hand.append([])
            assert event["index"] == len(hand) - 1
        elif event["type"] == "draw":
            assert hand[event["index"]] is None
            hand[event["index"]] = []
        elif in_slot:
            hand[event["index"]] = None
        else:
            del hand[event["index"]]
    colors = game.options["colors"]
    return [[None if h is None else _known(colors, h) for h in hand] for hand in hands]


def _known(colors: str, hints: list[tuple[str, bool]]) -> JsonObject:
    yes = {symbol for symbol, touched in hints if touched}
    no = {symbol for symbol, touched in hints if not touched}
    color = next((c for c in colors if c in yes), None)
    rank = next((r for r in "12345" if r in yes), None)
    return {
        "color": color,
        "rank": None if rank is None else int(rank),
        "colors": color or "".join(c for c in colors if c not in no),
        "ranks": rank or "".join(r for r in "12345" if r not in no),
    }


def tolerated(game: Hanabi, state: HanabiState) -> list[JsonObject]:
    """Hints of what no card has, where hints need not touch a card; swaps the other way round or of
    a card with itself, where swaps are legal; the discard of a card that the seat to act lacks,
    where a last round needs a failed draw."""
    seat, options = state.seat_to_act, game.options
    if seat is None:
        return []
    observed = state.observe(seat)
    void: list[JsonObject] = []
    if options["empty_hints"] and observed["hint_tokens"]:
        others = [other for other in range(game.seats) if other != seat]
        void = [{"type": "hint", "to": to, "rank": rank} for to in others for rank in (-9, 0, 6)]
        void += [{"type": "hint", "to": to, "color": "-"} for to in others]
    return [*void, *_odd_swaps(state), *_discards_of_a_missing_card(game, observed)]


def _odd_swaps(state: HanabiState) -> list[JsonObject]:
    if not state.legal_actions() or not state._rules.swaps or state._swaps == SWAPS_PER_TURN:
        return []
    held = [action["card"] for action in state.legal_actions() if action["type"] == "play"]
    return [{"type": "swap", "first": i, "second": j} for i in held for j in held if i >= j]


def _discards_of_a_missing_card(game: Hanabi, observed: JsonObject) -> list[JsonObject]:
    seat, options = observed["seat"], game.options
    if options["last_round"] == "after_last_draw":
        return []
    held = len(observed["hands"][seat]["cards"])
    full = observed["hint_tokens"] == options["hint_tokens"]
    if held == options["hand_size"] or (full and options["discard_at_max"] == "illegal"):
        return []
    return [{"type": "discard", "card": held}]


def every_action(game: Hanabi) -> list[JsonObject]:
    """All that could be legal with these options at any time, and more."""
    actions: list[JsonObject] = []
    for i in range(6):
        actions += [{"type": "play", "card": i}, {"type": "discard", "card": i}]
        actions += [{"type": "swap", "first": i, "second": j} for j in range(6)]
        actions += [{"type": "hint", "to": i, "color": color} for color in "RYGWBX-"]
        actions += [{"type": "hint", "to": i, "rank": rank} for rank in (-100, -9, *range(7), 100)]
    return actions


@pytest.mark.slow
@given(GAMES, DECKS, CHOICES)
def test_an_action_is_accepted_exactly_if_it_is_listed_or_tolerated(game, deck, choices):
    state = game.start(deck)
    actions = play(state, choices)
    allowed = [*state.legal_actions(), *tolerated(game, state)]
    before = [view(state, seat) for seat in range(game.seats)]
    for action in every_action(game):
        if action in allowed:
            replay(game, deck, actions).apply(action)
            continue
        with pytest.raises(IllegalAction):
            state.apply(action)
    assert [view(state, seat) for seat in range(game.seats)] == before


ODD_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
LIKELY_VALUES = st.sampled_from([0, 1, 2, 4, 5, -1, "R", "B", "1", 1.0, True, None, 10**5000])
FIELDS = ("card", "to", "color", "rank", "first", "second", "x")
KINDS = st.sampled_from(["play", "discard", "hint", "swap"])
ODD_ACTIONS = st.one_of(
    ODD_VALUES,
    st.dictionaries(st.sampled_from(["type", *FIELDS]), KINDS | LIKELY_VALUES | ODD_VALUES),
    st.fixed_dictionaries({"type": KINDS}, optional=dict.fromkeys(FIELDS, LIKELY_VALUES)),
)


@pytest.mark.slow
@given(GAMES, st.lists(ODD_ACTIONS, min_size=1, max_size=20))
@example(Hanabi.from_options({"swaps": True}), [{"type": "swap", "first": 0, "second": 0}])
def test_whatever_an_agent_replies_is_allowed_or_refused(game, replies):
    deck = Random(1).sample(DECK, len(DECK))  # noqa: S311 - repeatable test data
    state = game.start(deck)
    for reply in replies:
        allowed = [*state.legal_actions(), *state.tolerated_actions()]
        before = view(state, 0)
        try:
            state.apply(reply)
        except IllegalAction:
            assert view(state, 0) == before
        else:
            assert game.parse(game.notate(reply)) in allowed
