"""The adapter in a process of its own, over pipes: order of calls, prints, every way to fail."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from firebox import adapter
from grader.results.evidence import OwnLine, forbidden_act, own_line
from tests.grader.interfaces.python.transcripts import (
    LIBRARY,
    Playing,
    end,
    start,
    turn,
    write_agent,
)
from tests.support.processes import PATIENCE_SECONDS

READY = {"type": "ready"}

HEAD = """\
import sys
from firebox import Agent
from firebox.hanabi import Discard, Hint, Play

class Mine(Agent):
"""

PLAYS = HEAD + "    def act(self, observation):\n        return Play(observation.turn)\n"


def acting(*lines: str) -> str:
    return (
        HEAD + "    def act(self, observation):\n" + "".join(f"        {line}\n" for line in lines)
    )


def fails(directory: Path, source: str, **others: str) -> tuple[int, str]:
    """Play a start and a turn with an agent that doesn't survive them."""
    with Playing(write_agent(directory, source, **others)) as playing:
        with contextlib.suppress(BrokenPipeError):  # it may have ended already
            playing.send(start())
            playing.send(turn(17))
        return playing.finish()


@pytest.mark.parametrize("compiled", [True, False])
def test_plays_a_game(tmp_path: Path, *, compiled: bool) -> None:
    with Playing(write_agent(tmp_path, PLAYS), compiled=compiled) as playing:
        playing.expect(start(), READY)
        for number in (0, 2):
            action = {"type": "play", "card": number}
            playing.expect(turn(number), {"type": "action", "turn": number, "action": action})
        playing.send(end())
        assert playing.finish() == (adapter.EXIT_OK, "")


@pytest.mark.slow
def test_calls_start_then_events_then_act_and_the_last_events(tmp_path: Path) -> None:
    source = HEAD + (
        "    def start(self, context):\n        print('start', context.seat, context.seed)\n"
        "    def on_event(self, event):\n        print(type(event).__name__, end=' ')\n"
        "    def act(self, observation):\n        print('act')\n        return Play(0)\n"
    )
    with Playing(write_agent(tmp_path, source)) as playing:
        playing.expect(start(), READY)
        playing.send(turn())
        playing.receive()
        playing.send(end())
        status, errors = playing.finish()
    assert status == adapter.EXIT_OK
    told = "Dealt Hinted Played Drawn Discarded Drawn Swapped"
    assert errors.split() == ["start", "0", "7", *told.split(), "act", "Played"]


def test_prints_go_to_standard_error_and_never_to_the_protocol(tmp_path: Path) -> None:
    source = acting(
        "import os",
        'print(\'{"type": "action"}\')',
        "sys.stdout.write('noise\\n')",
        "os.write(1, b'raw noise\\n')",
        "return Hint(1, rank=3)",
    )
    with Playing(write_agent(tmp_path, source)) as playing:
        playing.expect(start(), READY)
        hint = {"type": "hint", "to": 1, "rank": 3}
        playing.expect(turn(), {"type": "action", "turn": 0, "action": hint})
        playing.hang_up()
        assert playing.finish() == (0, '{"type": "action"}\nnoise\nraw noise\n')


@pytest.mark.slow
def test_the_random_module_is_seeded_for_the_game_and_seat(tmp_path: Path) -> None:
    source = "import random\n" + acting("raise ValueError(random.random())")
    agent = write_agent(tmp_path, source)
    said = []
    for seed in (5, 5, 6):
        with Playing(agent) as playing:
            playing.expect({**start(), "seed": seed}, READY)
            playing.send(turn())
            said.append(playing.finish()[1])
    assert said[0] == said[1] != said[2]


def test_standard_input_is_empty(tmp_path: Path) -> None:
    source = acting("return Play(len(sys.stdin.read()))")
    with Playing(write_agent(tmp_path, source)) as playing:
        playing.expect(start(), READY)
        play = {"type": "play", "card": 0}
        playing.expect(turn(), {"type": "action", "turn": 0, "action": play})


