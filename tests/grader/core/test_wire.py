"""Messages to lines, lines to replies: everything an agent could write is read as hostile."""

import contextlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.wire import (
    MAX_MESSAGE_BYTES,
    MAX_WHY_CHARACTERS,
    WireError,
    encode,
    end_message,
    parse_ready,
    parse_reply,
    refusal,
    start_message,
    turn_message,
)
from tests.support.every import every

ACTION = {"type": "play", "card": 0}


def reply(**changes: object) -> bytes:
    return json.dumps({"type": "action", "turn": 7, "action": ACTION} | changes).encode()


def test_a_well_formed_reply_gives_its_action() -> None:
    assert parse_reply(reply(), 7) == ACTION
    assert parse_reply(reply(comment="I am winning"), 7) == ACTION
    assert parse_reply(reply() + b"\r", 7) == ACTION


@every("turn", [6, 8, -7, 7.5, "7", None, True, 10**30])
def test_a_reply_to_another_turn_is_refused(turn: object) -> None:
    with pytest.raises(WireError):
        parse_reply(reply(turn=turn), 7)


@every(
    "line",
    [
        b"",
        b"play 0",
        b"\xff\xfe",
        b"\xef\xbb\xbf" + reply(),
        b'{"type":"action","turn":7,"action":{"card":NaN}}',
        b'{"type":"action","turn":7,"action":{"card":1e999}}',
        b'{"type":"action","turn":7,"action":{"card":[0]}}',
        b'{"type":"action","turn":7,"action":[0]}',
        b'{"type":"action","turn":7}',
        b'{"type":"ready"}',
        b'{"type":"action","turn":7,"action":' + b"[" * 2000 + b"]" * 2000 + b"}",
        b'{"type":"action","turn":7,"other":' + b"[" * 20_000,  # ignored, and too deep to skip
        b'{"type":"action","turn":7,"action":{}}\x00',
        b'{"type":"action","turn":7,"action":{}} {}',
    ],
)
def test_anything_but_a_reply_is_an_error_that_the_student_can_read(line: bytes) -> None:
    with pytest.raises(WireError, match="not"):
        parse_reply(line, 7)


@every(
    ("before", "named"),
    [
        ("\ufeff", "it begins with an invisible character, U+FEFF (zero width no-break space, the"),
        ("\u200b", "it begins with an invisible character, U+200B (zero width space)"),
        ("\0", "it begins with an invisible character, U+0000 (control character)"),
        ("\u3164", "it begins with an invisible character, U+3164 (hangul filler)"),
        ("{\xa0", "byte 1 is an invisible character, U+00A0 (no-break space)"),
    ],
)
def test_an_invisible_character_is_named(before: str, named: str) -> None:
    with pytest.raises(WireError, match=re.escape(f"not a line of JSON: {named}")):
        parse_reply(before.encode() + reply(), 7)


def test_what_cannot_be_seen_in_a_reply_is_named() -> None:
    with pytest.raises(WireError, match=r"byte 68 is an invisible character, U\+200B"):
        parse_reply(reply() + "\u200b".encode(), 7)
    with pytest.raises(WireError, match="byte order mark of UTF-16; write UTF-8 without"):
        parse_reply(reply().decode().encode("utf-16"), 7)
    for line in (b"", b"  \r"):
        with pytest.raises(WireError, match="not a line of JSON: an empty line came first"):
            parse_reply(line, 7)


def test_a_start_is_answered_by_ready_alone() -> None:
    parse_ready(b'{"type":"ready","name":"Marvin"}')
    with pytest.raises(WireError):
        parse_ready(reply())


@given(st.binary(max_size=300))
def test_arbitrary_bytes_raise_a_wire_error_or_nothing(line: bytes) -> None:
    with contextlib.suppress(WireError):
        parse_reply(line, 0)


def test_a_message_is_one_line_of_json_that_fits_the_wire() -> None:
    message = turn_message(3, [{"type": "draw"}], {"hands": ("R1",)}, [ACTION])
    line = encode(message)
    assert line.count(b"\n") == 1
    assert json.loads(line)["observation"] == {"hands": ["R1"]}
    message = end_message([{"type": "x" * MAX_MESSAGE_BYTES}], [0], "over")
    with pytest.raises(WireError, match="the wire carries"):
        encode(message)
    room = MAX_MESSAGE_BYTES - len(encode({"text": ""}))
    assert len(encode({"text": "x" * room})) == MAX_MESSAGE_BYTES
    with pytest.raises(WireError, match=f"a message of {MAX_MESSAGE_BYTES + 1} bytes"):
        encode({"text": "x" * (room + 1)})


def test_a_start_message_says_all_an_agent_may_know_before_the_deal() -> None:
    message = start_message(
        game="hanabi", rules_version=1, options={"players": 2}, seat=1, players=2, seed=5
    )
    assert set(message) == {
        "type", "protocol", "game", "rules_version", "options", "seat", "players", "seed",
    }  # fmt: skip


def test_the_reason_for_a_refusal_is_one_short_line_of_printable_characters() -> None:
    assert refusal({"type": "refused", "why": "a\nb\x1b[2J\u202e"}) == "a\\nb\\x1b[2J\\u202e"
    long = refusal({"type": "refused", "why": "x" * 300})
    assert long == "x" * (MAX_WHY_CHARACTERS - 1) + "…"
    assert refusal({"type": "refused", "why": None}) == "not an action"
    assert refusal({"type": "play", "card": 0}) is None
