"""Hanabi's hands and deck near the end, its swaps, and its texts, option by option."""

import pytest

from grader.core.errors import IllegalAction
from tests.grader.core.games.table import OPENING, Table

UNTOLD = "??:RYGWB/12345"


def test_a_drawn_card_goes_to_the_end_or_takes_the_slot_of_the_one_that_left():
    table = Table(OPENING).play("p2")
    assert table.hand(0) == "R1 R2 Y5 B4 B5"
    assert table.ids(0) == [0, 1, 3, 4, 10]
    table = Table(OPENING, draw_position="slot").play("p2")
    assert table.hand(0) == "R1 R2 B5 Y5 B4"
    assert table.ids(0) == [0, 1, 10, 3, 4]
    assert table.last_events(1) == [{"type": "draw", "seat": 0, "index": 2, "card": "B5"}]
    table = Table(OPENING, draw_position="slot").play("h1R h01 h13 p2")
    red, other = "R?:R/1245", "??:YGWB/1245"
    assert table.known(1) == f"{other} {other} {UNTOLD} {red} {red}"


def test_hands_shrink_or_keep_an_empty_slot_when_the_deck_is_empty():
    table = Table(OPENING).until_deck_has(0)
    seat = table.state.seat_to_act
    cards = table.hand(seat).split()
    table.play("p1")
    assert table.hand(seat).split() == [cards[0], *cards[2:]]
    assert table.last_events(0)[0]["type"] == "play"
    table = Table(OPENING, draw_position="slot").until_deck_has(0)
    seat = table.state.seat_to_act
    cards = table.hand(seat).split()
    table.play("p1")
    assert table.hand(seat).split() == [cards[0], "--", *cards[2:]]
    assert table.ids(seat)[1] is None
    assert table.known(seat).split()[1] == "--"
    assert table.state.observe(seat)["hands"][seat]["cards"] == (None,) * 5


def test_an_empty_slot_can_be_neither_played_nor_touched():
    table = Table(OPENING, draw_position="slot", last_round="after_failed_draw", swaps=True)
    table.until_deck_has(0)
    seat = table.state.seat_to_act
    table.play("p1")
    hints = table.legal("h").split()
    left = set("".join(table.hand(seat).replace("--", "").split()))
    assert {hint[2] for hint in hints} == left
    table.play(hints[0])
    assert table.state.seat_to_act == seat
    assert table.legal("p") == "p0 p2 p3 p4"
    assert table.legal("s") == "s02 s03 s04 s23 s24 s34"
    assert table.refusal("p1") == "card is 1, a slot without a card"
    assert table.refusal("s12") == "first is 1, a slot without a card"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_seat_has_one_turn_after_the_last_card_is_drawn(players):
    table = Table(OPENING, players=players).until_deck_has(1)
    while table["deck"]:
        assert table["turns_left"] is None
        drawer = table.state.seat_to_act
        table.pass_time()
    for left in range(players, 0, -1):
        assert (table["turns_left"], table.state.ending) == (left, None)
        last = table.state.seat_to_act
        table.pass_time()
    assert (table.state.ending, table["turns_left"], last) == ("deck_out", 0, drawer)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_seat_has_one_turn_after_the_first_draw_that_fails(players):
    table = Table(OPENING, players=players, last_round="after_failed_draw").until_deck_has(0)
    assert table["hint_tokens"] == 8
    table.pass_time()
    assert table["turns_left"] is None, "a hint does not need a card"
    failed = table.state.seat_to_act
    table.play("d0")
    for left in range(players, 0, -1):
        assert (table["turns_left"], table.state.ending) == (left, None)
        last = table.state.seat_to_act
        table.pass_time()
    assert (table.state.ending, last) == ("deck_out", failed)


@pytest.mark.parametrize("fails_to_draw", ["p0", "d0"])
def test_a_hand_one_card_short_may_discard_the_missing_card(fails_to_draw):
    table = Table(OPENING, variant="cs221").until_deck_has(0).play(f"{fails_to_draw} d0")
    table.play(table.legal("h").split()[0])
    tokens, trash, seat = table["hint_tokens"], table["discards"], table.state.seat_to_act
    assert (len(table.hand(seat).split()), table.legal("d")) == (3, "d0 d1 d2")
    assert table.state.describe({"type": "discard", "card": 3}).endswith("which it does not have")
    table.play("d3")
    assert (tokens, table["hint_tokens"]) == (6, 7)
    assert table["discards"] == trash
    assert table.state.ending == "deck_out"
    said = {"type": "discard", "seat": seat, "index": 3, "card": None}
    assert [table.last_events(each) for each in range(3)] == [[said]] * 3