def test_a_referee_that_goes_away_is_no_crash(tmp_path: Path) -> None:
    with Playing(write_agent(tmp_path, PLAYS)) as playing:
        playing.expect(start(), READY)
        playing.hang_up()
        assert playing.finish() == (adapter.EXIT_OK, "")


def test_an_exception_is_shown_with_the_students_lines_only(tmp_path: Path) -> None:
    source = acting("return self.choose(observation)") + (
        "    def choose(self, observation):\n        raise ValueError('no idea')\n"
    )
    status, errors = fails(tmp_path, source)
    assert status == adapter.EXIT_CRASH
    lines = [line for line in errors.splitlines() if line.strip(" ~^")]
    assert lines == [
        "The agent failed during turn 17.",
        "Traceback (most recent call last):",
        '  File "agent.py", line 7, in act',
        "    return self.choose(observation)",
        '  File "agent.py", line 9, in choose',
        "    raise ValueError('no idea')",
        "ValueError: no idea",
    ]


@pytest.mark.parametrize("character", ["\x0c", "\x85", "\u2028"])
def test_characters_that_end_no_line_of_python_do_not_shift_lines(
    tmp_path: Path, character: str
) -> None:
    _, errors = fails(tmp_path, f"# {character}\n" + acting("raise ValueError('no idea')"))
    assert "    raise ValueError('no idea')\n" in errors


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "status", "text"),
    [
        (["raise MemoryError"], adapter.EXIT_MEMORY, "MemoryError"),
        (["sys.exit(0)"], adapter.EXIT_SYSTEM_EXIT, "SystemExit: 0"),
        (["raise KeyboardInterrupt"], adapter.EXIT_CRASH, "KeyboardInterrupt"),
        (["return self.act(observation)"], adapter.EXIT_CRASH, "RecursionError"),
        (["pass"], adapter.EXIT_CRASH, "must return Play, Discard, Hint or Swap"),
        (["return 'p0'"], adapter.EXIT_CRASH, "not 'p0' of type str"),
        (["return [1]"], adapter.EXIT_CRASH, "not [1] of type list"),
        (["return Play('0')"], adapter.EXIT_CRASH, "the card to play is an int, not '0'"),
        (["import os", "os.closerange(3, 4096)", "return Play(0)"], adapter.EXIT_CRASH, "broke"),
    ],
)
def test_every_way_to_fail_has_its_status(
    tmp_path: Path, lines: list[str], status: int, text: str
) -> None:
    got, errors = fails(tmp_path, acting(*lines))
    assert got == status
    assert text in errors


def test_an_exception_made_to_do_harm_is_contained(tmp_path: Path) -> None:
    source = acting(
        "class Bad(Exception):",
        "    def __str__(self):",
        "        raise SystemExit(0)",
        "raise Bad",
    )
    status, _ = fails(tmp_path, source)
    assert status == adapter.EXIT_CRASH


@pytest.mark.slow
def test_a_huge_message_is_cut(tmp_path: Path) -> None:
    status, errors = fails(tmp_path, acting("raise ValueError('x' * 10**6)"))
    assert status == adapter.EXIT_CRASH
    assert len(errors) < 20_000


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("import nothing_of_the_kind\n", "ModuleNotFoundError"),
        ("x = 1\n", "write a class that inherits from firebox.Agent"),
        (HEAD + "    def __init__(self, depth): ...\n    def act(self, o): ...\n", "depth"),
        (HEAD + "    pass\n", "abstract method"),
        ("1 / 0\n", 'File "agent.py", line 1'),
    ],
)
def test_an_agent_that_cannot_be_loaded_has_a_status_of_its_own(
    tmp_path: Path, source: str, text: str
) -> None:
    status, errors = fails(tmp_path, source)
    assert status == adapter.EXIT_LOAD
    assert "The agent failed during loading." in errors
    assert text in errors


