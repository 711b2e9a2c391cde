"""Hearts rule by rule, from decks of our choice."""

from random import Random

import pytest

from grader.core.errors import IllegalAction, RecordError, RulesError
from grader.core.games.hearts import CARDS, MAX_EXTRA_HANDS, Hearts, HeartsState, deck
from grader.core.games.hearts.options import MAX_HANDS
from tests.support.every import every

EAST = "C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK CA"
SUITS = [*EAST.split(), *(card for card in CARDS if card[0] != "C")]
"""Four seats with a suit each: C D S H."""


def game(players: int = 4, **options: object) -> Hearts:
    return Hearts.from_options({"players": players, "passing": "none", "hands": 1, **options})


def table(cards: list[str] | None = None, players: int = 4, **options: object) -> HeartsState:
    return game(players, **options).start([cards or SUITS])


def dealt(*hands: str, players: int = 4) -> list[str]:
    """A deck in which the seats hold these cards, and what is left in order."""
    given = [hand.split() for hand in hands]
    used = {card for hand in given for card in hand}
    rest = [card for card in deck(players) if card not in used]
    size = len(deck(players)) // players
    cards = []
    for hand in given:
        cards += [*hand, *(rest.pop(0) for _ in range(size - len(hand)))]
    return cards + rest


def play(state: HeartsState, cards: str) -> HeartsState:
    for card in cards.split():
        state.apply({"type": "play", "card": card})
    return state


def on(state: HeartsState) -> HeartsState:
    """To the end, always the first card that is allowed."""
    while legal := state.legal_actions():
        state.apply(legal[0])
    return state


def legal(state: HeartsState) -> list[str]:
    return [action["card"] for action in state.legal_actions()]


def refusal(state: HeartsState, card: str) -> str:
    with pytest.raises(IllegalAction) as refused:
        state.apply({"type": "play", "card": card})
    return str(refused.value)


# --- The deal ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "size"), [(2, 26), (3, 17), (4, 13)])
def test_every_seat_holds_equally_many(players: int, size: int) -> None:
    state = game(players).deal(bytes(32))
    hands = [state.observe(seat)["hand"] for seat in range(players)]
    assert [len(hand) for hand in hands] == [size] * players
    assert sorted(card for hand in hands for card in hand) == sorted(deck(players))


def test_a_game_is_dealt_from_the_cards_of_its_players_hand_by_hand() -> None:
    assert set(CARDS) - set(deck(3)) == {"D2"}
    state = Hearts.from_options({"variant": "fit2102"}).deal(bytes(32))
    first = state.observe(0)["hand"]
    while state.observe(0)["hand_number"] == 0:
        state.apply(state.legal_actions()[0])
    assert state.observe(0)["hand"] != first
    with pytest.raises(RulesError, match="52 cards"):
        game().start([["C2"] * 52])


# --- The first trick -----------------------------------------------------------------------------


def test_the_two_of_clubs_leads_and_play_goes_to_the_next_higher_seat() -> None:
    state = table(dealt("D2", "C2 C3"))
    assert (state.seat_to_act, legal(state)) == (1, ["C2"])
    assert "is led with C2" in refusal(state, "C3")
    state = table(dealt("C3", "C4", "C5", "C2"))
    order = []
    for card in ["C2", "C3", "C4", "C5"]:
        order.append(state.seat_to_act)
        play(state, card)
    assert order == [3, 0, 1, 2]


def test_no_points_are_played_in_the_first_trick() -> None:
    hand = "D3 SQ HA HK HQ HJ HT H9 H8 H7 H6 H5 H4"
    state = play(table(dealt("C2", hand)), "C2")
    assert legal(state) == ["D3"]
    assert "no points are played in the first trick" in refusal(state, "SQ")


@pytest.mark.parametrize(("other", "bleeding"), [("H3", "strict"), ("D3", "lenient")])
def test_a_hand_of_points_alone_and_lenient_tables_play_points_in_the_first_trick(
    other: str, bleeding: str
) -> None:
    hand = f"SQ HA HK HQ HJ HT H9 H8 H7 H6 H5 H4 {other}"
    assert len(legal(play(table(dealt("C2", hand), bleeding=bleeding), "C2"))) == 13


# --- Following and leading -----------------------------------------------------------------------


def test_a_seat_that_can_must_follow_suit() -> None:
    state = play(table(dealt("C2 D3", "C3 D4 S2")), "C2")
    assert set(legal(state)) <= set(EAST.split())
    assert "clubs were led, and the hand has some" in refusal(state, "D4")


def test_the_highest_of_the_suit_that_was_led_takes_the_trick() -> None:
    state = play(table(dealt("C2", "CA", "C3", "D2")), "C2 CA C3")
    play(state, legal(state)[0])
    assert state.seat_to_act == 1
    assert state.observe(1)["taken"][1][:3] == ("C2", "CA", "C3")


def test_hearts_are_led_once_they_are_broken_or_from_a_hand_of_hearts() -> None:
    state = table(dealt("CA C6 H2 H3", "C2 C7", "C3 C8", "C4 C9"))
    play(state, "C2 C3 C4 CA")
    assert state.seat_to_act == 0
    assert not {"H2", "H3"} & set(legal(state))
    assert "hearts are not broken yet" in refusal(state, "H2")
    hearts = "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK"
    state = table(dealt(f"CA {hearts}", "C2", "C3", "C4"))
    play(state, "C2 C3 C4 CA")
    assert legal(state) == hearts.split()
    state = table()
    on(play(state, "C2"))
    assert state.observe(0)["hearts_broken"]


