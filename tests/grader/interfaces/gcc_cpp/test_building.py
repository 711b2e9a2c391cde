"""Errors in C++ sources are reported, and no sources break the compiler's sandbox."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

import grader.interfaces
from grader.interfaces.declaration import BuildSteps
from grader.play.batch import open_batch
from sandbox.container import owned_containers, owned_users
from tests.grader.interfaces.gcc_cpp.playing import opened, refused
from tests.grader.interfaces.gcc_cpp.uploads import player, request_for
from tests.grader.interfaces.outcomes import only
from tests.support.archives import archive
from tests.support.slots import confined

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

_LOOK_SECONDS: Final = 0.01
"""Between two looks for a compiler, which runs for some tenths of a second."""

PLAYER: Final = (
    "class Player { public: void tell(Event*, vector<int>, int, int, vector<Card>, int) {} "
)
ASKS: Final = "Event* ask() { return new DiscardEvent(0); } };"


def test_complaints_of_the_compiler_name_file_and_line_also_in_folders() -> None:
    report = refused(archive({"Player.h": f"{PLAYER}\nint wrong() {{ return here; }}\n{ASKS}"}))
    message = only(report)
    assert (message.file, message.line, message.column) == ("Player.h", 2, 22)
    assert message.text == "'here' was not declared in this scope"
    assert "Player.h:2:22" in report.log
    upload = {
        "Player.h": '#include "parts/Hand.h"\n' + PLAYER + ASKS,
        "parts/Hand.h": "\nint int;\n",
    }
    assert {(m.file, m.line) for m in refused(archive(upload)).messages} == {("parts/Hand.h", 2)}


def test_an_include_may_lead_out_of_the_players_folder() -> None:
    upload = {
        "hanabi/src/Player.h": '#include "../common/Hand.h"\n' + PLAYER + ASKS,
        "hanabi/common/Hand.h": "\nint int;\n",
    }
    report = refused(archive(upload))
    assert {(m.file, m.line) for m in report.messages} == {("hanabi/common/Hand.h", 2)}
    assert "In file included from hanabi/src/Player.h:1" in report.log
    assert "hanabi/common/Hand.h:2" in report.log
    assert "../" not in report.log


def test_no_include_reads_what_is_not_in_the_upload() -> None:
    """Nor does the assembler, which has a directive for it."""
    files = ("etc/passwd", "proc/self/environ", "proc/1/environ", "run/firebox/control", "dev/zero")
    names = [f"{'../' * up or '/'}{file}" for file in files for up in (0, 3, 4, 5, 40)]
    tests = [f'#if __has_include("{name}")\n#error {name}\n#endif\n' for name in names]
    top = "".join([*tests, 'asm(".incbin \\"/etc/passwd\\"");'])
    assert "file not found: /etc/passwd" in only(refused(player(top=top))).text


def test_a_file_that_nothing_includes_is_left_out_with_a_note() -> None:
    upload = {
        "Player.h": '#include "it\'s/My $hand.h"\n' + PLAYER + ASKS,
        "it's/My $hand.h": '#include "..\\below\\Rank.h"\n',
        "below/Rank.h": "",
        "old/Player.cpp": 'broken (\n#include "CARDS.H"\n',
        "old/cards.h": "",
        "read me.txt": "",
    }
    with opened(archive(upload)) as batch:
        notes = [(note.file, note.text) for note in batch.builds[0].messages]
    assert notes == [
        ("it's/My $hand.h", r'"..\below\Rank.h" is taken for below/Rank.h'),
        ("old/Player.cpp", '"CARDS.H" is taken for old/cards.h'),
        ("old/Player.cpp", "not used: nothing includes it"),
        ("old/cards.h", "not used: nothing includes it"),
    ]


def test_a_player_whose_definitions_nothing_includes_gets_advice() -> None:
    upload = {
        "Player.h": '#include "Mind.h"\n' + PLAYER + ASKS.replace("0", "chosen()"),
        "Mind.h": "int chosen();",
        "Mind.cpp": '#include "Mind.h"\nint chosen() { return 0; }',
        "Hanabi.cpp": "int main() {}",
    }
    first, *others = refused(archive(upload)).messages
    assert first.file == "Mind.cpp"
    assert first.text.endswith('write #include "Mind.cpp" at the end of Mind.h')
    assert all("undefined reference" in message.text for message in others)


DECLARED: Final = (
    "#ifndef P\n#define P\nclass Player { public:"
    " void tell(Event*, vector<int>, int, int, vector<Card>, int); Event* ask(); };\n#endif\n"
)
DEFINED: Final = (
    '#include "Player.h"\nvoid Player::tell(Event*, vector<int>, int, int, vector<Card>, int) {}\n'
    "Event* Player::ask() { return new DiscardEvent(0); }\n"
)


@pytest.mark.parametrize("included", ["", '#include "Player.cpp"\n'])
def test_definitions_beside_the_player_are_compiled_with_it(included: str) -> None:
    upload = {"Player.h": DECLARED.replace("#endif", f"{included}#endif"), "Player.cpp": DEFINED}
    with opened(archive(upload)) as batch:
        assert batch.builds[0].ok
        assert batch.builds[0].messages == ()


def test_definitions_that_do_not_compile_are_reported_alone_or_left_out() -> None:
    upload = {"Player.h": DECLARED, "Player.cpp": DEFINED + "int wrong() { return here; }\n"}
    message = only(refused(archive(upload)))
    assert (message.file, message.line) == ("Player.cpp", 4)
    upload = {"Player.h": f"#pragma once\n{PLAYER}{ASKS}", "Player.cpp": DEFINED}
    with opened(archive(upload)) as batch:
        (note,) = {note.file: note for note in batch.builds[0].messages}.values()
    assert batch.builds[0].ok
    assert (note.file, note.text[:8]) == ("Player.cpp", "not used")


def test_the_linkers_words_are_said_once_with_the_line() -> None:
    report = refused(player("helper();", top="void helper();"))
    assert report.log.strip() == ""
    message = only(refused(player("helper();", top="void helper();")))
    assert message.file == "Player.h"
    assert "undefined reference to `helper()'" in message.text


def test_a_missing_header_is_reported() -> None:
    message = only(refused(player(top="#include <windows.h>")))
    assert message.line == 4
    assert "windows.h: No such file or directory (it is for Windows itself" in message.text


@pytest.mark.parametrize("include", ['"stdafx.h"', "<stdafx.h>", '"pch.h"'])
def test_what_visual_studio_precompiles_is_empty(include: str) -> None:
    with opened(player(top=f"#include {include}")) as batch:
        assert batch.builds[0].ok


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"agent.h": ""}, "there is no Player.h in the submission, only agent.h; name"),
        ({"a/Player.h": "", "b/Player.h": ""}, "there are several (a/Player.h, b/Player.h)"),
        ({"Player.h": ""}, "'Player' does not name a type"),
    ],
)
def test_a_submission_without_a_player_is_refused(files: dict[str, str], reason: str) -> None:
    assert reason in refused(archive(files)).messages[0].text


def test_a_build_does_not_depend_on_the_time() -> None:
    """Or it might build for its first games, and no more for an audit."""
    asks = 'static_assert(false, __DATE__ " " __TIME__ ", " __TIMESTAMP__);'
    text = only(refused(player("", top=asks))).text
    assert text.endswith("Jan  1 1970 00:00:00, Thu Jan  1 00:00:00 1970")


def compilers() -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            is_ours = process.stat().st_uid in owned_users()
            if is_ours and (process / "comm").read_text() == "cc1plus\n":
                found.append(int(process.name))
    return found


@contextmanager
def one_compiler_killed() -> Iterator[None]:
    """Kill the first compiler that is started, as somebody on the host would."""
    over, killed = threading.Event(), threading.Event()

    def kill() -> None:
        while not (killed.is_set() or over.wait(_LOOK_SECONDS)):
            for pid in compilers()[:1]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed.set()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield
    finally:
        over.set()
        killer.join()
    assert killed.is_set(), "no compiler was seen"


def test_a_compiler_that_the_host_kills_is_no_fault_of_the_sources() -> None:
    slot = confined(compile_anew=True)
    with one_compiler_killed(), open_batch(request_for([0]), [player()], slot) as batch:
        assert [report.ok for report in batch.builds] == [True]


BOMBS: Final = {
    "memory": (
        """template <int N, int M> struct F {
            static const long v = F<N - 1, M * 2>::v + F<N - 1, M * 2 + 1>::v;
        };
        template <int M> struct F<0, M> { static const long v = M; };
        long big = F<24, 0>::v;""",
        "too much memory",
    ),
    "size": ("static int big[200000000] = {1};", "too large"),
    "output": ("\n".join(f"#warning {'w' * 200} {i}" for i in range(9000)), "too much to say"),
    "recursion": ('#include "Player.h"\n#include "Player.h"', "nested depth"),
    "computing": (
        "constexpr long f(int n) { return n < 2 ? n : f(n-1) + f(n-2); } constexpr long v = f(60);",
        "operation count exceeds limit",
    ),
    "reading": ('asm(".incbin \\"/proc/1/environ\\"");', "file not found: /proc/1/environ"),
}


@pytest.mark.slow
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_source_that_exhausts_the_compiler_is_refused_within_bounds(bomb: str) -> None:
    source, reason = BOMBS[bomb]
    began, before = time.monotonic(), owned_containers()
    report = refused(archive({"Player.h": f"{source}\n{PLAYER}{ASKS}"}))
    assert reason in report.messages[0].text
    assert time.monotonic() - began < 60
    assert owned_containers() == before


def test_a_compiler_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    hurried = replace(grader.interfaces.INTERFACES["gcc-cpp"], build=BuildSteps(seconds=1.0))
    monkeypatch.setattr(grader.interfaces, "INTERFACES", {"gcc-cpp": hurried})
    source, _ = BOMBS["memory"]
    message = only(refused(archive({"Player.h": f"{source}\n{PLAYER}{ASKS}"})))
    assert "took too long to compile" in message.text