def test_a_syntax_error_is_shown_when_sources_are_loaded_directly(tmp_path: Path) -> None:
    with Playing(write_agent(tmp_path, "def f(:\n"), compiled=False) as playing:
        status, errors = playing.finish()
    assert status == adapter.EXIT_LOAD
    assert 'File "agent.py", line 1' in errors


@pytest.mark.slow
def test_exit_handlers_and_finalisers_do_not_run(tmp_path: Path) -> None:
    source = (
        "import atexit\natexit.register(print, 'handler')\n"
        + HEAD
        + (
            "    def __del__(self):\n        print('finaliser')\n"
            "    def act(self, observation):\n        return Play(0)\n"
        )
    )
    with Playing(write_agent(tmp_path, source)) as playing:
        playing.expect(start(), READY)
        playing.send(end())
        assert playing.finish() == (0, "")


@pytest.mark.slow
def test_a_students_random_py_breaks_nothing_and_is_pointed_out(tmp_path: Path) -> None:
    source = "import random\n" + HEAD + "    def act(self, o):\n        return random.choose(o)\n"
    status, errors = fails(tmp_path, source, random="def choose(o):\n    return None\n", json="1/0")
    assert status == adapter.EXIT_CRASH
    assert "Note: json.py, random.py cannot be imported" in errors
    assert errors.splitlines()[-1].startswith("AttributeError: "), "what sums the game up is last"


@pytest.mark.slow
def test_a_students_file_takes_no_module_of_the_library_that_is_not_loaded_yet(
    tmp_path: Path,
) -> None:
    source = "import colorsys\n" + acting("return Play(int(colorsys.ONE_THIRD * 9))")
    write_agent(tmp_path, source, colorsys="ONE_THIRD = 0")
    with Playing(tmp_path) as playing:
        playing.expect(start(), READY)
        play = {"type": "play", "card": 3}
        playing.expect(turn(), {"type": "action", "turn": 0, "action": play})


ONLY = " (the sandbox has only Python's standard library, firebox and the files you submit)"
LEFT_OUT = " (the sandbox leaves out this part of Python's standard library)"


@pytest.mark.parametrize(
    ("line", "last"),
    [
        (
            "import numpy_of_old as np",
            f"ModuleNotFoundError: No module named 'numpy_of_old'{ONLY}",
        ),
        (
            "raise ModuleNotFoundError('No _sqlite3', name='_sqlite3')",
            f"ModuleNotFoundError: No _sqlite3{LEFT_OUT}",
        ),
        (
            "import json.numpy",
            "ModuleNotFoundError: No module named 'json.numpy'",
        ),
        (
            "from firebox import Agnt",
            "ImportError: cannot import name 'Agnt' from 'firebox' (firebox/__init__.py)",
        ),
        (
            "from helper import nothing",
            "ImportError: cannot import name 'nothing' from 'helper' (helper.py)",
        ),
    ],
)
def test_an_import_error_names_the_authors_module(tmp_path: Path, line: str, last: str) -> None:
    status, errors = fails(tmp_path, f"{line}\n{PLAYS}", helper="")
    assert status == adapter.EXIT_LOAD
    assert errors.splitlines()[-1] == last


def test_modules_and_packages_beside_the_agent_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "mine" / "brain").mkdir(parents=True)
    (tmp_path / "mine" / "data.txt").write_text("3")
    (tmp_path / "mine" / "brain" / "deep.py").write_text("from . import data\nCARD = data.read()\n")
    (tmp_path / "mine" / "brain" / "data.py").write_text(
        "from pathlib import Path\n"
        "def read():\n    return int((Path(__file__).parents[1] / 'data.txt').read_text())\n"
    )
    source = "from brain.deep import CARD\n" + acting("return Play(CARD)")
    write_agent(tmp_path / "mine", source)
    with Playing(tmp_path) as playing:
        playing.expect(start(), READY)
        play = {"type": "play", "card": 3}
        playing.expect(turn(), {"type": "action", "turn": 0, "action": play})


