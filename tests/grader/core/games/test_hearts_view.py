"""The viewer's display of Hearts agrees with the rules, trick by trick and hand by hand."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.deals import deal_seed
from grader.core.games import presented
from grader.core.games.base import JsonObject
from grader.core.games.hearts import CARDS, Hearts, deck
from grader.core.games.hearts.cards import POINTS
from grader.core.games.scenes import plain
from tests.grader.core.games.policies import at_random, played

SECRET = b"what the viewer shows"


def playing(options: JsonObject, index: int) -> tuple[Hearts, bytes, list[str]]:
    game, seed = Hearts.from_options(options), deal_seed(SECRET, index)
    rng = Random(index)  # noqa: S311 - repeatable test data
    return game, seed, played(game, game.deal(seed), at_random, rng)


def shown(options: JsonObject, index: int) -> tuple[Hearts, list[Any]]:
    game, seed, actions = playing(options, index)
    return game, list(presented(game).scenes(seed, map(game.parse, actions)))


TABLES = st.builds(
    lambda variant, players, hands: {"variant": variant, "players": players, "hands": hands},
    st.sampled_from(["standard", "fit2102"]),
    st.sampled_from([2, 4]),
    st.integers(1, 2),
) | st.just({"players": 3, "hands": 2})


@given(TABLES, st.integers(0, 10_000))
def test_every_scene_is_what_the_seats_observe(options: JsonObject, index: int) -> None:
    game, seed, actions = playing(options, index)
    state = game.deal(seed)
    remaining = iter(actions)
    for scene in presented(game).scenes(seed, map(game.parse, actions)):
        if scene["seat"] is not None:
            state.apply(game.parse(next(remaining)))
        if scene["over"]:  # the table lies as it was, and the rules have dealt again
            continue
        for seat in range(game.seats):
            seen = state.observe(seat)
            assert scene[f"hand{seat}"].split() == list(seen["hand"])
            assert scene[f"passed{seat}"].split() == list(seen["passed"])
            assert scene[f"received{seat}"].split() == list(seen["received"])
            cost = [card for card in seen["taken"][seat] if POINTS[card]]
            assert scene[f"cost{seat}"].split() == cost
        assert scene["part"] == seen["hand_number"] + 1
        assert scene["points"] == list(seen["points"])
        assert scene["totals"] == list(seen["totals"])
        if scene["winner"] is None:
            assert scene["trick"] == [[each["seat"], each["card"]] for each in seen["trick"]]
            assert scene["number"] == seen["tricks_played"] + 1
        else:
            assert seen["trick"] == []
            assert scene["number"] == seen["tricks_played"]


@given(TABLES, st.integers(0, 10_000))
def test_every_card_of_a_hand_is_in_one_trick_and_its_taker_pays(
    options: JsonObject, index: int
) -> None:
    game, scenes = shown(options, index)
    tricks = [scene for scene in scenes if scene["winner"] is not None]
    assert len(tricks) == options["hands"] * (len(deck(game.seats)) // game.seats)
    for part in range(1, options["hands"] + 1):
        own = [scene for scene in tricks if scene["part"] == part]
        cards = [card for scene in own for _, card in scene["trick"]]
        assert sorted(cards, key=CARDS.index) == list(deck(game.seats))
        cost = [0] * game.seats
        for scene in own:
            cost[scene["winner"]] += sum(POINTS[card] for _, card in scene["trick"])
        paid = [
            sum(POINTS[card] for card in own[-1][f"cost{seat}"].split())
            for seat in range(game.seats)
        ]
        assert cost == paid
        assert own[-1]["over"]
        assert [scene["cost"] for scene in own] == [
            sum(scene["costs"].get(card, 0) for _, card in scene["trick"]) for scene in own
        ]
        assert (own[-1]["moon"] is None) is (own[-1]["points"] == cost)


@given(st.integers(0, 10_000))
def test_the_winner_of_a_trick_leads_the_next_in_the_story(index: int) -> None:
    _, scenes = shown({"hands": 1}, index)
    tricks = [scene for scene in scenes if scene["winner"] is not None]
    for before, after in pairwise(tricks):
        assert after["trick"][0][0] == before["winner"] == before["to_act"]


@pytest.fixture
def scenes() -> list[Any]:
    """Two hands of first legal actions."""
    game, seed = Hearts.from_options({"hands": 2}), bytes(range(32))
    state, actions = game.deal(seed), []
    while state.seat_to_act is not None:
        actions.append(state.legal_actions()[0])
        state.apply(actions[-1])
    return list(presented(game).scenes(seed, actions))


def test_every_deal_of_a_match_has_its_scene_before_the_first_pass() -> None:
    game, scenes = shown({"end_at": 60}, 3)
    deals = [at for at, scene in enumerate(scenes) if scene["seat"] is None]
    assert [scenes[at]["part"] for at in deals] == list(range(1, scenes[-1]["part"] + 1))
    assert len(deals) > 2
    for at in deals[1:]:
        ended, deal, following = scenes[at - 1 : at + 2]
        assert ended["over"]
        assert deal["totals"] == ended["totals"]
        assert (deal["trick"], deal["winner"], deal["over"]) == ([], None, False)
        assert {len(deal[f"hand{seat}"].split()) for seat in range(game.seats)} == {13}
        assert (plain(deal["said"]), deal["move"], deal["number"]) == ("The deal.", None, 1)
        assert following["seat"] == deal["to_act"] == ended["to_act"]
        kind = "play" if deal["passing"] == "none" else "pass"
        assert following["move"]["type"] == deal["phase"] == kind


def test_a_passed_card_stays_before_its_giver_until_all_have_passed(scenes: list[Any]) -> None:
    card = scenes[1]["passed0"]
    assert card == scenes[1]["move"]["card"] == scenes[1]["said"][1][0] + card[1]
    assert plain(scenes[1]["said"]).startswith("Seat 1 passes the ")
    assert plain(scenes[1]["said"]).endswith(" to seat 2.")
    assert card not in scenes[1]["hand0"].split()
    exchanged = scenes[12]
    assert exchanged["phase"] == "play"
    assert exchanged["received1"] == scenes[11]["passed0"]
    assert card in exchanged["hand1"].split()


def test_a_trick_stays_until_the_next_card(scenes: list[Any]) -> None:
    complete, following = scenes[16], scenes[17]
    assert len(complete["trick"]) == 4
    assert plain(complete["said"]).endswith(f". Seat {complete['winner'] + 1} takes it.")
    assert complete["number"] == 1
    assert len(following["trick"]) == 1
    assert (following["winner"], following["number"]) == (None, 2)
    assert plain(following["brief"]).startswith("leads ")


def test_the_effect_of_a_trick_is_its_cost(scenes: list[Any]) -> None:
    costly = [scene for scene in scenes if scene["winner"] is not None and scene["effect"]]
    assert {scene["mark"] for scene in costly if scene["effect"][0] == "+"} == {"loss"}
    queen = next(s for s in costly if "SQ" in {card for _, card in s["trick"]})
    assert int(queen["effect"].split()[0]) >= 13


def test_a_hand_is_over_with_its_last_trick_on_the_table(scenes: list[Any]) -> None:
    (end,) = [scene for scene in scenes if scene["over"] and scene["part"] == 1]
    assert len(end["trick"]) == 4
    assert all(end[f"hand{seat}"] == "" for seat in range(4))
    assert "hand 1 is over" in end["effect"]
    assert end["totals"] == end["points"]
    assert scenes[-1]["effect"].endswith("hand 2 is over, all hands played")
