"""The original engine's events, made from one seat's events."""

from typing import Any

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


def test_an_empty_deck_is_announced_as_no_card_with_the_new_hand() -> None:
    """Random games end before."""
    table = GccTable(0, OPTIONS)
    table.deal(DEAL)
    table._deck = 0
    play = {"type": "play", "seat": 1, "index": 1, "card": "B2", "success": False}
    first, second = table.follow([play])
    assert (first.event[0], first.fuses) == (PLAY, 2)
    assert second.event == (NO_OP, 0, 0, 0, 0, False, False, 0)
    assert second.hand == ((0, 1), (2, 3), (3, 4), (4, 5))
