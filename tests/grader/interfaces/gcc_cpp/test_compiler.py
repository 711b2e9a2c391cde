"""The build step around the compiler: what is compiled, and what its complaints become."""

import os
import signal
import sys
from pathlib import Path

import pytest

from firebox_cpp.compiler import Engine, _complaints
from firebox_cpp.staging import StagingArea, root_of, stage_submission
from firebox_native.builder import (
    CompilerMessage,
    KilledError,
    RefusedError,
    build_with,
    require_own_end,
    run_program,
    shortened,
)
from tests.support.every import every

KILLS_ITSELF = (sys.executable, "-c", "import os; os.kill(os.getpid(), 9)")
KILLED = "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n"


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
    assert places("/usr/include/c++/12/bits/stl_algo.h:5:7: error: no match") == [
        ("stl_algo.h", 5, 7)
    ]
    said = "/usr/bin/ld: agent.o: in function `x':\n./Player.h:4: undefined reference to `y()'\n"
    assert places(said) == [("Player.h", 4, 0)]


@every(
    ("said", "reason"),
    [
        ("cc1plus: out of memory allocating 65536 bytes", "too much memory"),
        ("virtual memory exhausted: Cannot allocate memory", "too much memory"),
        ("as: made.o: No space left on device", "too large"),
        ("x.s: Assembler messages: File too large", "too large"),
        ("words\n[too much output]\n", "too much to say"),
        ("g++: internal trouble", "The compiler failed: g++: internal trouble"),
        ("", "it said nothing"),
    ],
)
def test_a_compiler_that_fails_without_an_error_is_described_in_a_sentence(
    said: str, reason: str
) -> None:
    assert reason in text(said)


def test_only_a_compiler_that_was_killed_complains_of_nothing() -> None:
    linker = "collect2: fatal error: ld terminated with signal 9 [Killed]\n"
    for said in (KILLED, f"{linker}compilation terminated.\n"):
        with pytest.raises(KilledError):
            _complaints(said)
    with pytest.raises(KilledError):
        require_own_end("`x86_64-linux-gnu-gcc' failed in phase `Assembler'. (Exit code: -9)\n")
    said = f"./Player.h:1:15: error: static assertion failed: x\n{KILLED}"
    assert places(said) == [("Player.h", 1, 15)]


