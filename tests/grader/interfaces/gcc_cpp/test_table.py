"""The original engine's events, made from one seat's events."""

from typing import Any

import pytest

from grader.core.games import game_from_options
from grader.core.records import Record
from grader.interfaces.gcc_cpp.firebox_gcc.table import COLORS, GccTable, Told
from tests.grader.interfaces.gcc_cpp.engine import retold
from tests.grader.played import random_record
from tests.support.every import every

OPTIONS: dict[str, Any] = {"hint_tokens": 8, "lives": 3, "five_returns_token": True}
DEAL = {"type": "deal", "hands": [None, ["R1", "B2", "G3", "Y4", "W5"]]}
NO_OP, SWAP, PLAY, DISCARD, COLOR_HINT, DRAW, NUMBER_HINT = 0, 10, 11, 12, 13, 14, 15


def words(told: Told) -> str:
    """An event in the words of the agent ``recorder``."""
    action, first, second, color, number, legal, mine, _, *indices = told.event
    card = f"{COLORS[color]}{number}"
    touched = "".join(f" {i}" for i in indices)
    said = {
        NO_OP: f"{action}",
        SWAP: f"{action} {first} {second}",
        DRAW: f"{action} {first} {card}",
        DISCARD: f"{action} {first} {card} {mine:d}",
        PLAY: f"{action} {first} {card} {legal:d} {mine:d}",
        COLOR_HINT: f"{action} {first} at{touched}",
        NUMBER_HINT: f"{action} {first} at{touched}",
    }[action]
    board = " ".join(map(str, told.board))
    hand = "".join(f" {COLORS[color]}{number}" for color, number in told.hand)
    return f"told {said} | {board} | {told.hints} {told.fuses} |{hand} | {told.deck}"


def followed(record: Record, seat: int) -> list[str]:
    """The events that a seat's table makes from the referee's messages."""
    game = game_from_options(record.game, record.options)
    state = game.deal(bytes.fromhex(record.deal_seed))
    table, told, lines = GccTable(seat, record.options), 0, []

    def hear() -> None:
        nonlocal told
        events = state.events(seat)[told:]
        told += len(events)
        for event in events:
            if event["type"] == "deal":
                lines.extend(map(words, table.deal(event)))
        lines.extend(map(words, table.follow(events)))

    for action in record.actions.split():
        if state.seat_to_act == seat:
            hear()
        state.apply(game.parse(action))
    hear()
    return lines


@every("index", range(40))
def test_a_seat_gets_the_same_events_as_in_the_original_engine(index: int) -> None:
    record = random_record(index, variant="gcc")
    assert tuple(followed(record, seat) for seat in (0, 1)) == retold(record)


@pytest.fixture
def table() -> GccTable:
    """Seat 0's, after the deal."""
    table = GccTable(0, OPTIONS)
    table.deal(DEAL)
    return table


def test_the_deal_is_announced_card_by_card() -> None:
    tells = GccTable(0, OPTIONS).deal(DEAL)
    assert [told.event[:2] for told in tells] == [(DRAW, i) for i in range(5)]
    assert [told.deck for told in tells] == [48, 46, 44, 42, 40]
    assert [len(told.hand) for told in tells] == [1, 2, 3, 4, 5]
    assert {told.hints for told in tells} == {8}


def test_a_discard_is_announced_before_the_card_leaves_and_the_hint_is_back(
    table: GccTable,
) -> None:
    hint = {"type": "hint", "seat": 0, "to": 1, "color": "R", "cards": [0]}
    discard = {"type": "discard", "seat": 1, "index": 2, "card": "G3"}
    draw = {"type": "draw", "seat": 1, "index": 4, "card": "W1"}
    first, second = table.follow([hint, discard, draw])
    assert (first.event[:2], first.hints, len(first.hand), first.deck) == ((DISCARD, 2), 7, 5, 40)
    assert (2, 3) in first.hand
    assert (second.event[:2], second.hints, second.hand[-1], second.deck) == (
        (DRAW, 5),
        8,
        (4, 1),
        39,
    )


def test_a_play_is_announced_after_its_effects(table: GccTable) -> None:
    play = {"type": "play", "seat": 1, "index": 0, "card": "R1", "success": True}
    draw = {"type": "draw", "seat": 1, "index": 4, "card": "W1"}
    first, second = table.follow([play, draw])
    assert (first.event[:2], first.board, len(first.hand)) == ((PLAY, 0), (1, 0, 0, 0, 0), 4)
    assert second.event[:2] == (DRAW, 4)


def test_own_draws_and_hints_are_not_announced(table: GccTable) -> None:
    discard = {"type": "discard", "seat": 0, "index": 2, "card": "G3"}
    draw = {"type": "draw", "seat": 0, "index": 4, "card": None}
    hint = {"type": "hint", "seat": 0, "to": 1, "color": "R", "cards": [0]}
    (told,) = table.follow([discard, draw, hint])
    assert told.event == (DISCARD, 2, 0, 2, 3, False, True, 0)


def test_an_empty_deck_is_announced_as_no_card_with_the_new_hand(table: GccTable) -> None:
    table._deck = 0
    play = {"type": "play", "seat": 1, "index": 1, "card": "B2", "success": False}
    first, second = table.follow([play])
    assert (first.event[0], first.fuses) == (PLAY, 2)
    assert second.event == (NO_OP, 0, 0, 0, 0, False, False, 0)
    assert second.hand == ((0, 1), (2, 3), (3, 4), (4, 5))


def test_a_hint_is_announced_to_its_receiver_with_the_indices(table: GccTable) -> None:
    color = {"type": "hint", "seat": 1, "to": 0, "color": "G", "cards": [1, 4]}
    number = {"type": "hint", "seat": 1, "to": 0, "rank": 3, "cards": [0]}
    tells = table.follow([color, number])
    assert [told.event for told in tells] == [
        (COLOR_HINT, 2, 0, 0, 0, False, False, 2, 1, 4),
        (NUMBER_HINT, 3, 0, 0, 0, False, False, 1, 0),
    ]
    assert [told.hints for told in tells] == [7, 6]


def test_a_swap_is_announced_to_the_partner_when_it_is_done(table: GccTable) -> None:
    (told,) = table.follow([{"type": "swap", "seat": 1, "first": 0, "second": 4}])
    assert told.event[:3] == (SWAP, 0, 4)
    assert told.hand[0] == (4, 5)
    assert not table.follow([{"type": "swap", "seat": 0, "first": 0, "second": 4}])
