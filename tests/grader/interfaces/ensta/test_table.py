"""A game kept in step with the referee's, with cards of several classes and by unusual rules."""

import copy
import math
import pickle
import random
from types import ModuleType
from typing import Any

import pytest

from grader.core.deals import deal_seed
from grader.core.games import game_from_options
from grader.interfaces.ensta_python.firebox_ensta.cards import (
    Held,
    Piles,
    make_comparable,
    mark_clue,
)
from grader.interfaces.ensta_python.firebox_ensta.table import EnstaTable
from grader.interfaces.ensta_python.hanabi import deck
from grader.interfaces.ensta_python.hanabi.deck import Card, Color
from tests.support.every import every


def table_of(module: ModuleType = deck, **game: Any) -> EnstaTable:
    """The referee's table; with a submission's ``Game``, or other parts of one, that one's."""
    if game:
        module = ModuleType("deck")
        vars(module).update({"Card": Card, "Color": Color, **game})
    options = game_from_options("hanabi", {"variant": "ensta", "players": 2}).options
    return EnstaTable(module, options, ours=not game)


def referees_game() -> Any:
    return table_of().game


@pytest.mark.parametrize("how", [lambda game: game, copy.copy])
def test_a_turn_in_the_referees_game_or_in_a_shallow_copy_changes_nothing(how: Any) -> None:
    game = referees_game()
    game.red_coins = 2
    before = shown(game)
    for move in ("p1", "d1", "c1", None):
        how(game).turn(move)
    how(game).run()
    assert shown(game) == before


def pickled(game: Any) -> Any:
    return pickle.loads(pickle.dumps(game))  # noqa: S301 - our own


@pytest.mark.parametrize("how", [copy.deepcopy, pickled])
def test_a_turn_in_a_deep_copy_of_the_referees_game_is_one_there(how: Any) -> None:
    game = referees_game()
    game.hands[0].cards[0].number = 5  # the cards are any before the first events
    before = shown(game)
    twin = how(game)
    twin.turn("p1")
    assert (twin.red_coins, twin.players, twin.moves) == (1, ["Benji", "Alice"], ["p1"])
    twin.turn("d1")  # all coins are there: only noted
    assert (twin.players, twin.moves) == (["Benji", "Alice"], ["p1", "d1"])
    assert shown(game) == before


def test_a_copy_knows_how_many_turns_are_left() -> None:
    game = game_from_options("hanabi", {"variant": "ensta", "players": 2})
    state = game.deal(deal_seed(bytes(32), 0))
    while state.observe(0)["deck"]:
        legal = state.legal_actions()
        state.apply(next((a for a in legal if "discard" in str(a).lower()), legal[-1]))
    seat = state.seat_to_act
    assert seat is not None
    table = EnstaTable(deck, game.options, ours=True)
    list(table.story.follow(seat, state.events(seat)))
    table.lay(state.observe(seat))
    twin = copy.deepcopy(table.game)
    twin.blue_coins = 2
    twin.turn("d1")
    with pytest.raises(StopIteration):
        twin.turn("d1")


def test_the_discards_are_sorted_by_a_discard_and_not_by_a_misplay() -> None:
    table = table_of()
    list(table.story.follow(0, [{"type": "deal", "hands": [None, ["R1"] * 5]}]))
    seen = []
    for kind, card in (("discard", "Y3"), ("discard", "B4"), ("play", "Y2"), ("play", "B2"),
                       ("discard", "G5")):  # fmt: skip
        move = {"type": kind, "seat": 0, "index": 0, "card": card, "success": False}
        list(table.story.follow(0, [move, {"type": "draw", "seat": 0, "index": 4, "card": None}]))
        table.lay()
        seen.append(" ".join(map(str, table.game.discard_pile.cards)))
    assert seen == ["Y3", "B4 Y3", "B4 Y3 Y2", "B4 Y3 Y2 B2", "B2 B4 G5 Y2 Y3"]


@pytest.mark.parametrize("around", ["{}", "\033[1m{}\033[0m", "<{}>"])
def test_a_submissions_own_attribute_keeps_its_form_of_a_name(around: str) -> None:
    class Plain(deck.Game):
        current_player_name = around.format("Alice")  # type: ignore[assignment]

    table = table_of(Game=Plain)
    table.story.seat = 1
    table.lay()
    assert table.game.current_player_name == around.format("Benji")


def shown(game: Any) -> str:
    hands = [(str(hand), hand.str_clue()) for hand in game.hands]
    figures = (game.blue_coins, game.red_coins, game.piles, game.players, game.moves)
    return repr((hands, str(game.deck), str(game.discard_pile), figures))