def test_a_build_ends_as_its_compiler_did(tmp_path: Path) -> None:
    if (child := os.fork()) == 0:
        build_with(lambda *_: run_program(KILLS_ITSELF, tmp_path, most_bytes=9)[0].encode(), "", 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def test_many_errors_and_a_long_log_are_cut() -> None:
    assert len(_complaints("Player.h:1:1: error: x\n" * 1000)) == 50
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


def put(folder: Path, *names: str, **texts: str) -> None:
    for name, text in {**dict.fromkeys(names, ""), **texts}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def staged(engine: Engine, upload: Path, top: Path) -> tuple[list[CompilerMessage], list[str]]:
    """Stage an upload at ``top``; return the notes, and the names of files that are not its own."""
    stage = StagingArea(top, root_of(engine, upload).relative_to(upload))
    return stage_submission(engine, upload, stage), sorted(stage.ours)


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_an_agent_may_be_deep_in_a_project(engine: Engine, upload: Path) -> None:
    project = "hanabi-main/src/Player.h", "hanabi-main/src/old/Player.h"
    put(upload, *project, ".git/Player.h", "__MACOSX/Player.h")
    assert root_of(engine, upload) == upload / "hanabi-main" / "src"


@pytest.mark.parametrize("names", [[], ["a/Player.h", "b/Player.h"], ["a/MyPlayer.h"]])
def test_no_agent_or_several_are_refused(engine: Engine, upload: Path, names: list[str]) -> None:
    put(upload, *names)
    with pytest.raises(RefusedError):
        root_of(engine, upload)


def test_a_player_in_utf_16_is_refused_with_the_reason(
    engine: Engine, upload: Path, tmp_path: Path
) -> None:
    (upload / "src").mkdir()
    (upload / "src" / "Player.h").write_text("class Player {};", "utf-16")
    with pytest.raises(RefusedError) as caught:
        staged(engine, upload, tmp_path / "staged")
    (complaint,) = caught.value.messages
    assert complaint["file"] == "src/Player.h"
    assert complaint["text"].startswith("this is UTF-16")


def test_the_engines_files_are_not_taken_from_an_upload(
    engine: Engine, upload: Path, tmp_path: Path
) -> None:
    put(upload, "Player.h", "Card.h", "parts/Card.h", "parts/Hand.h", ".hidden.h")
    notes, ours = staged(engine, upload, tmp_path / "staged")
    root = tmp_path / "staged"
    assert [note["file"] for note in notes] == ["Card.h", "parts/Card.h"]
    assert files_in(root) == {"Player.h", "parts/Hand.h", "Card.h", "parts/Card.h"}
    assert ours == ["Card.h", "parts/Card.h"]
    assert (root / "parts" / "Card.h").read_text() == '#include "../Card.h"\n'
    assert (root / "Card.h").read_text() == "the engine's"


def test_a_whole_project_is_staged_under_its_names(
    engine: Engine, upload: Path, tmp_path: Path
) -> None:
    """Includes lead out of the player's folder, also to copies of the engine's files."""
    includes = {
        "game/agents/me/Player.h": (
            '#include "../../engine/Card.h"\n#include "../../common/Rank.h"\n'
            '#include "../../Common/rank.h"\n#include "..\\..\\common\\rank.h"\n'
            '#include "../../common\\rank.h"\n'
        ),
        "game/common/Rank.h": '#include "Card.h"\n',
        "game/engine/Card.h": "a copy of the engine's",
    }
    put(upload, **includes)
    (upload / "game" / "link").symlink_to("/etc")
    (upload / "game" / "common" / "passwd").symlink_to("/etc/passwd")
    root = tmp_path / "staged"
    notes, ours = staged(engine, upload, root)
    player = "game/agents/me/Player.h"
    assert [(note["file"], note["line"], note["text"]) for note in notes] == [
        ("game/engine/Card.h", 0, "not used: the engine's own file is"),
        (player, 3, '"../../Common/rank.h" is taken for game/common/Rank.h'),
        (player, 4, r'"..\..\common\rank.h" is taken for game/common/Rank.h'),
        (player, 5, r'"../../common\rank.h" is taken for game/common/Rank.h'),
    ]
    assert ours == [
        "game/Common/rank.h",
        "game/agents/me/..\\..\\common\\rank.h",
        "game/agents/me/Card.h",
        "game/common\\rank.h",
        "game/engine/Card.h",
    ]
    assert files_in(root) == {player, "game/common/Rank.h", *ours}
    assert (root / "game/engine/Card.h").read_text() == '#include "../agents/me/Card.h"\n'
    assert (root / "game/agents/me/Card.h").read_text() == "the engine's"
    assert (root / "game/common\\rank.h").read_text() == '#include "common/Rank.h"\n'


def test_a_player_in_another_spelling_is_the_player_where_there_is_no_other(
    engine: Engine, upload: Path, tmp_path: Path
) -> None:
    put(upload, **{"src/player.h": "theirs"})
    assert root_of(engine, upload) == upload / "src"
    staged(engine, upload, tmp_path / "staged")
    assert (tmp_path / "staged" / "src" / "Player.h").read_text() == "theirs"
    (upload / "src" / "Player.h").write_text("the one")
    staged(engine, upload, tmp_path / "again")
    assert (tmp_path / "again" / "src" / "Player.h").read_text() == "the one"
    assert (tmp_path / "again" / "src" / "player.h").read_text() == "theirs"


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
    root = tmp_path / "staged"
    notes, ours = staged(engine, upload, root)
    assert [(note["file"], note["line"], note["text"]) for note in notes] == [
        ("CARD.H", 0, "not used: the engine's own file is"),
        ("Player.h", 2, '"card.h" is taken for Card.h'),
        ("Player.h", 4, '"Parts/hand.h" is taken for parts/Hand.h'),
        ("Player.h", 7, r'"parts\.\Hand.h" is taken for parts/Hand.h'),
        ("parts/Hand.h", 1, '"../CARD.H" is taken for Card.h'),
    ]
    assert (root / "card.h").read_text() == '#include "Card.h"\n'
    assert (root / "Parts" / "hand.h").read_text() == '#include "../parts/Hand.h"\n'
    assert ours == ["CARD.H", "Card.h", "Parts/hand.h", "card.h", r"parts\.\Hand.h"]
    assert files_in(root) == {"Player.h", "parts/Hand.h", *ours}


def test_a_byte_order_mark_hides_no_include(engine: Engine, upload: Path, tmp_path: Path) -> None:
    (upload / "Player.h").write_text('#include "hand.h"\n', "utf-8-sig")
    (upload / "Hand.h").write_text("")
    notes, _ = staged(engine, upload, tmp_path / "staged")
    assert [(note["line"], note["text"]) for note in notes] == [(1, '"hand.h" is taken for Hand.h')]


@pytest.mark.parametrize(
    "name",
    [
        "Player.h/../parts\\Hand.h",
        "b\\/../../../b\\/../x/up/parts\\Hand.h",
        "../" * 9 + "etc/PASSWD",
        "..\\" * 9 + "etc\\passwd",
        "/etc/PASSWD",
        "\\etc\\passwd",
        "../outside\\Secret.h",
        "../Outside/secret.h",
        "../../x/outside/secret.H",
        "parts/" * 30 + "../" * 30 + "../outside/secret.h",
        "../up/../outside\\Secret.h",
        "äÿ" * 100,
    ],
)
def test_no_include_creates_files_outside_or_over_a_file(
    engine: Engine, upload: Path, tmp_path: Path, name: str
) -> None:
    put(upload, "parts/Hand.h")
    (upload / "Player.h").write_bytes(f'#include "{name}"\n'.encode("latin-1"))
    put(tmp_path, "x/outside/Secret.h")
    notes, ours = staged(engine, upload, tmp_path / "x" / "up")
    assert (notes, ours) == ([], ["Card.h"])
    assert files_in(tmp_path / "x") == {
        *("up/Player.h", "up/Card.h", "up/parts/Hand.h", "outside/Secret.h")
    }
