"""Programs over standard input and output in real sandboxes."""

from collections.abc import Iterator
from contextlib import ExitStack
from statistics import fmean
from typing import Final

import pytest

from grader.core.records import FaultKind, GameResult
from tests.grader.interfaces.stdio.programs import choosing, deals_of, line_of, program
from tests.grader.interfaces.stdio.uploads import (
    EXAMPLE,
    example,
    faulted,
    faults,
    played,
    request_for,
    same_fault,
)
from tests.support.archives import archive
from tests.support.deeds import Deeds, open_deeds
from tests.support.depth import deeper

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]
PYTHON, CPP, JAVA = "stdio-python", "stdio-cpp", "stdio-java"


@pytest.fixture(scope="module")
def games() -> dict[str, list[GameResult]]:
    count = deeper(6, deep=50)
    return {interface: played(interface, example(interface), count) for interface in EXAMPLE}


def test_the_examples_play_without_a_fault_and_well(games: dict[str, list[GameResult]]) -> None:
    for results in games.values():
        assert faults(results) == []
        assert fmean(result.record.scores[0] for result in results) > 14


def test_the_examples_are_one_player_in_three_languages(games: dict[str, list[GameResult]]) -> None:
    python, cpp, java = (
        [result.record.actions for result in games[interface]] for interface in EXAMPLE
    )
    assert python == cpp == java


def test_the_examples_for_hearts_are_one_player_in_three_languages() -> None:
    played_by = {
        interface: [
            result.record
            for result in played(interface, example(interface, "hearts"), 2, 4, "hearts")
        ]
        for interface in EXAMPLE
    }
    first, *others = ([record.actions for record in records] for records in played_by.values())
    assert [record.fault for records in played_by.values() for record in records] == [None] * 6
    assert others == [first, first]


@pytest.mark.parametrize("interface", EXAMPLE)
def test_an_example_plays_the_same_game_again_and_with_five(
    interface: str, games: dict[str, list[GameResult]]
) -> None:
    (again,) = played(interface, example(interface))
    assert again.record.actions == games[interface][0].record.actions
    assert faults(played(interface, example(interface), 2, players=5)) == []


