"""The agent protocol, version 1: messages to lines, lines to replies. Pure, and bounded in size.

One JSON object per line, UTF-8, at most ``MAX_MESSAGE_BYTES`` towards the agent. Messages are built
fresh from the referee's own values: nothing an agent wrote is ever relayed. Replies are hostile
until ``parse_reply`` has read them; unknown fields in them are ignored.
"""

import codecs
import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from grader.core.errors import GraderError
from grader.core.games.base import JsonObject
from grader.core.words import is_invisible

PROTOCOL: Final = 1
MAX_MESSAGE_BYTES: Final = 64 << 10
"""Longest line towards an agent, newline included."""
MAX_WHY_CHARACTERS: Final = 200
"""Longest reason of a refusal; more is cut."""

_encoder = msgspec.json.Encoder()
_ERROR_PLACE: Final = re.compile(r"(trailing characters )?\(byte (\d{1,6})\)$")
_UTF_16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNREADABLE: Final = (msgspec.DecodeError, UnicodeError, RecursionError, ValueError)


class WireError(GraderError, ValueError):
    """A line that is not the message that was due; the text may be shown to students."""


class _Ready(msgspec.Struct):
    type: Literal["ready"]


class _ActionReply(msgspec.Struct):
    type: Literal["action"]
    turn: int
    action: dict[str, str | int | float | bool | None]


_ready_decoder = msgspec.json.Decoder(_Ready)
_action_decoder = msgspec.json.Decoder(_ActionReply)


def start_message(
    *, game: str, rules_version: int, options: JsonObject, seat: int, players: int, seed: int
) -> dict[str, Any]:
    """The first message of a game; the agent answers ``ready``."""
    return {
        "type": "start",
        "protocol": PROTOCOL,
        "game": game,
        "rules_version": rules_version,
        "options": options,
        "seat": seat,
        "players": players,
        "seed": seed,
    }


def turn_message(
    turn: int, events: Sequence[JsonObject], observation: JsonObject, legal: Sequence[JsonObject]
) -> dict[str, Any]:
    """Return the request for an action; ``events`` are those since this seat's last message."""
    return {
        "type": "turn",
        "turn": turn,
        "events": events,
        "observation": observation,
        "legal": legal,
    }


def end_message(events: Sequence[JsonObject], scores: Sequence[int], ending: str) -> dict[str, Any]:
    """The last message of a game, which is not answered."""
    return {"type": "end", "events": events, "scores": scores, "ending": ending}


def addressed(message: JsonObject, seat: int) -> dict[str, Any]:
    """Add the seat to a message, for a process that plays several."""
    return {**message, "seat": seat}


def for_interface(
    message: JsonObject, options: Sequence[str], own_seats: Sequence[int]
) -> dict[str, Any]:
    """Add to a start message what an adapter is told beyond the game; nothing if both are empty.

    ``options`` of the interface are switched on by the assignment. ``own_seats`` are those that the
    agent plays at a table with others.
    """
    told: dict[str, Any] = dict.fromkeys(options, True)
    if own_seats:
        told["own_seats"] = own_seats
    return {**message, "interface": told} if told else dict(message)


def encode(message: JsonObject) -> bytes:
    """A message as one line. Raises WireError if a game's rules made it too long for the wire."""
    line = _encoder.encode_lines((message,))  # faster than adding the newline, which copies it
    if len(line) > MAX_MESSAGE_BYTES:
        raise WireError(f"a message of {len(line)} bytes; the wire carries {MAX_MESSAGE_BYTES}")
    return line


def parse_ready(line: bytes) -> None:
    """Check the answer to ``start``. Raises WireError."""
    try:
        _ready_decoder.decode(line)
    except _UNREADABLE as error:
        raise _wire_error(error, line) from error


def parse_reply(line: bytes, turn: int) -> dict[str, Any]:
    """The action in the answer to turn number ``turn``. Raises WireError.

    A reply to another turn is refused: a late answer can't count for the next turn.
    """
    try:
        reply = _action_decoder.decode(line)
    except _UNREADABLE as error:
        raise _wire_error(error, line) from error
    if reply.turn != turn:
        raise WireError(f"a reply to turn {reply.turn}, but turn {turn} was asked")
    return reply.action


def refusal(action: JsonObject) -> str | None:
    """Return why an interface's adapter refused its agent's answer; ``None`` if it did not.

    An adapter reports an answer that is no action as ``{"type": "refused", "why": "null"}``. Any
    other program that writes this only makes its own action illegal. The reason is one line,
    printable and short.
    """
    if action.get("type") != "refused":
        return None
    why = action.get("why")
    if not isinstance(why, str) or not why:
        return "not an action"
    shown = "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in why
    )
    return shown if len(shown) <= MAX_WHY_CHARACTERS else f"{shown[: MAX_WHY_CHARACTERS - 1]}…"


def _wire_error(error: Exception, line: bytes) -> WireError:
    if isinstance(error, msgspec.ValidationError):
        return WireError(f"not the message that was due: {error}")
    if not line.strip():
        return WireError("not a line of JSON: an empty line came first")
    return WireError(f"not a line of JSON: {_invisible(line, str(error)) or error}")


def _invisible(line: bytes, error: str) -> str:
    if line.startswith(_UTF_16_MARKS):
        return "it begins with the byte order mark of UTF-16; write UTF-8 without a mark"
    found = _ERROR_PLACE.search(error)
    at = int(found[2]) - bool(found[1]) if found else 0  # behind a reply, it counts from 1
    character = line[at : at + 4].decode("utf-8", "ignore")[:1]
    if not character or not is_invisible(character):
        return ""
    name = unicodedata.name(character, "control character").lower()
    mark = ", the byte order mark" if character == "\ufeff" else ""
    place = "it begins with" if at == 0 else f"byte {at} is"
    return f"{place} an invisible character, U+{ord(character):04X} ({name}{mark})"
