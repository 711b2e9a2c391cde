"""Project folders as students pack them: with history, pictures, logs and what tools build."""

import io
import os
import stat
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from grader.core.errors import UploadRejected
from grader.interfaces import INTERFACES, interface_named
from grader.uploads.archive import DEFAULT_LIMITS, read_upload
from grader.uploads.clutter import build_output, named_folders
from grader.uploads.lighten import lightened
from grader.uploads.project_folder import packed_folder
from tests.support.zips import entry, rejection, unpacked, zipped

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
        | {f"venv/lib/site-packages/m{number}.py": b"" for number in range(300)},
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
        {f".stack-work/install/{number}": b"x" for number in range(300)}
        | {"dist-newstyle/cache/plan.json": _NOISE[:MIB], "src/Player.hi": _NOISE[:MIB]},
    ),
    Language(
        "stdio-python",
        {"main.py": b"print()\n", "data/table.txt": b"1\n"},
        {f"node_modules/m{number}/index.js": b"x" for number in range(300)},
    ),
)
EXTRAS: Final = {
    "history": {f".git/objects/{number:04x}/pack": _NOISE[:4096] for number in range(500)},
    "pictures": {f"docs/{number}.png": _NOISE[:MIB] for number in range(3)} | {"r.pdf": _NOISE},
    "logs": {f"logs/game{number}.log": b"turn\n" * 5_000 for number in range(60)},
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
    return zipped(*entries, method=zipfile.ZIP_DEFLATED, level=1)


def names(data: bytes, interface: str) -> Iterator[str]:
    for file in read_upload("project.zip", data, interface_named(interface).upload).files:
        yield file.name.removeprefix("project/")


@pytest.mark.parametrize(
    ("language", "extra"),
    [*product(LANGUAGES, ["everything"]), *zip(LANGUAGES[:3], list(EXTRAS)[:3], strict=True)],
    ids=lambda value: value if isinstance(value, str) else value.interface,
)
def test_a_project_is_taken_without_what_no_agent_reads(language: Language, extra: str) -> None:
    data = packed(language, EXTRAS[extra])
    light = lightened("project.zip", io.BytesIO(data))
    assert set(names(data, language.interface)) == set(language.sources)
    assert set(names(light.data, language.interface)) == set(language.sources)
    assert len(light.data) <= DEFAULT_LIMITS.packed_bytes
    assert [*light.notes, *notes(light.data, language)] == notes(data, language)


def notes(data: bytes, language: Language) -> list[str]:
    return read_upload("project.zip", data, interface_named(language.interface).upload).notes


@pytest.mark.parametrize(
    ("language", "extra"),
    list(zip(LANGUAGES[:4], TOO_MUCH, strict=True)),
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


AGENT = "class Agent: ...\n"
READS = "DATA = open('out/table.txt')\n"
JUNK = "x" * 3000
CASES: Final = {
    "build folders": (
        {"agent.py": AGENT, "build/lib.txt": JUNK, "a/target/x/y.bin": JUNK, ".git/x": JUNK},
        {"agent.py"},
        "left out: '.git' (1 file, 2.93 KiB), 'a/target' (1 file, 2.93 KiB), 'build' (1 file, ",
    ),
    "an agent in a build folder": (
        {"agent.py": AGENT, "build/tools.py": "", "build/notes.txt": "", "build/obj/a.bin": JUNK},
        {"agent.py", "build/tools.py", "build/notes.txt"},
        "left out: 'build/obj' (1 file, 2.93 KiB)",
    ),
    "weights": ({"agent.py": AGENT, "out/w.npz": JUNK}, {"agent.py", "out/w.npz"}, ""),
    "data that a source reads": (
        {"agent.py": READS, "out/table.txt": JUNK, "dist/table.txt": ""},
        {"agent.py", "out/table.txt"},
        "left out: 'dist'",
    ),
    "data that a manifest names": (
        {"agent.py": AGENT, "MANIFEST.in": "include bin/a.txt\n", "bin/a.txt": ""},
        {"agent.py", "MANIFEST.in", "bin/a.txt"},
        "",
    ),
    "a virtual environment": (
        {
            "agent.py": AGENT,
            "env/agent.py": AGENT,
            "env/pyvenv.cfg": "",
            "env/bin/python": JUNK,
            "env/lib/python3.12/a.py": JUNK,
        },
        {"agent.py", "env/agent.py", "env/pyvenv.cfg"},
        "left out: 'env' (2 files, 5.86 KiB)",
    ),
    "an environment around the project": (
        {"agent.py": AGENT, "pyvenv.cfg": "", "bin/python": JUNK, "lib/tools.py": ""},
        {"agent.py", "pyvenv.cfg", "lib/tools.py"},
        "left out: 'the virtual environment'",
    ),
    "a repository in capitals": (
        {"agent.py": AGENT, ".GIT/a": "", "a/git~1/a": "", ".git. /a": "", ".git::$X/a": ""},
        {"agent.py"},
        "left out: '.GIT' (1 file, 0 bytes), '.git. ' (1 file, 0 bytes), '.git::$X' (1 file,",
    ),
    "a file that leads to a repository": (
        {"agent.py": AGENT, ".git": "gitdir: evil"},
        {"agent.py"},
        "left out: elsewhere (1 file, 12 bytes)",
    ),
    "letters that look alike": (
        {"agent.py": AGENT, "\u0440ycache/a.txt": "", "b\u0075\u0456ld/a.txt": ""},
        {"agent.py", "\u0440ycache/a.txt", "b\u0075\u0456ld/a.txt"},
        "",
    ),
    "what systems add": (
        {"agent.py": AGENT, "__MACOSX/x": "", ".DS_Store": JUNK, "Thumbs.db": ""},
        {"agent.py"},
        "",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_folder_and_its_archive_are_taken_alike(case: str, tmp_path: Path) -> None:
    files, kept, told = CASES[case]
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    archive = zipped(*((name, text.encode()) for name, text in files.items()))
    sources = read_upload("a.zip", archive)
    light = packed_folder(tmp_path)
    assert {file.name for file in sources.files} == kept
    assert read_upload("a.zip", light.data) == sources
    assert list(light.notes) == sources.notes
    assert "".join(sources.notes).startswith(told)
    assert bool(sources.notes) is bool(told)
    whole = [(f"project/{name}", text.encode()) for name, text in files.items()]
    assert read_upload("a.zip", zipped(*whole)) == sources


@pytest.mark.parametrize("files", [{"a.csv": 6 * MIB, "b.csv": 10}, dict.fromkeys("abc", 2 * MIB)])
def test_a_folder_that_is_too_large_is_refused_by_its_largest_files(
    files: dict[str, int], tmp_path: Path
) -> None:
    (tmp_path / "agent.py").write_text(AGENT)
    for name, size in files.items():
        with (tmp_path / name).open("w") as file:
            file.truncate(size)
    first, size = next(iter(files.items()))
    with pytest.raises(UploadRejected, match=rf"The largest files: '{first}' \({size:,} bytes\)"):
        packed_folder(tmp_path)


def test_every_source_of_an_interface_keeps_its_folder() -> None:
    endings = {ending for each in INTERFACES.values() for ending in each.upload.suffixes}
    names = [f"build/{number}/build/a{ending}" for number, ending in enumerate(endings)]
    assert not build_output(names)
    assert build_output([*names, "build/bin/a"]) == {"build/bin/a": "build/bin"}


LINK = stat.S_IFLNK | 0o777
ATTACKS = {
    "a link out of a build folder": (entry("build/a", mode=LINK), "is a link"),
    "a link called like a build folder": (entry("build", mode=LINK), "is a link"),
    "a way out of a repository": (entry(".git/../../a"), "leads out of the archive"),
    "a way out of a build folder": (entry("build/.. /agent.py"), "leads out of the archive"),
    "the agent in an environment": (entry("venv/agent.py"), "The archive has no files"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_names_that_are_left_out_are_no_way_around_a_check(attack: str) -> None:
    name, reason = ATTACKS[attack]
    others = [] if "no files" in reason else [("agent.py", AGENT.encode())]
    refused = rejection(zipped(*others, (name, b"/etc")))
    assert reason in refused
    assert ("'venv' was left out." in refused) is not bool(others)


def test_links_in_what_is_left_out_are_never_read(tmp_path: Path) -> None:
    names = (".git/a", ".GIT/a", "env/bin/python", "env/lib64", ".git")
    links = [(entry(name, mode=LINK), b"/etc") for name in names]
    data = zipped(("agent.py", AGENT.encode()), ("env/pyvenv.cfg", b""), *links)
    assert unpacked(data, tmp_path) == {"agent.py", "env/pyvenv.cfg"}


def test_a_source_of_nothing_but_names_of_folders_takes_no_long_search() -> None:
    folders = {f"{number}/build/a": b"" for number in range(150)}
    data = b'"build"' * (4 * MIB // 7)
    began = time.process_time()
    assert len(named_folders(list(build_output(folders).values()), {"agent.py": data})) == 150
    assert time.process_time() - began < 5