@pytest.mark.parametrize("queen_breaks", [True, False])
def test_the_queen_breaks_hearts_if_the_options_say_so(queen_breaks: bool) -> None:  # noqa: FBT001
    state = table(list(CARDS), players=2, queen_breaks=queen_breaks)
    play(state, "C2 S2 C3 SQ")
    assert state.observe(0)["hearts_broken"] is queen_breaks


# --- Points --------------------------------------------------------------------------------------


def test_a_hand_costs_twenty_six_points_and_a_moon_by_the_option() -> None:
    state = on(game().deal(bytes(31) + b"\x07"))
    assert sum(state.scores()) in {26, 78}
    state = on(table())
    assert state.scores() == (0, 26, 26, 26)
    assert state.events(2)[-1]["moon"] == 0
    assert on(table(moon="self")).scores() == (-26, 0, 0, 0)


# --- The end -------------------------------------------------------------------------------------


def test_a_game_ends_by_its_hands_or_a_total_with_a_single_lowest_seat() -> None:
    state = on(Hearts.from_options({"hands": 3}).deal(bytes(32)))
    hands = [event for event in state.events(0) if event["type"] == "hand"]
    assert (len(hands), state.ending) == (3, "hands")
    state = on(Hearts.from_options({}).deal(bytes(32)))
    totals = state.scores()
    assert state.ending == "total"
    assert max(totals) >= 100
    assert totals.count(min(totals)) == 1
    before = [event["totals"] for event in state.events(0) if event["type"] == "hand"][:-1]
    assert before
    assert all(max(totals) < 100 for totals in before), "it goes on until then"


def halved() -> list[str]:
    """A deck of two by which both get thirteen points, if both play the first card allowed."""
    decks = (Random(number).sample(CARDS, 52) for number in range(1000))  # noqa: S311
    return next(cards for cards in decks if on(table(cards, players=2)).scores() == (13, 13))


def test_ties_for_the_fewest_and_moons_do_not_go_on_for_ever() -> None:
    tied = on(game(2, hands=0, end_at=13).start([halved()]))
    assert tied.ending == "tied"
    assert tied.scores() == (13 * (1 + MAX_EXTRA_HANDS),) * 2
    endless = on(game(moon="self", hands=0).start([SUITS]))
    assert endless.ending == "hand_limit"
    assert endless.observe(0)["hand_number"] + 1 == MAX_HANDS


# --- Passing -------------------------------------------------------------------------------------


def passing(players: int = 4, hand: int = 0) -> HeartsState:
    state = Hearts.from_options({"players": players}).deal(bytes(32))
    while state.observe(0)["hand_number"] < hand:
        state.apply(state.legal_actions()[0])
    return state


@pytest.mark.parametrize(
    ("players", "directions"),
    [
        (4, ["left", "right", "across", "none", "left"]),
        (3, ["left", "right", "none", "left"]),
        (2, ["across", "none", "across"]),
    ],
)
def test_passing_directions_alternate(players: int, directions: list[str]) -> None:
    found = [passing(players, hand).observe(0)["passing"] for hand in range(len(directions))]
    assert found == directions


@pytest.mark.parametrize(("hand", "giver"), [(0, 3), (1, 1), (2, 2)])
def test_three_cards_come_from_the_right_seat(hand: int, giver: int) -> None:
    state = passing(hand=hand)
    given = state.observe(giver)["hand"][:3]
    for _ in range(12):
        state.apply(state.legal_actions()[0])
    assert state.observe(0)["received"] == given
    assert set(given) <= set(state.observe(0)["hand"])
    assert len(state.observe(0)["hand"]) == 13


def test_cards_are_passed_hidden_once_and_before_any_is_played() -> None:
    state = passing()
    card = state.observe(0)["hand"][0]
    state.apply({"type": "pass", "card": card})
    assert state.events(0)[-1]["card"] == card
    assert [state.events(seat)[-1]["card"] for seat in (1, 2, 3)] == [None] * 3
    with pytest.raises(IllegalAction, match="not in the hand"):
        state.apply({"type": "pass", "card": card})
    with pytest.raises(IllegalAction, match="allowed: pass"):
        passing().apply({"type": "play", "card": "C2"})


def test_passed_cards_are_seen_by_giver_and_taker_only() -> None:
    state = passing()
    for _ in range(12):
        state.apply(state.legal_actions()[0])
    seen = [
        [event["cards"] is not None for event in state.events(seat) if event["type"] == "receive"]
        for seat in range(4)
    ]
    assert all(sum(cards) == 2 for cards in seen)


# --- Forms ---------------------------------------------------------------------------------------


def test_actions_are_written_as_cards() -> None:
    hearts = game()
    assert hearts.notate({"type": "play", "card": "SQ"}) == "SQ"
    assert hearts.notate({"type": "pass", "card": "SQ"}) == "pSQ"
    assert hearts.parse("pSQ") == {"type": "pass", "card": "SQ"}
    with pytest.raises(RecordError):
        hearts.parse("S1")


@every(
    ("options", "complaint"),
    [
        ({"players": 5}, "whole numbers from 2 to 4"),
        ({"variant": "fit2102", "players": 3}, "allowed: 2, 4"),
        ({"passing": "left"}, "'cycle', 'none'"),
        ({"moon": "me"}, "'others', 'self'"),
        ({"bleeding": True}, "'strict', 'lenient'"),
        ({"end_at": 0}, "from 1 to 500"),
        ({"hands": 51}, "from 0 to 50"),
    ],
)
def test_options_that_do_not_exist_are_refused(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(RulesError, match=complaint):
        Hearts.from_options(options)


def test_the_seat_with_the_fewest_points_wins() -> None:
    assert Hearts.lower_is_better
    assert game().fault_scores == (26,) * 4
