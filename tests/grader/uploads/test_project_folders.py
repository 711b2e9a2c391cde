"""Project folders as students pack them: with history, pictures, logs and what tools build."""

import io
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

import pytest

from grader.core.errors import UploadRejected
from grader.interfaces import interface_named
from grader.uploads.archive import DEFAULT_LIMITS, read_upload
from grader.uploads.lighten import lightened
from tests.support.zips import zipped

MIB: Final = 1 << 20
_NOISE: Final = os.urandom(3 * MIB)
"""Bytes that cannot be packed, as pictures and databases have."""


@dataclass(frozen=True, slots=True)
class Language:
    interface: str
    sources: dict[str, bytes]
    built: dict[str, bytes]
    """What its tools leave behind."""


LANGUAGES: Final = (
    Language(
        "python",
        {"agent.py": b"class Agent: ...\n", "weights.csv": b"1,2\n"},
        {"__pycache__/agent.cpython-311.pyc": b"x", ".mypy_cache/3.11/a.json": _NOISE[:MIB]}
        | {f"venv/lib/site-packages/m{number}.py": b"" for number in range(1500)},
    ),
    Language(
        "uwa-java",
        {"src/agents/Mine.java": b"package agents; class Mine {}\n"},
        {f"out/production/Mine${number}.class": b"x" for number in range(300)}
        | {".idea/workspace.xml": _NOISE[:MIB], "Mine.iml": b"x", ".gradle/a.bin": _NOISE[:MIB]},
    ),
    Language(
        "gcc-cpp",
        {"Player.h": b"class Player {};\n", "Player.cpp": b'#include "Player.h"\n'},
        {"Player.o": _NOISE[:MIB], "Debug/Player.pdb": _NOISE[:MIB], "a.out": _NOISE[:MIB]}
        | {f"cmake-build-debug/CMakeFiles/{number}.txt": b"x" for number in range(300)},
    ),
    Language(
        "fit2102-haskell",
        {"src/Player.hs": b"module Player where\n", "src/Util.hs": b"module Util where\n"},
        {f".stack-work/install/{number}": b"x" for number in range(1500)}
        | {"dist-newstyle/cache/plan.json": _NOISE[:MIB], "src/Player.hi": _NOISE[:MIB]},
    ),
    Language(
        "stdio-python",
        {"main.py": b"print()\n", "data/table.txt": b"1\n"},
        {f"node_modules/m{number}/index.js": b"x" for number in range(1500)},
    ),
)
EXTRAS: Final = {
    "history": {f".git/objects/{number:04x}/pack": _NOISE[:4096] for number in range(500)},
    "pictures": {f"docs/{number}.png": _NOISE[:MIB] for number in range(3)} | {"r.pdf": _NOISE},
    "logs": {f"logs/game{number}.log": b"turn\n" * 50_000 for number in range(60)},
    "everything": {".git/pack": _NOISE, "film.mp4": _NOISE, "a.log": _NOISE, "._agent.py": b"\0"},
}
TOO_MUCH: Final = {
    "data": {"train.csv": _NOISE, "test.csv": _NOISE[: 2 * MIB], "small.csv": _NOISE[:1000]},
    "files": {f"games/{number}.txt": b"x" * number for number in range(250)},
    "a bomb": {"zeros.txt": bytes(40 * MIB), "ones.txt": bytes(MIB), "few.txt": bytes(100)},
    "an archive": {"old.zip": _NOISE, "older.zip": _NOISE[:MIB], "oldest.zip": _NOISE[:1000]},
}
LARGEST: Final = {
    "data": ["train.csv", "test.csv", "small.csv"],
    "files": ["games/249.txt", "games/248.txt", "games/247.txt"],
    "a bomb": ["zeros.txt", "ones.txt", "few.txt"],
    "an archive": ["old.zip", "older.zip", "oldest.zip"],
}


def packed(language: Language, extra: dict[str, bytes]) -> bytes:
    files = language.sources | language.built | extra
    entries = [(f"project/{name}", data) for name, data in files.items()]
    return zipped(*entries, method=zipfile.ZIP_DEFLATED)


def names(data: bytes, interface: str) -> Iterator[str]:
    for file in read_upload("project.zip", data, interface_named(interface).upload).files:
        yield file.name.removeprefix("project/")


@pytest.mark.parametrize(
    ("language", "extra"),
    list(product(LANGUAGES, EXTRAS)),
    ids=lambda value: value if isinstance(value, str) else value.interface,
)
def test_a_project_is_taken_without_what_no_agent_reads(language: Language, extra: str) -> None:
    data = packed(language, EXTRAS[extra])
    light = lightened("project.zip", io.BytesIO(data))
    assert set(names(data, language.interface)) == set(language.sources)
    assert set(names(light, language.interface)) == set(language.sources)
    assert len(light) <= DEFAULT_LIMITS.packed_bytes
    assert notes(light, language) == notes(data, language)


def notes(data: bytes, language: Language) -> list[str]:
    return read_upload("project.zip", data, interface_named(language.interface).upload).notes


@pytest.mark.parametrize(
    ("language", "extra"),
    list(product(LANGUAGES, TOO_MUCH)),
    ids=lambda value: value if isinstance(value, str) else value.interface,
)
def test_a_project_with_too_much_is_refused_by_its_largest_files(
    language: Language, extra: str
) -> None:
    data = packed(language, TOO_MUCH[extra])
    for read in (
        lambda: read_upload("project.zip", data, interface_named(language.interface).upload),
        lambda: lightened("project.zip", io.BytesIO(data), most=0),
    ):
        with pytest.raises(UploadRejected) as caught:
            read()
        named = caught.value.hint.partition("The largest files: ")[2]
        at = [named.find(f"'project/{name}'") for name in LARGEST[extra]]
        assert -1 not in at, named
        assert at == sorted(at)
