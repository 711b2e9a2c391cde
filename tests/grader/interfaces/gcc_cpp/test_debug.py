"""Agents in C++ played with every access to memory checked, in real sandboxes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from grader.core.errors import RecordError
from grader.core.records import Evidence, FaultKind, GameResult
from grader.play.batch import open_batch
from grader.play.slot import Slot
from grader.uploads.archive import read_archive, unpack
from tests.grader.cli.conftest import Firebox, firebox
from tests.grader.interfaces.gcc_cpp.uploads import (
    AGENTS,
    deals_of,
    doing,
    folder,
    player,
    request_for,
)
from tests.support.deeds import Deeds, open_deeds
from tests.support.depth import deeper
from tests.support.slots import UNCONFINED, confined

__all__ = ["firebox"]

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

PLAIN: Final = confined()
DEBUG: Final = confined(debug=True)
TOP: Final = """
#include <cstdio>
#include <sys/socket.h>
#include <thread>
static int* mine = new int[5];
static int zero = 0;
int* gone() {
    int here[3] = {1, 2, 3};
    int* pointer = here;
    return pointer;
}
void lose(int* numbers) {
    delete[] numbers;
}
"""


def played(upload: bytes, slot: Slot = DEBUG) -> GameResult:
    with open_batch(request_for([0]), [upload], slot) as batch:
        assert batch.playable, batch.builds
        (result,) = batch.games()
    return result


def evidence(result: GameResult) -> Evidence:
    assert result.evidence is not None
    return result.evidence


def line_of(upload: bytes, text: str) -> int:
    (file,) = read_archive(upload).files
    lines = file.data.decode().splitlines()
    (line,) = [number for number, one in enumerate(lines, 1) if text in one]
    return line


FATAL: Final = {
    "an access behind an array": ("int* a = new int[5]; a[5 + zero] = 1;", "heap-buffer-overflow"),
    "use after free": ("int* a = new int[5]; lose(a); hints = a[1];", "heap-use-after-free"),
    "freed twice": ("int* a = new int[5]; lose(a); delete[] a;", "double-free"),
    "the wrong delete": ("int* a = new int[5]; delete a;", "alloc-dealloc-mismatch"),
    "an array on the stack": ("int a[4]; a[zero - 1] = 1;", "stack-buffer-"),
    "a variable that is gone": ("hints = *gone();", "stack-use-after-return"),
    "an address of nothing": ("int* a = NULL; *a = 1;", "SIGSEGV"),
    "an index of a vector": ("vector<int> v(5); v[10] = 1;", "aborted"),
    "an iterator that is no longer one": (
        "vector<int> v(5); auto i = v.begin(); v.resize(99); hints = *i;",
        "aborted",
    ),
}
SAID: Final = {
    "an access behind an array": "0 bytes to the right of 20-byte region",
    "use after free": "freed by thread T0 here:\n    #0",
    "an address of nothing": "runtime error: store to null pointer of type 'int'",
    "an index of a vector": "out-of-bounds index 10, but \ncontainer only holds 5 elements",
    "an iterator that is no longer one": "a singular iterator",
}


UNDEFINED: Final = {
    "hints += (turn + 2147483647) * zero;": "signed integer overflow: 3 + 2147483647",
    "hints += 1 << (40 + zero);": "shift exponent 40 is too large for 32-bit type 'int'",
    "if (*new bool) turn += 0;": "load of value 190, which is not a valid value for type 'bool'",
}
FREED: Final = "lose(mine);\n hints = mine[1];"
CONFINED: Final = (
    'if (fopen("/tmp/x", "w") || fopen("/etc/passwd", "r") || fopen("/proc/self/maps", "r")'
    ' || fopen("/opt/firebox/sandbox/inside/supervisor.py", "r")'
    ' || fopen("/usr/bin/new", "w") || socket(AF_INET, SOCK_STREAM, 0) >= 0) throw 1;'
)
STARTS: Final = ("std::thread([] {}).detach();", 'system("/usr/bin/as");')
MEMORY: Final = "while (true) partners.resize(2 * partners.size());"
ON_THIRD_TURN: Final = (*UNDEFINED, *(statement for statement, _ in FATAL.values()), FREED)
DEEDS: Final = {
    **{statement: f"if (turn == 3) {{\n{statement}\n}}" for statement in ON_THIRD_TURN},
    **{statement: statement for statement in (CONFINED, *STARTS, MEMORY)},
}
"""What one agent does, each in a deal of its own."""
UPLOAD: Final = doing(DEEDS, top=TOP)


@pytest.fixture(scope="module")
def checked(docker_engine: object) -> Iterator[Deeds]:
    """An agent with all deeds: by its deal, seat 0 does one, or both seats what is undefined."""
    deals = {**deals_of(DEEDS), **deals_of(UNDEFINED, both=True)}
    with open_deeds(request_for([0]), UPLOAD, deals, DEBUG) as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("error", FATAL)
def test_a_misuse_of_memory_is_named_with_its_line(error: str, checked: Deeds) -> None:
    statement, name = FATAL[error]
    result = checked.play(statement)
    line = line_of(UPLOAD, statement)
    assert result.record.fault is not None
    assert result.record.fault.kind is FaultKind.CRASH
    assert name in result.record.fault.detail
    assert result.record.fault.detail.endswith(f" at Player.h:{line}")
    assert SAID.get(error, "") in evidence(result).stderr


def test_the_report_says_where_memory_came_from_and_where_it_was_freed(checked: Deeds) -> None:
    said = evidence(checked.play(FREED)).stderr
    access, freed, allocated = (
        line_of(UPLOAD, text) for text in ("hints = mine[1]", "delete[] numbers", "mine = new")
    )
    assert said.index(f" in Player::ask() Player.h:{access}\n") < said.index("freed by")
    assert said.index("freed by") < said.index(f" in lose(int*) Player.h:{freed}\n")
    assert said.index("previously allocated by") < said.index(f" Player.h:{allocated}\n")


@pytest.mark.parametrize("statement", UNDEFINED)
def test_undefined_behaviour_is_reported_and_the_game_continues(
    statement: str, checked: Deeds
) -> None:
    result = checked.play(statement)
    line = line_of(UPLOAD, statement)
    assert result.record.fault is None
    seats = evidence(result).stderr.split("Seat 2:")
    assert len(seats) == 2
    for said in seats:
        assert f"Player.h:{line}:" in said
        assert f"runtime error: {UNDEFINED[statement]}" in said


CHECKED: Final = deeper(
    ["bundled", "collector", "copier", "veteran"],
    deep=sorted(path.name for path in AGENTS.iterdir()),
)
"""Between them: functions without return, own copies, own headers, containers of the library."""


@pytest.mark.slow
@pytest.mark.parametrize("agent", CHECKED)
def test_an_agent_without_errors_plays_the_same_game(agent: str) -> None:
    upload = folder(agent)
    checked, plain = played(upload), played(upload, PLAIN)
    assert checked.record.fault is None
    assert (checked.record.actions, checked.record.scores) == (
        plain.record.actions,
        plain.record.scores,
    )
    assert "runtime error" not in evidence(checked).stderr


def test_an_error_that_the_usual_build_survives_is_found() -> None:
    upload = player("room[turn] = 0;", top="static int* room = new int[5];")
    assert played(upload, PLAIN).record.fault is None
    fault = played(upload).record.fault
    assert fault is not None
    assert "heap-buffer-overflow" in fault.detail


def test_checked_agents_are_confined_like_others(checked: Deeds) -> None:
    assert checked.play(CONFINED).record.fault is None


@pytest.mark.parametrize("statement", STARTS)
def test_checked_agents_start_no_threads_and_no_programs(statement: str, checked: Deeds) -> None:
    fault = checked.play(statement).record.fault
    assert fault is not None
    assert fault.kind is FaultKind.FORBIDDEN


def test_unlimited_allocation_is_still_a_fault(checked: Deeds) -> None:
    fault = checked.play(MEMORY).record.fault
    assert fault is not None
    assert fault.kind is FaultKind.MEMORY


def test_a_crash_of_the_usual_build_says_what_to_do() -> None:
    result = played(player("int* nowhere = NULL; *nowhere = 1;"), PLAIN)
    assert "firebox play --debug" in evidence(result).stderr
    assert result.record.fault is not None
    assert "--debug" not in result.record.fault.detail


def test_memory_checks_are_refused_outside_the_sandbox() -> None:
    with pytest.raises(RecordError), open_batch(
        request_for([0]), [player()], replace(UNCONFINED, debug=True)
    ):  # fmt: skip
        pass


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    def write(ask: str) -> Path:
        unpack(player(ask, top=TOP), tmp_path)
        return tmp_path / "Player.h"

    return write


def test_the_command_shows_report_and_line(
    firebox: Firebox, written: Callable[[str], Path]
) -> None:
    run = firebox("play", written("int* a = new int[5]; a[5 + zero] = 1;"), "--debug")
    assert run.status == 1
    assert "this game does not count" in run.out
    assert "ERROR: AddressSanitizer: heap-buffer-overflow" in run.out
    assert "in Player::ask() Player.h:" in run.out
    assert "python3.11" not in run.out
    assert "Shadow bytes" not in run.out


def test_the_command_shows_errors_that_caused_no_fault(
    firebox: Firebox, written: Callable[[str], Path]
) -> None:
    run = firebox("play", written("hints += (2147483647 + turn) * zero;"), "--debug")
    assert run.status == 0
    assert "runtime error: signed integer overflow" in run.out


def test_a_result_as_json_cannot_be_taken_for_one_that_counts(
    firebox: Firebox, written: Callable[[str], Path]
) -> None:
    run = firebox("play", written(""), "--debug", "--json")
    assert set(run.json) == {"debug"}
    assert run.json["debug"]["record"]["fault"] is None


def test_an_interface_without_memory_checks_is_refused_with_the_reason(firebox: Firebox) -> None:
    run = firebox("play", "house:iggi", "--debug")
    assert run.status == 2
    assert "the interface python has no memory checks" in run.err


def test_memory_checks_need_the_sandbox(firebox: Firebox, written: Callable[[str], Path]) -> None:
    run = firebox("play", written(""), "--debug", "--no-sandbox")
    assert run.status == 2
    assert "--no-sandbox" in run.err
