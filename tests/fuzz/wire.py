"""An agent's line: refused with a WireError, or an action that rules can read."""

from typing import Final

from grader.core.errors import IllegalAction
from grader.core.games import game_from_options
from grader.core.wire import WireError, parse_ready, parse_reply

LONGEST: Final = 512
_GAME: Final = game_from_options("hanabi", {"variant": "standard", "players": 2})
_LONGEST_REASON: Final = 1000


def one(data: bytes) -> None:
    """Read a line as an answer to ``start`` and to turn 0, and hand its action to the rules."""
    for line in (data, data + b"}"):
        _read_ready(line)
        _read_reply(line)


def _read_ready(line: bytes) -> None:
    try:
        parse_ready(line)
    except WireError as error:
        _check_reason(str(error))
        return
    assert b"ready" in line or b"\\u" in line


def _read_reply(line: bytes) -> None:
    try:
        action = parse_reply(line, 0)
    except WireError as error:
        _check_reason(str(error))
        return
    assert all(isinstance(key, str) for key in action)
    assert all(value is None or isinstance(value, str | int | float) for value in action.values())
    state = _GAME.deal(bytes(32))
    try:
        state.apply(action)
    except IllegalAction as error:
        _check_reason(str(error))
        assert state.turn == 0
        return
    assert _GAME.notate(action)


def _check_reason(reason: str) -> None:
    """It is shown to a student and stored: short, and text that can be encoded."""
    assert 0 < len(reason.encode()) <= _LONGEST_REASON