def test_a_masked_card_shows_what_its_holder_was_told() -> None:
    held = Held(Card(Color.Red, 1))
    held.reveal(Color.Blue, 4)
    assert str(held.card) == "B4"
    held.mask()
    assert held.card.color is None
    assert math.isnan(held.card.number)
    held.show()
    held.tell("number", 4)
    held.mask()
    assert str(held.card) == "?4"
    held.tell("color", Color.Blue)
    held.mask()
    assert held.card == "B4"


def test_a_pile_of_an_unknown_colour_is_not_a_number_and_of_a_wrong_one_a_key_error() -> None:
    piles = Piles(dict.fromkeys(Color, 2))
    assert math.isnan(piles[None])
    assert piles[Color.Red] == 2
    with pytest.raises(KeyError):
        piles["R"]


def test_unknown_cards_equal_only_themselves() -> None:
    masked, other = Held(Card(Color.Red, 1)), Held(Card(Color.Red, 1))
    assert masked.card == other.card
    masked.mask()
    other.mask()
    assert masked.card != other.card
    assert [other.card, masked.card].index(masked.card) == 1


def test_unknown_cards_of_an_agents_own_class_equal_only_themselves() -> None:
    class Theirs:
        color, number = None, 3

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    make_comparable(Theirs)
    compare = Theirs.__eq__
    make_comparable(Theirs)
    assert Theirs.__eq__ is compare
    assert Theirs() != Theirs()
    assert hash(Theirs()) == 7
    assert (known := Theirs()) == known


def test_a_clue_is_noted_as_text_or_at_the_beginning_of_a_list() -> None:
    card: Any = Card(Color.Red, 1)
    mark_clue(card, "color_clue", "R")
    assert card.color_clue == "R"
    card.number_clue = [False, 0]
    mark_clue(card, "number_clue", "1")
    assert card.number_clue == ["1", 0]


def own(clue: Any = None, **methods: Any) -> EnstaTable:
    """The table of a game that notes clues itself, or fails to; or other moves."""
    return table_of(Game=type("Game", (deck.Game,), {"clue": clue, **methods}))


def hinted(clue: Any) -> Any:
    """The second card of Alice, after Benji has told her that it is red."""
    table = own(clue)
    events = [
        {"type": "deal", "hands": [None, ["R1", "G3", "B2", "B2", "Y5"]]},
        {"type": "discard", "seat": 0, "index": 0, "card": "W1"},
        {"type": "draw", "seat": 0, "index": 4, "card": None},
        {"type": "hint", "seat": 1, "to": 0, "color": "R", "cards": [1]},
    ]
    list(table.story.follow(0, events))
    return table.game, table.story.hands[0][1].card  # type: ignore[union-attr]


def test_a_submissions_own_game_notes_clues_in_its_own_way() -> None:
    def clue(game: Any, what: str) -> None:
        assert game.current_player_name[4:-4] == "Benji"
        touched = [card for card in game.hands[1].cards if card.color is Color.Red]
        (touched[0].color_clue,) = (f"{what} in move {len(game.moves)}",)

    game, card = hinted(clue)
    assert card.color_clue == "R in move 2"
    assert card.color is Color.Red
    assert game.moves == ["d1", "cR"]


def test_clues_are_noted_for_a_game_that_cannot() -> None:
    def clue(game: Any, what: str) -> None:
        raise ValueError("not like this")

    assert hinted(clue)[1].color_clue == "R"
    assert hinted(lambda *_: None)[1].color_clue == "R"


def test_a_submissions_own_game_notes_plays_and_discards_without_changing_the_table() -> None:
    def move(game: Any, index: str) -> None:
        card = game.current_hand.pop(int(index))
        game.discard_pile.append(card)
        game.discard_pile.sort()
        game.blue_coins += 1
        for hand in game.hands:
            for other in hand.cards:
                other.seen = [*getattr(other, "seen", []), str(card)]
        game.hands.append(game.hands.pop(0))

    options = game_from_options("hanabi", {"variant": "ensta"}).options
    table = own(play=move, discard=move)
    play = {"type": "play", "seat": 0, "index": 2, "card": "Y1", "success": True}
    events = [
        {"type": "deal", "hands": [None, ["R1", "G3", "B2", "B2", "Y5"]]},
        play,
        {"type": "draw", "seat": 0, "index": 4, "card": None},
        {"type": "discard", "seat": 1, "index": 0, "card": "R1"},
        {"type": "draw", "seat": 1, "index": 4, "card": "W4"},
        play | {"index": 1, "card": "Y3", "success": False},
        {"type": "draw", "seat": 0, "index": 4, "card": None},
    ]
    list(table.story.follow(0, events))
    table.lay({**options, "fireworks": {"Y": 1}, "lives": options["lives"] - 1})
    game = table.game
    assert game.players == ["Benji", "Alice"]
    assert list(map(str, game.hands[0].cards)) == ["G3", "B2", "B2", "Y5", "W4"]
    assert len(game.hands[1].cards) == 5
    assert len(game.deck.cards) == 37
    assert list(map(str, game.discard_pile.cards)) == ["R1", "Y3"]
    assert (game.piles[Color.Yellow], game.score) == (1, 1)
    assert [card.seen for card in game.hands[0].cards] == [["Y1", "R1", "Y3"]] * 4 + [["R1", "Y3"]]