FAULTS: Final = {
    (PYTHON, 'print("Hello!")'): (FaultKind.MALFORMED, "not a line of JSON"),
    (CPP, 'std::cout << "Hello!" << std::endl;'): (FaultKind.MALFORMED, "not a line of JSON"),
    (JAVA, 'System.out.println("Hello!");'): (FaultKind.MALFORMED, "not a line of JSON"),
    (PYTHON, "sys.exit(3)"): (FaultKind.CRASH, "ended during the game: exit status 3"),
    (CPP, "exit(3);"): (FaultKind.CRASH, "ended during the game: exit status 3"),
    (JAVA, "System.exit(3);"): (FaultKind.CRASH, "ended during the game: exit status 3"),
    (PYTHON, "exit()"): (FaultKind.CRASH, "ended itself (exit status 0)"),
    (CPP, "_Exit(0);"): (FaultKind.CRASH, "ended itself (exit status 0)"),
    (JAVA, "Runtime.getRuntime().halt(0);"): (FaultKind.CRASH, "exit status 0"),
    (PYTHON, "import time; time.sleep(60)"): (FaultKind.IDLE, "no reply after"),
    (CPP, "for (std::string s; std::getline(std::cin, s);) {}"): (FaultKind.IDLE, "no reply after"),
    (JAVA, "Thread.sleep(60_000);"): (FaultKind.IDLE, "no reply after"),
    (PYTHON, "while True: pass"): (FaultKind.TIMEOUT, "computing"),
    (CPP, "for (volatile int i = 0;; i = i) {}"): (FaultKind.TIMEOUT, "computing"),
    (JAVA, "while (turns > 0) { turns = 3; }"): (FaultKind.TIMEOUT, "computing"),
    (PYTHON, "import threading; threading.Thread(target=print).start()"): (
        FaultKind.FORBIDDEN,
        "tried to start a thread",
    ),
    (CPP, "std::thread([] {}).detach();"): (FaultKind.FORBIDDEN, "tried to start a thread"),
    (JAVA, "new Thread(() -> { }).start();"): (FaultKind.FORBIDDEN, "tried to start a thread"),
    (PYTHON, "[0][turns]"): (FaultKind.CRASH, "IndexError: list index out of range"),
    (CPP, "std::string().at(turns);"): (FaultKind.CRASH, "std::out_of_range"),
    (CPP, "*(volatile int*)8 = 1;"): (FaultKind.CRASH, "SIGSEGV"),
    (CPP, "abort();"): (FaultKind.CRASH, "aborted"),
    (JAVA, 'Integer.parseInt("three");'): (FaultKind.CRASH, "NumberFormatException"),
    (PYTHON, "bytearray(1 << 30)"): (FaultKind.MEMORY, "MiB allowed"),
    (CPP, "std::string().resize(1 << 30);"): (FaultKind.MEMORY, "MiB allowed"),
    (JAVA, "new ArrayList<>(List.of(new byte[1 << 29])).get(0);"): (FaultKind.MEMORY, "allowed"),
    (PYTHON, 'while True: print("{}" * 1000)'): (FaultKind.MALFORMED, "not"),
    (PYTHON, 'print("x" * 5000)'): (FaultKind.OUTPUT, "at most 4096 bytes"),
    (CPP, "std::cout << std::string(5000, 'x') << std::flush;"): (FaultKind.OUTPUT, "at most 4096"),
    (JAVA, 'System.out.print("x".repeat(9000));'): (FaultKind.OUTPUT, "at most 4096 bytes"),
    (PYTHON, "sys.stdout.close()"): (FaultKind.CRASH, ""),
    (PYTHON, "__import__('os').abort()"): (FaultKind.CRASH, "signal 6 (SIGABRT)"),
    (PYTHON, "print()"): (FaultKind.MALFORMED, "an empty line came first"),
    (PYTHON, "sys.stdout.write('{') and sys.stdout.flush() or __import__('time').sleep(9)"): (
        FaultKind.IDLE,
        "1 byte came without the newline that ends a reply",
    ),
}
"""Statements of a program's third turn, and what becomes of the game."""
WITH_A_LINE: Final = (FaultKind.TIMEOUT, FaultKind.CRASH)
"""What is told with the line where the program was, unless it ended of its own accord."""
NOTES: Final = {
    PYTHON: 'print("thinking", file=sys.stderr)',
    CPP: 'std::cerr << "thinking" << std::endl;',
    JAVA: 'System.err.println("thinking");',
}
"""Statements of the same turn that do no harm."""
ENDS: Final = (
    (PYTHON, "while True: pass"),
    (PYTHON, "sys.exit(3)"),
    (PYTHON, "while True: print('Bye!')"),
    (CPP, "while (true) std::cout << std::endl;"),
    (CPP, "exit(3);"),
    (JAVA, "while (turns > 0) turns = 3;"),
    (JAVA, "System.exit(3);"),
    (JAVA, "throw new IllegalStateException();"),
    (JAVA, 'System.out.println("over"); System.out.println("Bye!");'),
)
"""Statements after the end of the game."""


