"""Hanabi's rules, option by option, in hand-built positions: deals, plays, discards, hints."""

import pytest

from grader.core.errors import RulesError
from grader.core.games.hanabi import DECK, Hanabi
from tests.grader.core.games.table import OPENING, Table
from tests.support.every import every

UNTOLD = "??:RYGWB/12345"


def test_hands_are_dealt_in_blocks_and_draws_go_on_from_there():
    table = Table(OPENING)
    assert table.hand(0) == "R1 R2 Y1 Y5 B4"
    assert table.hand(1) == "G1 G2 W3 R1 R1"
    table.play("p0 p0")
    assert table.hand(0) == "R2 Y1 Y5 B4 B5"
    assert table.hand(1) == "G2 W3 R1 R1 B3"


@pytest.mark.parametrize(("players", "size"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_hands_are_smaller_with_more_players(players, size):
    table = Table(OPENING, players=players)
    assert all(len(table.hand(seat).split()) == size for seat in range(players))
    assert table["deck"] == 50 - players * size


def test_a_seat_sees_the_other_hands_and_not_its_own():
    hands = Table(OPENING).state.observe(0)["hands"]
    assert hands[0]["cards"] == (None,) * 5
    assert hands[1]["cards"] == ("G1", "G2", "W3", "R1", "R1")
    state = Table(OPENING).state
    dealt = ("R1", "R2", "Y1", "Y5", "B4"), ("G1", "G2", "W3", "R1", "R1")
    assert list(state.events(0)) == [{"type": "deal", "hands": [None, dealt[1]]}]
    assert list(state.events(1)) == [{"type": "deal", "hands": [dealt[0], None]}]


def test_the_first_observation_is_complete():
    seen = dict(Table(OPENING).state.observe(1))
    del seen["hands"]
    assert seen == {
        "turn": 0,
        "seat": 1,
        "to_act": 0,
        "hint_tokens": 8,
        "lives": 3,
        "deck": 40,
        "fireworks": {"R": 0, "Y": 0, "G": 0, "W": 0, "B": 0},
        "discards": (),
        "turns_left": None,
        "score": 0,
    }


def test_a_deck_of_other_cards_is_refused():
    with pytest.raises(RulesError, match="fifty cards"):
        Hanabi.from_options({}).start(["R1"] * 50)
    with pytest.raises(RulesError, match="fifty cards"):
        Hanabi.from_options({}).start(DECK[:-1])


def test_a_card_that_fits_builds_its_firework():
    table = Table(OPENING).play("p0")
    assert table["fireworks"] == {"R": 1, "Y": 0, "G": 0, "W": 0, "B": 0}
    assert (table["score"], table["lives"], table["discards"]) == (1, 3, ())
    expected = {"type": "play", "seat": 0, "index": 0, "card": "R1", "success": True}
    assert table.last_events(0, 2)[0] == table.last_events(1, 2)[0] == expected


@pytest.mark.parametrize(
    ("notations", "card"),
    [("p1", "R2"), ("p3", "Y5"), ("p0 p3", "R1")],
    ids=["too early", "much too early", "there already"],
)
def test_a_card_that_does_not_fit_is_discarded_and_costs_a_life(notations, card):
    table = Table(OPENING).play(notations)
    assert (table["lives"], table["discards"], table["hint_tokens"]) == (2, (card,), 8)
    assert table.last_events(0, 2)[0]["success"] is False


def test_a_drawn_card_is_hidden_from_the_seat_that_drew_it():
    table = Table(OPENING).play("p2")
    assert table.last_events(1) == [{"type": "draw", "seat": 0, "index": 4, "card": "B5"}]
    assert table.last_events(0) == [{"type": "draw", "seat": 0, "index": 4, "card": None}]


STRIKING_OUT = "p0 p2 p2 p2"
"""From OPENING: R1 fits, then W3, Y5 and the second R1 do not."""


def test_the_third_strike_ends_the_game_without_a_draw_and_scores_by_the_option():
    table = Table(OPENING).play(STRIKING_OUT)
    assert (table.state.ending, table.state.seat_to_act, table["lives"]) == ("strikes", None, 0)
    assert (table.state.scores(), table["score"]) == ((0, 0), 0)
    assert table["discards"] == ("W3", "Y5", "R1")
    assert (table.hand(1), table["deck"]) == ("G1 G2 R1 B3", 37)
    assert table.last_events(0)[0]["type"] == "play"
    table = Table(OPENING, strikeout_score="keep").play(STRIKING_OUT)
    assert (table.state.ending, table.state.scores(), table["score"]) == ("strikes", (1, 1), 1)


def test_the_number_of_lives_is_an_option_and_a_game_that_is_over_takes_no_action():
    assert Table(OPENING, lives=1).play("p1").state.ending == "strikes"
    assert Table(OPENING, lives=4).play(STRIKING_OUT).state.ending is None
    table = Table(OPENING, lives=1).play("p1")
    assert table.legal() == ""
    assert table.refusal("p0") == "the game is over"


REDS = "R1 R2 R3 R4 R5 G1 G2 G3 G4 W1"
"""Seat 0 can complete red while seat 1 plays greens."""


def test_completing_a_colour_returns_a_token_if_one_is_missing_and_rules_do_not_forbid_it():
    assert Table(REDS).play("p0 h0R p0 h0R p0 h0R p0 h0R p0")["hint_tokens"] == 5
    table = Table(REDS, five_returns_token=False).play("p0 h0R p0 h0R p0 h0R p0 h0R p0")
    assert (table["hint_tokens"], table["fireworks"]["R"]) == (4, 5)
    assert Table(REDS).play("p0 p0 p0 p0 p0 p0 p0 p0 p0")["hint_tokens"] == 8


def test_the_last_card_of_the_last_firework_ends_the_game_at_once():
    whites_and_greens = "G1 W1 G2 W2 G3 W3 G4 W4 G5 W5"
    table = Table(f"R1 R2 R3 R4 R5 Y1 Y2 Y3 Y4 Y5 {whites_and_greens} B1 B2 B3 B4 B5")
    table.play("p0 " * 24)
    assert table.state.ending is None
    table.play("p0")
    assert (table.state.ending, table.state.scores()) == ("perfect", (25, 25))
    assert (table["deck"], len(table.hand(0).split())) == (16, 4)
    assert table["turns_left"] is None


def test_a_misplay_costs_a_token_if_there_is_one_where_there_are_no_lives():
    table = Table(OPENING, variant="cs221", players=2).play("p1")
    assert (table["hint_tokens"], table["lives"], table["discards"]) == (6, None, ("R2",))
    table = Table(OPENING, variant="cs221", players=2).play("h14 h01 h14 h01 h14 h01 h14")
    assert table["hint_tokens"] == 0
    table.play("p0")
    assert (table["hint_tokens"], table["discards"]) == (0, ("B4",))
    table = Table(OPENING, variant="cs221", players=2).play("p3 p3 p1 p2 p3")
    assert (table["discards"], table.state.ending) == (("Y5", "W3", "R2", "G2", "B5"), None)


def test_a_discard_returns_a_token():
    table = Table(OPENING).play("h1G d1")
    assert (table["hint_tokens"], table["discards"], table["score"]) == (8, ("G2",), 0)
    assert table.hand(1) == "G1 W3 R1 R1 B5"
    expected = {"type": "discard", "seat": 1, "index": 1, "card": "G2"}
    assert table.last_events(0, 2)[0] == table.last_events(1, 2)[0] == expected


def test_a_discard_with_all_tokens_is_illegal_or_gains_nothing():
    table = Table(OPENING)
    assert table.legal("d") == ""
    assert "all 8 hint tokens" in table.refusal("d0")
    assert table.play("h1G").legal("d") == "d0 d1 d2 d3 d4"
    table = Table(OPENING, discard_at_max="allowed")
    assert table.legal("d") == "d0 d1 d2 d3 d4"
    assert table.play("d0")["hint_tokens"] == 8


def test_a_hint_costs_a_token_and_points_at_all_cards_of_it():
    table = Table(OPENING).play("h1R")
    assert table["hint_tokens"] == 7
    expected = {"type": "hint", "seat": 0, "to": 1, "color": "R", "cards": (3, 4)}
    assert table.last_events(0) == table.last_events(1) == [expected]
    table.play("h01")
    expected = {"type": "hint", "seat": 1, "to": 0, "rank": 1, "cards": (0, 2)}
    assert table.last_events(0) == table.last_events(1) == [expected]


def test_hints_tell_about_the_cards_they_leave_out_too():
    table = Table(OPENING).play("h1R")
    other, red = "??:YGWB/12345", "R?:R/12345"
    assert table.known(1) == f"{other} {other} {other} {red} {red}"
    table.play("h01 h11")
    other = "??:YGWB/2345"
    assert table.known(1) == f"?1:YGWB/1 {other} {other} R1:R/1 R1:R/1"


def test_knowledge_moves_with_its_card_and_a_new_card_is_unknown():
    table = Table(OPENING).play("h1R p0 h1W p0")
    assert table.hand(1) == "W3 R1 R1 B5 B3"
    red, new = "R?:R/12345", "??:RYGB/12345"
    assert table.known(1) == f"W?:W/12345 {red} {red} {new} {UNTOLD}"


def test_a_hint_that_touches_nothing_is_illegal_or_says_so():
    table = Table(OPENING)
    assert table.legal("h") == "h1R h1G h1W h11 h12 h13"
    assert table.refusal("h1Y") == "the hint Y touches no card of seat 1"
    assert "touches no card" in table.refusal("h15")
    table = Table(OPENING, empty_hints=True)
    assert table.legal("h") == "h1R h1Y h1G h1W h1B h11 h12 h13 h14 h15"
    table.play("h1Y")
    assert table.last_events(1)[0]["cards"] == ()
    assert table.known(1) == " ".join(["??:RGWB/12345"] * 5)


def test_a_colour_left_by_exclusion_alone_is_not_called_hinted():
    table = Table("R1 R2 Y1 Y5 B4 B1 B1 B1 B2 B3", empty_hints=True, hint_tokens=9)
    table.play("h1R h01 h1Y h01 h1G h01 h1W")
    assert table.known(1) == " ".join(["??:B/12345"] * 5)
    table.play("h01 h1B")
    assert table.known(1) == " ".join(["B?:B/12345"] * 5)


def test_there_is_no_hint_without_a_token():
    table = Table(OPENING, hint_tokens=2).play("h1R h01")
    assert (table["hint_tokens"], table.legal("h")) == (0, "")
    assert table.refusal("h1R") == "there is no hint token left"


def test_hints_are_listed_in_order_of_play_from_the_next_seat():
    table = Table("R1 R2 R3 R4 R5 G1 G1 G1 G2 G2 W1 W1 W1 W2 W2", players=3)
    assert table.legal("h") == "h1G h11 h12 h2W h21 h22"
    table.play("p0")
    assert table.legal("h").startswith("h2W h21 h22 h0R")


@every(
    ("action", "reason"),
    [
        ({"type": "hint", "to": 0, "color": "R"}, "to is 0; allowed: 1"),
        ({"type": "hint", "to": 2, "color": "R"}, "to is 2; allowed: 1"),
        ({"type": "hint", "to": -1, "color": "R"}, "to is -1; allowed: 1"),
        ({"type": "hint", "to": True, "color": "R"}, "to is true; allowed: 1"),
        ({"type": "hint", "to": 1}, "a hint names either a color or a rank"),
        ({"type": "hint", "to": 1, "color": "R", "rank": 1}, "either a color or a rank"),
        ({"type": "hint", "to": 1, "color": "red"}, "color is 'red'; allowed: R, Y, G, W, B"),
        ({"type": "hint", "to": 1, "rank": 6}, "rank is 6; allowed: 1 to 5"),
        ({"type": "hint", "to": 1, "rank": "1"}, "rank is '1'; allowed: 1 to 5"),
        ({"type": "play", "card": 5}, "card is 5; allowed: 0 to 4"),
        ({"type": "play", "card": 10**5000}, "card is a huge number; allowed: 0 to 4"),
        ({"type": "play"}, "card is null; allowed: 0 to 4"),
        ({"type": "swap", "first": 0, "second": 1}, "allowed: play, discard, hint"),
        ({"type": "Play", "card": 0}, "type is 'Play'; allowed: play, discard, hint"),
        (["play", 0], "an action is an object"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_is_allowed(action, reason):
    state = Table(OPENING).state
    with pytest.raises(ValueError, match=f"{reason}$" if "object" not in reason else reason):
        state.apply(action)


def test_a_null_color_beside_a_rank_counts_as_absent():
    table = Table(OPENING)
    table.state.apply({"type": "hint", "to": 1, "color": None, "rank": 1})
    assert table.last_events(0)[0]["rank"] == 1