def test_a_line_longer_than_the_wire_allows_ends_the_process(tmp_path: Path) -> None:
    with Playing(write_agent(tmp_path, PLAYS)) as playing:
        playing.send(start(padding="x" * 40_000))
        assert playing.receive() == READY
        playing.send(turn(padding="x" * 100_000))
        status, errors = playing.finish()
    assert status == adapter.EXIT_CRASH
    assert "a line of more than 65536 bytes" in errors


@pytest.mark.slow
def test_an_interrupted_agent_says_where_it_is_and_ends(tmp_path: Path) -> None:
    source = "import os, signal\n" + acting("self.think()", "return Play(0)")
    source += "    def think(self):\n        os.kill(os.getpid(), signal.SIGUSR1)\n"
    source += "        while True: pass\n"
    status, errors = fails(tmp_path, source)
    assert status == adapter.EXIT_INTERRUPTED
    assert "time was over during turn 17" in errors
    assert "self.think()" in errors
    assert [line for line in errors.splitlines() if "File" in line] == [
        '  File "agent.py", line 8, in act',
        '  File "agent.py", line 11, in think',
    ]


@pytest.mark.parametrize(
    ("start_it", "act"),
    [
        ("__import__('threading').Thread(target=print).start()", "starts a thread"),
        ("__import__('_thread').start_new_thread(print, ())", "starts a thread"),
        ("__import__('os').fork() or __import__('os')._exit(0)", "starts a process"),
        ("__import__('os').system('true')", "runs a program"),
    ],
)
def test_an_act_that_ends_an_agent_in_the_sandbox_is_told_with_its_line(
    start_it: str, act: str, tmp_path: Path
) -> None:
    _, errors = fails(tmp_path, acting(start_it, "raise SystemExit"))
    assert forbidden_act(errors) == act
    told = own_line(errors.partition("The agent failed during turn 17.\n")[0])
    assert told == OwnLine("agent.py", 7, "act", start_it)


def test_an_agent_interrupted_while_it_loads_says_so(tmp_path: Path) -> None:
    source = "import os, signal\nos.kill(os.getpid(), signal.SIGUSR1)\n" + PLAYS
    status, errors = fails(tmp_path, source)
    assert status == adapter.EXIT_INTERRUPTED
    assert "during loading" in errors
    assert 'File "agent.py", line 2' in errors


@pytest.mark.slow
def test_the_module_plays_over_its_own_standard_input_and_output(tmp_path: Path) -> None:
    write_agent(tmp_path, acting("print('noise')", "return Discard(2)"))
    lines = "".join(json.dumps(message) + "\n" for message in (start(), turn(), end()))
    done = subprocess.run(
        [sys.executable, "-m", "firebox", str(tmp_path)],
        cwd=LIBRARY,
        input=lines.encode(),
        capture_output=True,
        check=True,
        timeout=PATIENCE_SECONDS,
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        READY,
        {"type": "action", "turn": 0, "action": {"type": "discard", "card": 2}},
    ]
    assert done.stderr == b"noise\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--help"], 0, "Plays one game with the agent.py in DIRECTORY"),
        (["-h"], 0, "usage: python -m firebox DIRECTORY"),
        ([], 1, "usage: python -m firebox DIRECTORY"),
        (["nowhere"], 1, "nowhere is no folder"),
    ],
)
def test_the_module_says_how_it_is_called(arguments: list[str], status: int, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "firebox", *arguments],
        cwd=LIBRARY,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == status
    assert said in done.stdout + done.stderr
    assert "The agent failed" not in done.stderr


def test_input_says_that_nobody_can_type(tmp_path: Path) -> None:
    _, errors = fails(tmp_path, f"move = input('Your move? ')\n{PLAYS}")
    assert errors.endswith(
        "EOFError: EOF when reading a line (nobody can type here: input() has nothing to read)\n"
    )


def test_warming_up_leaves_no_trace(capfd: pytest.CaptureFixture[str]) -> None:
    adapter.warm_up()
    assert capfd.readouterr() == ("", "")
