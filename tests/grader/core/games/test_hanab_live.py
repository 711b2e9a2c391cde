"""A play of Hanabi as hanab.live reads it: the same cards and actions, in its file and its link."""

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.deals import deal_seed, shuffled
from grader.core.games import presented
from grader.core.games.base import JsonObject
from grader.core.games.hanabi import DECK, Hanabi
from grader.core.games.presentation import Elsewhere
from tests.grader.core.games.policies import cheating, played
from tests.support.every import every

SECRET = b"shown on hanab.live"
SUITS = "RYGBW"
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def sent(options: JsonObject, index: int, actions: list[str] | None = None) -> Elsewhere:
    game, seed = Hanabi.from_options(options), deal_seed(SECRET, index)
    if actions is None:
        rng = Random(index)  # noqa: S311 - repeatable test data
        actions = played(game, game.deal(seed), cheating(0.1), rng)
    return presented(game).elsewhere(seed, map(game.parse, actions))


def read_link(link: str) -> dict[str, Any]:
    site, _, text = link.rpartition("/")
    assert site == "https://hanab.live/shared-replay-json"
    cards, actions, variant = text.replace("-", "").split(",")
    low, high = int(actions[0]), int(actions[1])
    told = []
    for what, target in re.findall("(.)(.)", actions[2:]):
        value, kind = divmod(LETTERS.index(what), high - low + 1)
        action = {"type": kind + low, "target": LETTERS.index(target)}
        told.append(action | ({"value": value - 1} if value else {}))
    deck = [divmod(LETTERS.index(letter), 5) for letter in cards[3:]]
    return {
        "seats": int(cards[0]),
        "ranks": cards[1:3],
        "variant": variant,
        "deck": [{"suitIndex": suit, "rank": rank + 1} for suit, rank in deck],
        "actions": told,
    }


def played_again(file: Any, players: int) -> list[str]:
    """The file's actions in our notation: who holds which card is kept as that site does."""
    size = 5 if players <= 3 else 4
    hands = [list(range(seat * size, seat * size + size)) for seat in range(players)]
    drawn, notations = players * size, []
    for turn, action in enumerate(file["actions"]):
        hand = hands[turn % players]
        if action["type"] < 2:
            notations.append(f"{'pd'[action['type']]}{hand.index(action['target'])}")
            hand.remove(action["target"])
            hand += [drawn] if drawn < len(DECK) else []
            drawn += 1
        elif action["type"] == 2:
            notations.append(f"h{action['target']}{SUITS[action['value']]}")
        else:
            notations.append(f"h{action['target']}{action['value']}")
    return notations


@given(st.integers(2, 5), st.integers(0, 10_000))
def test_the_file_holds_the_same_deck_and_the_same_actions(players: int, index: int) -> None:
    game, seed = Hanabi.from_options({"players": players}), deal_seed(SECRET, index)
    rng = Random(index)  # noqa: S311 - repeatable test data
    actions = played(game, game.deal(seed), cheating(0.1), rng)
    file: Any = presented(game).elsewhere(seed, map(game.parse, actions)).file
    deck = [f"{SUITS[card['suitIndex']]}{card['rank']}" for card in file["deck"]]
    assert deck == list(shuffled(DECK, seed))
    assert played_again(file, players) == actions
    assert len(file["players"]) == players
    assert file["options"] == {"variant": "No Variant"}


@given(st.integers(2, 5), st.integers(0, 10_000))
def test_the_link_carries_what_the_file_has(players: int, index: int) -> None:
    told = sent({"players": players}, index)
    carried = read_link(told.link)
    assert (carried["seats"], carried["ranks"], carried["variant"]) == (players, "15", "0")
    assert carried["deck"] == told.file["deck"]
    assert carried["actions"] == told.file["actions"]
    assert re.fullmatch(r"[0-9A-Za-z,-]+", told.link.rpartition("/")[2])


def test_cards_are_named_by_their_place_in_the_deck_and_white_as_purple() -> None:
    told = sent({}, 0, ["h11", "h02"])
    assert read_link(told.link)["actions"] == told.file["actions"]
    assert sent({}, 1).note == "White is shown as purple there."
    assert sent({}, 1).site == "hanab.live"
    assert not sent({"variant": "uwa", "empty_hints": False}, 2).refusal


def test_a_hint_that_touches_nothing_needs_an_option_that_no_link_carries() -> None:
    game, seed = Hanabi.from_options({"variant": "uwa"}), deal_seed(SECRET, 3)
    held = game.deal(seed).observe(0)["hands"][1]["cards"]
    rank = next(rank for rank in "12345" if all(rank not in card for card in held))
    told = sent({"variant": "uwa"}, 3, [f"h1{rank}"])
    assert (told.link, told.why_no_link) == (
        "",
        "A link cannot carry a hint that touches no card.",
    )
    assert told.file["options"]["emptyClues"] is True


@every(
    ("options", "words"),
    [
        ({"hint_tokens": 7}, "with 7 hint tokens"),
        ({"lives": 4}, "with 4 lives"),
        ({"hand_size": 4}, "of 2 seats with hands of 4"),
        ({"five_returns_token": False}, "in which a completed colour returns no hint token"),
        ({"last_round": "after_failed_draw"}, "whose last round begins with a failed draw"),
        ({"misplay": "token", "lives": None}, "in which a misplay costs a hint token"),
        ({"variant": "cs221"}, "with 7 hint tokens"),
    ],
)
def test_rules_that_hanab_live_does_not_have_are_named(options: JsonObject, words: str) -> None:
    told = sent(options, 0)
    assert told.refusal == f"hanab.live has no game {words}."
    assert (told.file, told.link) == (None, "")


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (["s01"], "Cards were swapped in turn 0"),
        (["d0"], "A card was discarded in turn 0 while all hint tokens were there"),
        ([], "No action was taken"),
    ],
)
def test_an_action_that_hanab_live_does_not_have_is_named(actions: list[str], words: str) -> None:
    assert sent({"variant": "gcc"}, 0, actions).refusal.startswith(words)


def test_a_game_for_which_there_is_no_such_site_has_none() -> None:
    from grader.core.games.hearts import Hearts

    game = Hearts.from_options({})
    assert presented(game).elsewhere(deal_seed(SECRET, 0), []) is None
