"""Scenes that a grader drew: they come back as they were, and what is no drawing is refused."""

import zlib
from base64 import b64encode

import pytest

from firebox_games.connect_four import ConnectFour
from grader.core import drawn
from grader.core.deals import PRACTICE_SECRET, deal_seed
from grader.core.errors import RecordError
from grader.core.games import presented


def packed(text: bytes) -> str:
    return b64encode(zlib.compress(text)).decode()


def test_scenes_come_back_as_they_were() -> None:
    scenes = [*presented(ConnectFour()).scenes(deal_seed(PRACTICE_SECRET, 0), [])]
    assert drawn.read_scenes(drawn.pack_scenes(scenes)) == scenes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x" * (drawn.MOST_PACKED + 1), "more than 65536 characters"),
        (packed(b"[]")[:-4], "cut off, or too large"),
        (packed(bytes(3 << 20)), "cut off, or too large"),
        (packed(b"[]"), "has 0 scenes"),
        (packed(b"[1]"), "cannot be read"),
        ("?", "cannot be read"),
    ],
)
def test_what_is_no_drawing_is_refused(text: str, words: str) -> None:
    with pytest.raises(RecordError, match=words):
        drawn.read_scenes(text)
