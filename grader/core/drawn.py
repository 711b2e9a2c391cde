"""Scenes of a play, drawn by the grader that played it: for games whose rules run there alone.

Reading bounds every value.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from grader.core.errors import RecordError
from grader.core.games.base import JsonObject
from grader.core.games.grids import Row
from grader.core.words import printable

MOST_PACKED: Final = 64 << 10
"""Characters. A play with more is not drawn."""
_MOST_BYTES: Final = 2 << 20
_MOST_SCENES: Final = 5_000

_Seat: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=10)]


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    """A ``Row``."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    seat: _Seat | None
    cards: Annotated[list[Annotated[str, msgspec.Meta(max_length=3)]], msgspec.Meta(max_length=120)]
    note: Annotated[str, msgspec.Meta(max_length=60)]


_Rows: TypeAlias = Annotated[list[_Row], msgspec.Meta(max_length=40)]


class _Scene(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A scene as ``Presentation`` draws one (``grader.core.games.scenes``)."""

    seat: _Seat | None
    to_act: _Seat | None
    said: list[str]
    brief: list[str]
    effect: str
    tone: Literal[""]
    mark: Literal[""]
    move: dict[str, str] | None
    scores: list[int]
    text: str
    grid: list[list[str]] | msgspec.UnsetType = msgspec.UNSET
    changed: list[tuple[int, int]] | msgspec.UnsetType = msgspec.UNSET
    rows: _Rows | msgspec.UnsetType = msgspec.UNSET


_decoder: Final = msgspec.json.Decoder(list[_Scene])


def read_rows(told: object) -> list[Row]:
    """Read the rows that a sandbox drew. Raises RecordError."""
    try:
        rows = msgspec.convert(told, _Rows)
    except msgspec.ValidationError as error:
        raise RecordError(str(error)) from error
    if any(printable(text) != text for row in rows for text in (row.title, row.note, *row.cards)):
        raise RecordError("a text has invisible characters")
    return [
        Row(title=row.title, seat=row.seat, cards=tuple(row.cards), note=row.note) for row in rows
    ]


def pack_scenes(scenes: Sequence[JsonObject]) -> str:
    """Return the scenes as text; empty if they are too many, or too large."""
    text = msgspec.json.encode(scenes)
    packed = b64encode(zlib.compress(text, 9)).decode()
    is_small = len(text) <= _MOST_BYTES and len(packed) <= MOST_PACKED
    return packed if is_small and len(scenes) <= _MOST_SCENES else ""


def read_scenes(packed: str) -> list[dict[str, Any]]:
    """Inverse of ``pack_scenes``, for what is not empty. Raises RecordError."""
    unpacker = zlib.decompressobj()
    try:
        if len(packed) > MOST_PACKED:
            raise RecordError(f"the drawing of a game has more than {MOST_PACKED} characters")
        text = unpacker.decompress(b64decode(packed, validate=True), _MOST_BYTES + 1)
        if not unpacker.eof or len(text) > _MOST_BYTES:
            raise RecordError("the drawing of a game is cut off, or too large")
        scenes = _decoder.decode(text)
    except (zlib.error, ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise RecordError(f"the drawing of a game cannot be read: {error}") from error
    if not 0 < len(scenes) <= _MOST_SCENES:
        raise RecordError(f"the drawing of a game has {len(scenes)} scenes")
    shown: list[dict[str, Any]] = [msgspec.to_builtins(scene) for scene in scenes]
    return shown