def test_a_game_that_finds_hands_by_their_number_notes_clues_on_the_right_ones() -> None:
    def clue(game: Any, what: str) -> None:
        for card in game.hands[game.other_player].cards:
            if what in str(card):
                card.color_clue = f"told {what}"
        game.current_player, game.other_player = game.other_player, game.current_player

    table = own(clue, current_player=0, other_player=1)
    events = [
        {"type": "deal", "hands": [["R1"] * 5, ["R1"] * 5]},
        {"type": "hint", "seat": 0, "to": 1, "color": "R", "cards": [0, 1, 2, 3, 4]},
        {"type": "hint", "seat": 1, "to": 0, "color": "R", "cards": [0, 1, 2, 3, 4]},
    ]
    list(table.story.follow(0, events[:2]))
    hands = [hand.cards for hand in table.game.hands]
    assert [[card.color_clue for card in hand] for hand in hands] == [
        [False] * 5, ["told R"] * 5,
    ]  # fmt: skip
    list(table.story.follow(0, events[2:]))
    assert {card.color_clue for hand in hands for card in hand} == {"told R"}


def test_a_game_may_have_lists_for_hands_and_methods_for_figures() -> None:
    class Plain(deck.Game):
        def __init__(self, players: int) -> None:
            super().__init__(players)
            self.hands = [hand.cards for hand in self.hands]  # type: ignore[misc]
            self.discard_pile = []  # type: ignore[assignment]
            self.deck = self.deck.cards  # type: ignore[assignment]

        def score(self) -> float:  # type: ignore[override]
            return sum(self.piles.values())

    table = table_of(Game=Plain)
    deal = {"type": "deal", "hands": [None, ["R1", "G3", "B2", "B2", "Y5"]]}
    list(table.story.follow(0, [deal]))
    table.lay()
    assert list(map(str, table.game.hands[1])) == ["R1", "G3", "B2", "B2", "Y5"]
    assert len(table.game.deck) == 40
    assert table.game.score() == 0


@every("variant", ["ensta", "uwa", "gcc", "cs221"])
@every("team", [True, False])
def test_the_game_is_the_referees_by_all_rules(variant: str, *, team: bool) -> None:
    """Random games; ``team`` follows as all seats, else as seat 1."""
    game = game_from_options("hanabi", {"variant": variant, "players": 2})
    for index in range(5):
        state = game.deal(deal_seed(bytes(32), index))
        table = EnstaTable(deck, game.options, ours=True)
        choice, told = random.Random(index), [0, 0]  # noqa: S311 - repeatable test data
        while (seat := state.seat_to_act) is not None:
            if team or seat == 1:
                events, seen = state.events(seat), state.observe(seat)
                list(table.story.follow(seat, events[told[seat] :]))
                told[seat] = len(events)
                table.lay(seen)
                assert_same(table, seen)
            state.apply(choice.choice(state.legal_actions()))


def assert_same(table: EnstaTable, seen: Any) -> None:
    game, seat = table.game, seen["seat"]
    hands = [seen["hands"][(seat + offset) % 2] for offset in range(2)]
    assert [str(card) for card in game.hands[1].cards] == [c for c in hands[1]["cards"] if c]
    assert sorted(map(str, game.discard_pile.cards)) == sorted(seen["discards"])
    assert len(game.deck.cards) == seen["deck"]
    assert {str(color)[0]: top for color, top in game.piles.items()} == seen["fireworks"]
    assert game.blue_coins == seen["hint_tokens"]
    assert game.score == sum(seen["fireworks"].values())
    for hand, knowledge in zip(game.hands, hands, strict=True):
        known = [each for each in knowledge["knowledge"] if each is not None]
        clues = [(each["color"], each["rank"] and str(each["rank"])) for each in known]
        assert [(c.color_clue or None, c.number_clue or None) for c in hand.cards] == clues
    with table.masked():
        for card, clue in zip(game.hands[0].cards, hands[0]["knowledge"], strict=False):
            assert clue is None or (card.color is None) == (clue["color"] is None)