class Programs:
    """For each interface a program with all of these statements; the deal says which it does."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._open: dict[str, Deeds] = {}

    @staticmethod
    def statements(interface: str) -> tuple[list[str], list[str]]:
        thirds = [statement for name, statement in FAULTS if name == interface]
        ends = [statement for name, statement in ENDS if name == interface]
        return [*thirds, NOTES[interface]], ends

    def files(self, interface: str) -> dict[str, str]:
        top = "#include <thread>" if interface == CPP else ""
        return choosing(interface, *self.statements(interface), top=top)

    def play(
        self, interface: str, statement: str, *, end: bool = False, games: int
    ) -> list[GameResult]:
        """Play games in which the program does this, in its third turn or at the end."""
        if interface not in self._open:
            thirds, ends = self.statements(interface)
            deals = deals_of([*thirds, *(f"end: {one}" for one in ends)])
            upload = archive(self.files(interface))
            opening = open_deeds(request_for(interface, 1), upload, deals)
            self._open[interface] = self._stack.enter_context(opening)
        deed = f"end: {statement}" if end else statement
        return [self._open[interface].play(deed) for _ in range(games)]


@pytest.fixture(scope="module")
def programs(docker_engine: object) -> Iterator[Programs]:
    """Programs that stay seated for all tests of this file."""
    with ExitStack() as stack:
        yield Programs(stack)


@pytest.mark.parametrize(("interface", "statement"), FAULTS)
def test_a_fault_is_called_by_its_name(interface: str, statement: str, programs: Programs) -> None:
    """Other programs' faults come before it and after it, at the same seats."""
    kind, detail = FAULTS[interface, statement]
    results = programs.play(interface, statement, games=deeper(1, deep=3))
    fault, said = same_fault(results)
    assert (fault.kind, fault.turn // 2) == (kind, 2), (fault, said)
    assert detail in fault.detail
    is_silent = any(word in statement + detail for word in ("exit status", "SIGABRT", "close"))
    if kind in WITH_A_LINE and not is_silent:
        line = line_of(programs.files(interface), statement)
        assert line in said.replace('File "main.py", line ', "main.py:"), said


def test_a_program_that_never_reads_is_idle_at_its_start() -> None:
    files = {"main.py": "import sys, time\nif sys.stdin: time.sleep(60)\n"}
    fault, _ = faulted(PYTHON, archive(files))
    assert (fault.kind, fault.turn) == (FaultKind.IDLE, -1)


@pytest.mark.parametrize(
    ("interface", "files"),
    [
        (PYTHON, {"main.py": "import sys\n"}),
        (CPP, {"main.cpp": "int main() {}\n"}),
        (JAVA, {"Main.java": "class Main { public static void main(String[] s) {} }"}),
    ],
)
def test_a_program_that_ends_at_once_is_a_fault_while_starting(
    interface: str, files: dict[str, str]
) -> None:
    fault, _ = faulted(interface, archive(files))
    assert (fault.kind, fault.turn) == (FaultKind.CRASH, -1)
    assert "exit status 0" in fault.detail


@pytest.mark.parametrize("interface", NOTES)
def test_standard_error_is_free_for_notes(interface: str, programs: Programs) -> None:
    assert faults(programs.play(interface, NOTES[interface], games=1)) == []


@pytest.mark.parametrize(("interface", "statement"), ENDS)
def test_actions_after_the_end_change_nothing(
    interface: str, statement: str, programs: Programs
) -> None:
    results = programs.play(interface, statement, end=True, games=2)
    assert faults(results) == []
    assert len(results) == 2


@pytest.mark.parametrize(
    ("interface", "top", "start"),
    [
        (PYTHON, "before = []", "before.append(1); assert len(before) == 1"),
        (CPP, "int before = 0;", "if (before++) throw 1;"),
        (JAVA, "static int before;", "if (before++ > 0) throw new Exception();"),
    ],
)
def test_every_game_starts_afresh(interface: str, top: str, start: str) -> None:
    assert faults(played(interface, archive(program(interface, top=top, start=start)), 2)) == []


def test_a_java_machine_is_kept_from_game_to_game() -> None:
    results = played(JAVA, archive(program(JAVA)), 3)
    first, second, third = (sum(result.cpu_us) for result in results)
    assert max(second, third) < first


def test_buffered_output_is_written_when_the_program_returns() -> None:
    source = r"""
        #include <cstdio>
        static char room[4096];
        int main() {
            setvbuf(stdout, room, _IOFBF, sizeof(room));
            while (getchar() != '\n') {}
            printf("{\"type\":\"ready\"}\n");
            return 5;
        }
    """
    fault, _ = faulted(CPP, archive({"main.cpp": source}))
    assert fault.turn == 0
    assert "exit status 5" in fault.detail


def test_streams_of_their_own_serve_programs_in_cpp() -> None:
    top = "struct Fast { Fast() { std::ios::sync_with_stdio(false); } } fast;"
    assert faults(played(CPP, archive(program(CPP, top=top)), 2)) == []


def test_a_cpp_program_is_called_agent_and_gets_no_arguments() -> None:
    start = 'if (argc != 1 || std::string(argv[0]) != "agent" || argv[1]) throw 1;'
    assert faults(played(CPP, archive(program(CPP, start=start)))) == []
