"""Hanabi's options: the named variants, the defaults that depend on others, and what is refused."""

import pytest

from grader.core.errors import RulesError
from grader.core.games.hanabi import Hanabi
from tests.grader.core.games.table import OPENING, Table
from tests.support.every import every


@every(
    ("variant", "players", "differences"),
    [
        ("standard", 2, {}),
        ("gcc", 2, {"colors": "RBGYW", "discard_at_max": "allowed", "swaps": True}),
        ("uwa", 2, {"colors": "BRGWY", "empty_hints": True, "draw_position": "slot"}),
        ("ensta", 2, {"colors": "RBGWY"}),
        (
            "cs221",
            3,
            {
                "hand_size": 4,
                "hint_tokens": 7,
                "lives": None,
                "misplay": "token",
                "five_returns_token": False,
                "discard_at_max": "allowed",
                "last_round": "after_failed_draw",
            },
        ),
    ],
)
def test_a_named_variant_is_the_courses_column_of_the_table(variant, players, differences):
    rules = {
        "variant": variant,
        "players": players,
        "colors": "RYGWB",
        "hand_size": 5,
        "hint_tokens": 8,
        "lives": 3,
        "misplay": "strike",
        "strikeout_score": "zero",
        "five_returns_token": True,
        "discard_at_max": "illegal",
        "empty_hints": False,
        "last_round": "after_last_draw",
        "draw_position": "end",
        "swaps": False,
    }
    assert Hanabi.from_options({"variant": variant}).options == {**rules, **differences}


def test_colours_are_listed_in_the_order_of_the_option_which_changes_no_deal():
    table = Table(OPENING, variant="uwa")
    assert table.legal("h") == "h1B h1R h1G h1W h1Y h11 h12 h13 h14 h15"
    assert list(table["fireworks"]) == list("BRGWY")
    assert table.play("h1G").known(1).endswith("??:BRWY/12345")
    hands = [
        Hanabi.from_options({"colors": colors}).deal(bytes(32)).observe(1)["hands"][0]["cards"]
        for colors in ("RYGWB", "BWGYR")
    ]
    assert hands[0] == hands[1]


def test_a_variant_may_be_overridden_option_by_option():
    old = {"variant": "ensta", "empty_hints": True, "strikeout_score": "keep", "hand_size": 3}
    options = Hanabi.from_options(old).options
    assert {name: options[name] for name in old} == old
    assert options["colors"] == "RBGWY"
    options = {"variant": "cs221", "misplay": "strike", "lives": 3}
    assert Hanabi.from_options(options).options["lives"] == 3


@every(
    ("options", "reason"),
    [
        ({"variant": "german"}, "option 'variant' is 'german'; allowed: 'standard', 'gcc', 'uwa'"),
        ({"variant": None}, "option 'variant' is null; allowed: 'standard'"),
        ({"players": 1}, "option 'players' is 1; allowed: whole numbers from 2 to 5"),
        ({"players": 6}, "option 'players' is 6; allowed: whole numbers from 2 to 5"),
        ({"players": 2.0}, "option 'players' is 2.0; allowed: whole numbers from 2 to 5"),
        ({"players": True}, "option 'players' is true; allowed: whole numbers from 2 to 5"),
        ({"players": 10**5000}, "option 'players' is a huge number; allowed"),
        ({"variant": "gcc", "players": 3}, "option 'players' is 3; allowed: 2$"),
        ({"colors": "RYGW"}, "option 'colors' is 'RYGW'; allowed: RYGWB in any order"),
        ({"colors": ["R"]}, "option 'colors' is a list; allowed: RYGWB in any order"),
        ({"hand_size": 1}, "option 'hand_size' is 1; allowed: whole numbers from 2 to 5"),
        ({"hint_tokens": 0}, "option 'hint_tokens' is 0; allowed: whole numbers from 1 to 20"),
        ({"lives": 0}, "option 'lives' is 0; allowed: whole numbers from 1 to 9"),
        ({"lives": None}, "option 'lives' is null; allowed: whole numbers from 1 to 9"),
        ({"misplay": "shrug"}, "option 'misplay' is 'shrug'; allowed: 'strike', 'token'"),
        ({"misplay": "token"}, "option 'lives' is 3; allowed: null while misplay is 'token'"),
        ({"strikeout_score": 0}, "option 'strikeout_score' is 0; allowed: 'zero', 'keep'"),
        ({"five_returns_token": 1}, "option 'five_returns_token' is 1; allowed: true, false"),
        (
            {"discard_at_max": True},
            "option 'discard_at_max' is true; allowed: 'illegal', 'allowed'",
        ),
        ({"empty_hints": "no"}, "option 'empty_hints' is 'no'; allowed: true, false"),
        ({"last_round": "never"}, "allowed: 'after_last_draw', 'after_failed_draw'"),
        ({"draw_position": 0}, "option 'draw_position' is 0; allowed: 'end', 'slot'"),
        ({"swaps": None}, "option 'swaps' is null; allowed: true, false"),
        ({"lifes": 3}, "unknown option 'lifes'; allowed: variant, players, colors, hand_size"),
        ({"x" * 1000: 3}, "unknown option 'x{24}'…; allowed"),
    ],
)
def test_a_refusal_names_option_value_and_what_is_allowed(options, reason):
    with pytest.raises(RulesError, match=reason) as caught:
        Hanabi.from_options(options)
    option = caught.value.option
    assert str(caught.value).startswith(f"option {option!r} is" if option else "unknown option")
