"""Line protocols as transcripts: what a program reads, and what its lines mean."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firebox_games.connect_four import ConnectFour
from firebox_games.gomoku import Gomoku
from firebox_games.othello import Othello
from grader.core.errors import RecordError
from grader.core.games import Game
from grader.core.games.hearts import Hearts
from grader.core.games.lines import LineProtocol
from grader.core.line_wire import LineWire, Step, transcript
from grader.core.wire import WireError
from tests.support.every import every

MOVE = Step("", asks_for_move=True)


def test_a_program_reads_an_opening_and_then_each_move_of_the_others() -> None:
    lines = transcript(Gomoku(), turns=2).splitlines()
    assert lines[:5] == [
        *("> START 15", "< OK"),
        *("> INFO timeout_turn 1000", "> INFO timeout_match 0", "> INFO rule 0"),
    ]
    assert [line[2:7] for line in lines[5:12:6]] == ["BOARD", "0,0"]
    assert [line[-1] for line in lines[6:10]] == ["1", "2", "1", "2"]
    assert lines[10:] == ["> DONE", "< 0,0", "> TURN 1,0", "< 2,0", "> …", "> END"]
    wire = LineWire(Gomoku(), 2.5)
    steps = list(wire.start({"seat": 0}))
    assert steps[1].sent.startswith("INFO timeout_turn 2500\n")
    turn = {"events": [{"type": "begin"}], "legal": [], "observation": Gomoku().start().observe(0)}
    assert list(wire.turn(turn)) == [Step("BEGIN\n", asks_for_move=True)]


def test_a_program_hears_the_whole_game_when_another_action_was_played_in_its_name() -> None:
    state = Othello().start()
    for notation in ("d3", "c3", "c4", "c5"):
        state.apply(Othello().parse(notation))
    wire, events = LineWire(Othello(), 1.0), state.events(0)
    turn = {"legal": [], "observation": state.observe(0)}
    list(wire.start({"seat": 0}))
    wire.read(b"= c4", next(wire.turn({**turn, "events": events[:1]})))
    steps = [step.sent for step in wire.turn({**turn, "events": events[1:]})]
    assert steps[:2] == ["boardsize 8\n", "clear_board\n"]
    assert steps[2:] == [
        *("play b d3\n", "play w c3\n", "play b c4\n", "play w c5\n", "genmove b\n")
    ]


@every(
    ("game", "line", "action"),
    [
        (Gomoku(), b" 7 , 8 \r", {"type": "place", "x": 7, "y": 8}),
        (Othello(), b"= D3", {"type": "place", "x": 3, "y": 2}),
        (Othello(), b"=pass", {"type": "pass"}),
        (ConnectFour(), b"3", {"type": "drop", "column": 3}),
        (ConnectFour(), b"-1", {"type": "drop", "column": -1}),
        (ConnectFour(), "３".encode(), {"type": "drop", "column": "３"}),
    ],
)
def test_a_line_means_an_action(game: Game, line: bytes, action: dict[str, object]) -> None:
    assert LineWire(game, 1.0).read(line, MOVE) == action


@every(
    ("game", "line", "said"),
    [
        (Gomoku(), b"7", "a line such as '{x},{y}' was due, not '7'"),
        (Gomoku(), b"\xff\x1b[2J" + b"9" * 4000, r"not '\\xff\x1b[2J9999"),
        (Othello(), b"? illegal move", "a line such as '= {move}' was due, not '? illegal move'"),
        (Othello(), b"= z9", "'z9' is no move of Othello"),
    ],
)
def test_an_unreadable_line_is_quoted_and_short(game: Game, line: bytes, said: str) -> None:
    with pytest.raises(WireError) as caught:
        LineWire(game, 1.0).read(line, MOVE)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 200


class Rows(ConnectFour):
    lines = LineProtocol(title="", seats=("1", "2"), turn=("",), reply="move {row} {column}")


@given(st.one_of(st.binary(max_size=99), st.from_regex(r"[=?]? ?[a-zA-Z0-9_{}.,; -]{0,9}")))
def test_any_line_is_an_action_or_a_wire_error(line: bytes | str) -> None:
    data = line.encode() if isinstance(line, str) else line
    for game in (Gomoku(), Othello(), ConnectFour(), Rows()):
        with suppress(WireError):
            LineWire(game, 1.0).read(data, MOVE)


def test_blanks_part_the_fields_of_a_reply() -> None:
    assert LineWire(Rows(), 1.0).read(b"MOVE  1 \t 2", MOVE) == {"row": 1, "column": 2}
    with pytest.raises(WireError):
        LineWire(Rows(), 1.0).read(b"move 12", MOVE)


def test_a_game_without_lines_has_no_such_programs() -> None:
    with pytest.raises(RecordError, match="Hearts declares no line protocol"):
        LineWire(Hearts.from_options({}), 1.0)
