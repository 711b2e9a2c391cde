"""Moves as the course writes them, read for the seat in turn; here Clara of four, in seat 2."""

import pytest

from grader.interfaces.ensta_python.firebox_ensta.moves import (
    Clues,
    RefusedMove,
    read_move,
    written,
)
from tests.support.every import every

NAMES = ("Clara", "Dante", "Alice", "Benji")
SLOTS = (0, 1, 2, 3)


def read(move: object) -> dict[str, object]:
    return dict(read_move(move, NAMES, 2, SLOTS))


@every(
    ("move", "action"),
    [
        ("d1", {"type": "discard", "card": 0}),
        ("d4", {"type": "discard", "card": 3}),
        ("p2", {"type": "play", "card": 1}),
        ("c5", {"type": "hint", "to": 3, "rank": 5}),
        ("cR", {"type": "hint", "to": 3, "color": "R"}),
        ("cB", {"type": "hint", "to": 3, "color": "B"}),
        ("c5B", {"type": "hint", "to": 1, "rank": 5}),
        ("cBB", {"type": "hint", "to": 1, "color": "B"}),
        ("cRA", {"type": "hint", "to": 0, "color": "R"}),
        ("cR1", {"type": "hint", "to": 3, "color": "R"}),
        ("cR3", {"type": "hint", "to": 1, "color": "R"}),
        ("c12", {"type": "hint", "to": 0, "rank": 1}),
        ("cr", {"type": "hint", "to": 3, "color": "R"}),
        ("cw2", {"type": "hint", "to": 0, "color": "W"}),
        ("c1Benji", {"type": "hint", "to": 1, "rank": 1}),
        ("c5" + "1" * 5000, {"type": "hint", "to": 3, "rank": 5}),
        ("d", {"type": "discard", "card": 0}),
        ("d ", {"type": "discard", "card": 0}),
        ("d 3", {"type": "discard", "card": 2}),
        ("p 3", {"type": "play", "card": 2}),
    ],
)
def test_a_move_is_read(move: str, action: dict[str, object]) -> None:
    assert read(move) == action


@every(
    "move",
    ["", "d0", "d5", "d-1", "dx", "p", "p0", "p9", "c", "c0", "c6", "cX", "c5C", "c50",
     "c54", "c5E", "cRed", "c5²", "x", "l", "lgame.txt", ">", ">exit()", "s01", "D1", "play 1",
     "p" + "1" * 5000],
)  # fmt: skip
def test_an_invalid_move_is_refused(move: str) -> None:
    with pytest.raises(RefusedMove):
        read(move)


@every("move", [None, 3, b"d1", ["d1"], ("p", 1)])
def test_a_move_that_is_no_text_is_the_agents_fault(move: object) -> None:
    with pytest.raises(TypeError, match=r"it must return a move such as 'd3' or 'cR'"):
        read(move)


def test_cards_are_counted_without_the_slots_that_are_empty() -> None:
    assert read_move("p2", NAMES, 2, (0, 3)) == {"type": "play", "card": 3}
    with pytest.raises(RefusedMove, match="there are cards 1 to 2"):
        read_move("p3", NAMES, 2, (0, 3))


def test_plays_and_discards_are_written() -> None:
    assert written({"type": "play"}, 2) == "p2"
    assert written({"type": "discard"}, 1) == "d1"


def test_clues_of_others_are_written_as_the_agent_writes_its_own() -> None:
    clues = Clues()
    assert [clues.write("5", offset, NAMES) for offset in (1, 3)] == ["c5", "c5B"]
    clues.learn("cR")
    clues.learn("d3")
    assert clues.write("5", 1, NAMES) == "c5"
    clues.learn("cR2")
    assert [clues.write("5", offset, NAMES) for offset in (1, 3)] == ["c51", "c53"]
    clues.learn("cRB")
    assert [clues.write("R", offset, NAMES) for offset in (1, 2)] == ["cRD", "cRA"]
    clues.learn("cwBenji")
    assert [clues.write("R", offset, NAMES) for offset in (1, 2)] == ["crDante", "crAlice"]
