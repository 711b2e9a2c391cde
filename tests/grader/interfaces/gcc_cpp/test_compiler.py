"""The build step around the compiler: what is compiled, and what its complaints become."""

from pathlib import Path

import pytest

from firebox_cpp.compiler import Engine, _complaints, _root_of, _stage
from firebox_native.builder import RefusedError, shortened


def places(said: str) -> list[tuple[str, int, int]]:
    return [(one["file"], one["line"], one["column"]) for one in _complaints(said)]


def text(said: str) -> str:
    (message,) = _complaints(said)
    return message["text"]


def test_an_error_has_its_place_and_warnings_are_left_out() -> None:
    said = (
        "In file included from gcc_cpp/adapter.cpp:6:\n"
        "./Player.h: In member function 'Event* Player::ask()':\n"
        "./Player.h:9:3: warning: unused\n"
        "./Player.h:10:2: error: 'foo' was not declared in this scope\n"
        "parts/Hand.h:3:1: fatal error: nothing.h: No such file or directory\n"
    )
    assert places(said) == [("Player.h", 10, 2), ("parts/Hand.h", 3, 1)]


def test_an_error_in_a_header_of_the_system_names_the_header() -> None:
    assert places("/usr/include/c++/12/bits/stl_algo.h:5:7: error: no match") == [
        ("stl_algo.h", 5, 7)
    ]


def test_an_undefined_symbol_has_its_line() -> None:
    said = "/usr/bin/ld: agent.o: in function `x':\n./Player.h:4: undefined reference to `y()'\n"
    assert places(said) == [("Player.h", 4, 0)]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("cc1plus: out of memory allocating 65536 bytes", "too much memory"),
        ("g++: fatal error: Killed signal terminated program cc1plus", "too much memory"),
        ("virtual memory exhausted: Cannot allocate memory", "too much memory"),
        ("as: made.o: No space left on device", "too large"),
        ("x.s: Assembler messages: File too large", "too large"),
        ("words\n[too much output]\n", "too much to say"),
        ("g++: internal trouble", "The compiler failed: g++: internal trouble"),
        ("", "it said nothing"),
    ],
)
def test_other_ends_are_described_in_a_sentence(said: str, reason: str) -> None:
    assert reason in text(said)


def test_only_the_first_of_many_errors_are_reported() -> None:
    assert len(_complaints("Player.h:1:1: error: x\n" * 1000)) == 50


def test_a_long_log_keeps_both_ends() -> None:
    log = shortened("a" * 9000 + "b" * 9000)
    assert log.startswith("aaa")
    assert log.endswith("bbb")
    assert len(log) < 5000


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    folder = tmp_path / "engine"
    folder.mkdir()
    (folder / "Card.h").write_text("the engine's")
    return Engine(folder=folder, entry="Player.h")


@pytest.fixture
def upload(tmp_path: Path) -> Path:
    folder = tmp_path / "upload"
    folder.mkdir()
    return folder


def test_an_agent_may_be_in_one_folder(engine: Engine, upload: Path) -> None:
    (upload / "project" / "parts").mkdir(parents=True)
    (upload / "__MACOSX").mkdir()
    for name in ("project/Player.h", "__MACOSX/Player.h"):
        (upload / name).touch()
    assert _root_of(engine, upload) == upload / "project"


def test_an_agent_may_be_deep_in_a_project(engine: Engine, upload: Path) -> None:
    for name in ("hanabi-main/src/Player.h", "hanabi-main/src/old/Player.h", ".git/Player.h"):
        (upload / name).parent.mkdir(parents=True, exist_ok=True)
        (upload / name).touch()
    assert _root_of(engine, upload) == upload / "hanabi-main" / "src"


@pytest.mark.parametrize("names", [[], ["a/Player.h", "b/Player.h"], ["a/MyPlayer.h"]])
def test_no_agent_or_several_are_refused(engine: Engine, upload: Path, names: list[str]) -> None:
    for name in names:
        (upload / name).parent.mkdir(parents=True)
        (upload / name).touch()
    with pytest.raises(RefusedError):
        _root_of(engine, upload)