def test_a_missing_card_is_neither_played_nor_discarded_from_a_full_hand():
    table = Table(OPENING, variant="cs221", hand_size=3).until_deck_has(0)
    discard = {"type": "discard", "card": 3}
    with pytest.raises(IllegalAction, match="card is 3; allowed: 0 to 2"):
        table.state.apply(discard)
    table.play("d0 d0 d0")
    assert table.refusal("p2") == "card is 2; allowed: 0 to 1"


def test_a_play_can_be_the_draw_that_fails():
    table = Table(OPENING, last_round="after_failed_draw").until_deck_has(0)
    assert table.play("p0")["turns_left"] == 2


def test_a_game_ends_by_its_last_strike_without_a_last_round():
    table = Table(OPENING, last="Y3 Y4 W5", lives=1).until_deck_has(0).pass_time()
    assert table["turns_left"] == 1
    table.play("p4")
    assert (table.state.ending, table.state.scores()) == ("strikes", (0, 0))
    assert not [*table.state.legal_actions(), *table.state.tolerated_actions()]
    table = Table(OPENING, lives=1, last_round="after_failed_draw").play("p1")
    assert (table.state.ending, table["turns_left"]) == ("strikes", None)


def test_a_swap_exchanges_two_cards_with_what_is_known_and_the_same_seat_acts_again():
    table = Table(OPENING, swaps=True).play("s02")
    assert (table.hand(0), table.ids(0)) == ("Y1 R2 R1 Y5 B4", [2, 1, 0, 3, 4])
    assert (table["turn"], table["to_act"], table["hint_tokens"]) == (1, 0, 8)
    expected = {"type": "swap", "seat": 0, "first": 0, "second": 2}
    assert table.last_events(0) == table.last_events(1) == [expected]
    assert table.play("p2")["fireworks"]["R"] == 1
    table = Table(OPENING, swaps=True).play("h1W s02")
    other = "??:RYGB/12345"
    assert table.known(1) == f"W?:W/12345 {other} {other} {other} {other}"
    assert table.state.seat_to_act == 1


def test_swaps_are_listed_once_and_a_turn_has_at_most_a_hundred():
    table = Table(OPENING, swaps=True)
    assert table.legal("s") == "s01 s02 s03 s04 s12 s13 s14 s23 s24 s34"
    table = Table(OPENING, swaps=True).play("s01 " * 100)
    assert table.legal("s") == ""
    assert "100 swaps" in table.refusal("s01")
    assert table.play("p0").legal("s").startswith("s01")


def test_a_swap_may_say_the_larger_index_first_or_change_nothing():
    """As in the course whose rules have swaps; the other seat is told it as it was said."""
    table = Table(OPENING, swaps=True).play("s20 s11")
    assert (table.hand(0), table.ids(0)) == ("Y1 R2 R1 Y5 B4", [2, 1, 0, 3, 4])
    expected = {"type": "swap", "seat": 0, "first": 1, "second": 1}
    assert table.last_events(1) == [expected]
    told = [(each["first"], each["second"]) for each in table.state.tolerated_actions()]
    assert told[:4] == [(0, 0), (1, 0), (1, 1), (2, 0)]


def test_actions_are_described_with_the_cards_behind_them():
    table = Table(OPENING, swaps=True, empty_hints=True, discard_at_max="allowed")
    describe = {
        name: table.state.describe(table.game.parse(name)) for name in table.legal().split()
    }
    assert describe["p0"] == "seat 1 plays card 1, the red 1"
    assert describe["p3"] == "seat 1 misplays card 4, the yellow 5"
    assert describe["d4"] == "seat 1 discards card 5, the blue 4"
    assert describe["h1R"] == "seat 1 hints seat 2: red, cards 4, 5"
    assert describe["h13"] == "seat 1 hints seat 2: 3, card 3"
    assert describe["h1Y"] == "seat 1 hints seat 2: yellow, no card"
    assert describe["s02"] == "seat 1 swaps its cards 1 and 3"


def test_the_table_in_plain_text_shows_every_card():
    assert Table(OPENING).play("h1R p2").state.text().splitlines() == [
        "turn 2, seat 1 to act: 7 hint tokens, 2 lives, 39 cards in the deck",
        "  fireworks  R0 Y0 G0 W0 B0   score 0",
        "  discards   W3",
        "  seat 1     R1           R2           Y1           Y5           B4",
        "    may be   RYGWB-12345  RYGWB-12345  RYGWB-12345  RYGWB-12345  RYGWB-12345",
        "  seat 2     G1           G2           R1           R1           B5",
        "    may be   YGWB-12345   YGWB-12345   R-12345      R-12345      RYGWB-12345",
    ]
