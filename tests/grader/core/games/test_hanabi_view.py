"""The viewer's display of Hanabi agrees with the rules, and describes the effects of a turn."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.deals import deal_seed
from grader.core.games import presented
from grader.core.games.base import JsonObject
from grader.core.games.hanabi import DECK, Hanabi, HanabiState
from grader.core.games.hanabi.view import CardFate, scenes
from grader.core.games.scenes import plain
from tests.grader.core.games.policies import cheating, played

SECRET = b"what the viewer shows"
SUITS = "RYGWB"
VARIANTS = [
    {"variant": variant, "players": players}
    for variant in Hanabi.variants()
    for players in ((2,) if variant == "gcc" else (2, 3, 5))
]


def playing(options: JsonObject, index: int, clumsiness: float) -> tuple[Hanabi, bytes, list[str]]:
    game, seed = Hanabi.from_options(options), deal_seed(SECRET, index)
    rng = Random(f"{index} {clumsiness}")  # noqa: S311 - repeatable test data
    return game, seed, played(game, game.deal(seed), cheating(clumsiness), rng)


def hands_of(state: HanabiState, players: int) -> list[Any]:
    """Each hand as another seat sees it."""
    return [state.observe((seat + 1) % players)["hands"][seat] for seat in range(players)]


@given(
    st.sampled_from(VARIANTS), st.integers(0, 10_000), st.sampled_from((0.0, 0.05, 0.2, 0.5, 1.0))
)
def test_every_scene_is_what_the_seats_observe(
    options: JsonObject, index: int, clumsiness: float
) -> None:
    game, seed, actions = playing(options, index, clumsiness)
    state = game.deal(seed)
    for turn, scene in enumerate(presented(game).scenes(seed, map(game.parse, actions))):
        if turn:
            state.apply(game.parse(actions[turn - 1]))
        seen = state.observe(0)
        assert scene["tokens"] == seen["hint_tokens"]
        assert scene["lives"] == seen["lives"]
        assert scene["deck"] == seen["deck"]
        assert scene["turns_left"] == seen["turns_left"]
        assert scene["fireworks"] == [seen["fireworks"][suit] for suit in SUITS]
        for seat, hand in enumerate(hands_of(state, game.seats)):
            shown = scene[f"hand{seat}"]
            assert [place and place[0] for place in shown] == list(hand["ids"])
            assert [place and place[1] for place in shown] == list(hand["cards"])
            known = [each and [each["colors"], each["ranks"]] for each in hand["knowledge"]]
            assert [place and place[2:] for place in shown] == known
        assert fates(scene, CardFate.DISCARDED) == Counter(seen["discards"])
        assert sum(fates(scene, CardFate.PLAYED).values()) == sum(scene["fireworks"])
        assert len(scene["cards"]) == len(DECK)


def fates(scene: JsonObject, fate: CardFate) -> Counter[str]:
    return Counter(
        card for card, letter in zip(DECK, scene["cards"], strict=True) if letter == fate
    )


@given(st.integers(0, 10_000), st.sampled_from((0.05, 0.2, 0.5)))
def test_no_more_points_than_are_possible_are_ever_made(index: int, clumsiness: float) -> None:
    game, seed, actions = playing({"strikeout_score": "keep"}, index, clumsiness)
    shown = list(presented(game).scenes(seed, map(game.parse, actions)))
    possible = [scene["possible"] for scene in shown]
    assert possible == sorted(possible, reverse=True)
    assert all(scene["scores"][0] <= possible[-1] for scene in shown)


@given(st.integers(0, 10_000), st.sampled_from((0.05, 0.2, 0.5, 1.0)))
def test_a_card_that_is_called_dead_is_never_played_and_one_called_last_is_alone(
    index: int, clumsiness: float
) -> None:
    game, seed, actions = playing({}, index, clumsiness)
    shown = list(presented(game).scenes(seed, map(game.parse, actions)))
    dead: set[str] = set()
    for scene in shown:
        move = scene["move"] or {}
        assert not (move.get("fits") and move["card"] in dead)
        dead |= set(fates(scene, CardFate.DEAD))
        held = [place[1] for seat in range(2) for place in scene[f"hand{seat}"]]
        assert all(held.count(card) < 2 for card in fates(scene, CardFate.LAST))


# A play of one's own making

FIRST = ["R1", "R2", "R3", "R4", "R5"]
SECOND = ["Y5", "Y1", "B1", "B1", "W1"]


@pytest.fixture
def show():
    def act(*actions: str, **options: object) -> list[Any]:
        game = Hanabi.from_options(options)
        rest = list((Counter(DECK) - Counter(FIRST + SECOND)).elements())
        return list(scenes(game.start(FIRST + SECOND + rest), map(game.parse, actions)))

    return act


def told(scene: JsonObject) -> Sequence[str]:
    return [plain(scene["said"]), plain(scene["brief"]), scene["effect"], scene["mark"]]


def test_a_card_that_fits_is_a_point_and_a_complete_suit_is_announced(show) -> None:
    scene = show("p0")[-1]
    assert told(scene) == ["Seat 1 plays card 1, the red 1.", "plays R1", "+1 point", "gain"]
    assert ["R", "red 1"] in scene["said"]
    assert scene["move"] == {"type": "play", "index": 0, "card": "R1", "drawn": 4, "fits": True}
    plays = [action for turn in range(5) for action in ("p0", f"h0{turn + 2 if turn < 4 else 1}")]
    scene = show(*plays[:-1])[-1]
    assert scene["effect"] == "+1 point, red is complete"
    assert scene["fireworks"] == [5, 0, 0, 0, 0]
    assert scene["wanted"][0] == []


def test_a_misplay_costs_a_life_and_what_is_out_of_reach_with_it(show) -> None:
    scene = show("p0", "p0")[-1]
    assert told(scene) == [
        "Seat 2 misplays card 1, the yellow 5.",
        "misplays Y5",
        "−1 life, 1 point out of reach",
        "mistake",
    ]
    assert (scene["lives"], scene["possible"], scene["tone"]) == (2, 24, "bad")
    assert scene["cards"][DECK.index("Y5")] == CardFate.DISCARDED
    assert scene["move"]["place"] == DECK.index("Y5")


def test_a_misplay_that_costs_a_token_says_so(show) -> None:
    scene = show("p1", variant="cs221", players=2, hand_size=5)[-1]
    assert scene["effect"] == "−1 hint token"
    assert scene["lives"] is None


def test_a_discard_is_marked_by_what_it_leaves(show) -> None:
    assert show("h15", "d1")[-1]["effect"] == ""
    lost = show("h15", "h01", "d4")[-1]
    assert told(lost) == [
        "Seat 1 discards card 5, the red 5.", "discards R5", "1 point out of reach", "loss"
    ]  # fmt: skip
    scene = show("h15", "h01", "d1")[-1]
    assert scene["cards"][3:5] == CardFate.DISCARDED + CardFate.LAST
    (deal,) = show()
    assert {deal["cards"][DECK.index(f"{suit}5")] for suit in SUITS} == {CardFate.OPEN}


def test_hints_and_swaps_are_described_with_their_cards(show) -> None:
    scene = show("h1B")[-1]
    assert told(scene)[:2] == ["Seat 1 hints seat 2: blue, cards 3, 4.", "hints seat 2: blue (2)"]
    assert scene["move"] == {"type": "hint", "to": 1, "told": "B", "cards": [2, 3]}
    assert scene["hand1"][2] == [7, "B1", "B", "12345"]
    assert scene["hand1"][0] == [5, "Y5", "RYGW", "12345"]
    assert show("h15")[-1]["brief"] == ["hints seat 2: ", ["", "5"], " (1)"]
    scene = show("s02", variant="gcc")[-1]
    assert told(scene)[:2] == ["Seat 1 swaps its cards 1 and 3.", "swaps cards 1 and 3"]
    assert scene["to_act"] == 0


def test_the_card_that_fits_next_is_shown_at_its_place(show) -> None:
    (deal,) = show()
    assert deal["wanted"][0] == ["R1", "seat 1, card 1"]
    assert deal["wanted"][2] == ["G1", "not drawn yet"]
    assert deal["wanted"][4] == ["B1", "seat 2, card 3; seat 2, card 4"]


def test_the_end_is_described_with_its_last_turn(show) -> None:
    end = show("p1", "p0", "p1")[-1]
    assert end["effect"].endswith("last life lost")
    assert (end["to_act"], end["scores"], end["possible"]) == (None, [0, 0], 0)