def test_the_engines_files_are_not_taken_from_an_upload(
    engine: Engine, upload: Path, tmp_path: Path
) -> None:
    (upload / "parts").mkdir()
    for name in ("Player.h", "Card.h", "parts/Card.h", "parts/Hand.h", ".hidden.h"):
        (upload / name).touch()
    notes, ours = _stage(engine, upload, tmp_path / "staged")
    root = tmp_path / "staged"
    staged = {path.relative_to(root).as_posix() for path in root.rglob("*.h")}
    assert [note["file"] for note in notes] == ["Card.h", "parts/Card.h"]
    assert staged == {"Player.h", "parts/Hand.h", "Card.h", "parts/Card.h"}
    assert ours == ["parts/Card.h"]
    assert (root / "parts" / "Card.h").read_text() == '#include "../Card.h"\n'
    assert (root / "Card.h").read_text() == "the engine's"


def test_a_player_in_another_spelling_is_the_player_where_there_is_no_other(
    engine: Engine, upload: Path, tmp_path: Path
) -> None:
    (upload / "src").mkdir()
    (upload / "src" / "player.h").write_text("theirs")
    assert _root_of(engine, upload) == upload / "src"
    _stage(engine, upload / "src", tmp_path / "staged")
    assert (tmp_path / "staged" / "Player.h").read_text() == "theirs"
    (upload / "src" / "Player.h").write_text("the one")
    _stage(engine, upload / "src", tmp_path / "again")
    assert (tmp_path / "again" / "Player.h").read_text() == "the one"
    assert (tmp_path / "again" / "player.h").read_text() == "theirs"


def test_includes_in_another_spelling_find_their_files(
    engine: Engine, upload: Path, tmp_path: Path
) -> None:
    (upload / "parts").mkdir()
    (upload / "Player.h").write_text(
        '#include <vector>\n#include "card.h"\n#include "Card.h"\n # include "Parts/hand.h"\n'
        '#include "missing.h"\n#include "../player.h"\n#include "parts\\.\\Hand.h"\n'
    )
    (upload / "parts" / "Hand.h").write_text('#include "../CARD.H"\n')
    (upload / "CARD.H").write_text("a copy of the engine's")
    staged = tmp_path / "staged"
    notes, ours = _stage(engine, upload, staged)
    assert [(note["file"], note["line"], note["text"]) for note in notes] == [
        ("CARD.H", 0, "not used: the engine's own file is"),
        ("Player.h", 2, '"card.h" is taken for Card.h'),
        ("Player.h", 4, '"Parts/hand.h" is taken for parts/Hand.h'),
        ("Player.h", 7, r'"parts\.\Hand.h" is taken for parts/Hand.h'),
        ("parts/Hand.h", 1, '"../CARD.H" is taken for Card.h'),
    ]
    assert (staged / "card.h").read_text() == '#include "Card.h"\n'
    assert (staged / "Parts" / "hand.h").read_text() == '#include "../parts/Hand.h"\n'
    files = {path.relative_to(staged).as_posix() for path in staged.rglob("*") if path.is_file()}
    assert ours == ["CARD.H", "Parts/hand.h", "card.h", r"parts\.\Hand.h"]
    assert files == {"Player.h", "Card.h", "parts/Hand.h", *ours}


@pytest.mark.parametrize(
    "name", ["Player.h/../parts\\Hand.h", "b\\/../../../b\\/../x/up/parts\\Hand.h"]
)
def test_no_include_has_files_made_where_there_is_a_file_or_outside(
    engine: Engine, upload: Path, tmp_path: Path, name: str
) -> None:
    (upload / "parts").mkdir()
    (upload / "parts" / "Hand.h").touch()
    (upload / "Player.h").write_text(f'#include "{name}"\n')
    (tmp_path / "x").mkdir()
    notes, forwarders = _stage(engine, upload, tmp_path / "x" / "up")
    assert (notes, forwarders) == ([], [])
    assert list((tmp_path / "x").iterdir()) == [tmp_path / "x" / "up"]
