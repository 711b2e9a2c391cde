"""The line of an agent that a fault came from, read from real output of the interface."""

from pathlib import Path
from typing import Any

import pytest

from firebox.faults import explain
from firebox.sources import compile_modules
from grader.results.evidence import OwnLine, own_line, shown_reply, without_other_threads
from tests.support.every import every

HELPER = (
    "def go():\n    try:\n        return {}['R6']\n    except KeyError:\n        return 1 / 0\n"
)


def printed(folder: Path, capfd: pytest.CaptureFixture[str]) -> str:
    folder.joinpath("agent.py").write_text(
        "import helper\n\n\ndef act():\n    return helper.go()\n"
    )
    folder.joinpath("helper.py").write_text(HELPER)
    modules = compile_modules(folder)
    helper: dict[str, Any] = {}
    exec(modules["helper"][0], helper)  # noqa: S102 - the agent of this test
    try:
        helper["go"]()
    except ZeroDivisionError as error:
        explain(error, "turn 4", modules, str(folder))
    return capfd.readouterr().err


def test_the_line_is_the_innermost_of_the_last_exception(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stderr = printed(tmp_path, capfd)
    assert own_line(stderr) == OwnLine("helper.py", 5, "go", "return 1 / 0")


def test_earlier_output_is_no_explanation(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    noise = 'Traceback:\n  File "agent.py", line 99, in act\n    caught()\n'
    assert own_line(noise) is None
    assert own_line(noise + printed(tmp_path, capfd)) == OwnLine(
        "helper.py", 5, "go", "return 1 / 0"
    )


def test_a_timeout_says_where_the_agent_was() -> None:
    stderr = (
        "The agent's time was over during turn 4. It was here (innermost call last):\n"
        '  File "agent.py", line 8, in act\n    self.search()\n'
        '  File "agent.py", line 20, in search\n'
    )
    assert own_line(stderr) == OwnLine("agent.py", 20, "search", "")


def test_output_without_a_line_of_the_agents_own_explains_nothing() -> None:
    assert own_line("") is None
    assert own_line("The agent failed during loading.\nagent.py defines no agent\n") is None
    caught = THROWN.rpartition("java.lang")[0]
    assert own_line(caught + "I caught it, never mind\nplaying on\n") is None
    assert own_line(caught + "playing on\n" + WRAPPED) == OwnLine("Wraps.java", 24, "choose", "")


# --- Other languages: what was printed in real games -------------------------------------------

THROWN = """java.lang.NullPointerException: Cannot invoke "Object.toString()" because "nothing"\
 is null
\tat agents.Throws.doAction(Throws.java:17)
java.lang.NullPointerException: Cannot invoke "Object.toString()" because "nothing" is null
"""
WRAPPED = """java.lang.IllegalStateException: my strategy
is wrong
\tat agents.Wraps.doAction(Wraps.java:19)
Caused by: java.lang.IndexOutOfBoundsException: Index 0 out of bounds for length 0
\tat java.base/jdk.internal.util.Preconditions.outOfBounds(Unknown Source)
\tat java.base/java.util.ArrayList.get(Unknown Source)
\tat agents.Wraps.choose(Wraps.java:24)
\tat agents.Wraps.doAction(Wraps.java:17)
java.lang.IllegalStateException: my strategy is wrong
"""
IN_THE_TYPES = """java.lang.RuntimeException: hanabAI.IllegalActionException: A PLAY names no colour
\tat agents.Hints.doAction(Hints.java:17)
Caused by: hanabAI.IllegalActionException: A PLAY names no colour
\tat hanabAI.Action.require(Action.java:94)
\tat hanabAI.Action.getColour(Action.java:79)
\tat agents.Hints.doAction(Hints.java:15)
java.lang.RuntimeException: hanabAI.IllegalActionException: A PLAY names no colour
"""
WHILE_MADE = """java.lang.NumberFormatException: For input string: "one"
\tat java.base/java.lang.NumberFormatException.forInputString(Unknown Source)
\tat java.base/java.lang.Integer.parseInt(Unknown Source)
\tat agents.Early.<init>(Early.java:7)
\tat java.base/jdk.internal.reflect.NativeConstructorAccessorImpl.newInstance0(Native Method)
\tat java.base/java.lang.reflect.Constructor.newInstance(Unknown Source)
java.lang.NumberFormatException: For input string: "one"
"""
DUMPED = """2026-11-21 15:36:14
Full thread dump OpenJDK 64-Bit Server VM (17.0.21.1+2-1-deb12u1-Debian mixed mode, sharing):

"agent" #1 prio=5 os_prio=0 cpu=584.97ms elapsed=5.31s tid=0x0000000022ddf950 nid=0x7 runnable
   java.lang.Thread.State: RUNNABLE
\tat agents.Loops.doAction(Loops.java:18)
\tat hanabAI.FireboxAdapter$Player.act(FireboxAdapter.java:102)
\tat firebox.boot.Boot.play(Boot.java:113)

"Reference Handler" #2 daemon prio=10 os_prio=0 cpu=588.43ms elapsed=5.26s waiting on condition
   java.lang.Thread.State: RUNNABLE
\tat java.lang.ref.Reference.waitForReferencePendingList(java.base@17.0.21.1/Native Method)

JNI global refs: 7, weak refs: 0

Heap
 def new generation   total 122880K, used 6554K [0x00000000e7000000, 0x00000000ef550000)
"""


@every(
    ("stderr", "own"),
    [
        (THROWN, OwnLine("Throws.java", 17, "doAction", "")),
        (WRAPPED, OwnLine("Wraps.java", 24, "choose", "")),
        (IN_THE_TYPES, OwnLine("Hints.java", 15, "doAction", "")),
        (WHILE_MADE, OwnLine("Early.java", 7, "<init>", "")),
        (DUMPED, OwnLine("Loops.java", 18, "doAction", "")),
    ],
)
def test_java_names_the_agents_own_line_nearest_to_the_cause(stderr: str, own: OwnLine) -> None:
    assert own_line(stderr) == own


SEGFAULT = """The agent failed during turn 4, in ask().
  Player.h:16
  sub/Helper.h:1
SIGSEGV (segmentation fault: memory that is not its own, or an index out of range) at sub/Helper.h:1
"""
OUT_OF_RANGE = """The agent failed during turn 4, in ask().
  Player.h:16
std::out_of_range: vector::_M_range_check: __n (which is 7) >= this->size() (which is 0)\
 at Player.h:16
"""
ENDLESS = """The agent's time was over during turn 4, in ask(). It was here (innermost call last):
  Player.h:16
"""
NOWHERE = """The agent's time was over during turn 4. It was here (innermost call last):
  outside of its own files
"""


@pytest.mark.parametrize(
    ("stderr", "own"),
    [
        (SEGFAULT, OwnLine("sub/Helper.h", 1, "", "")),
        (OUT_OF_RANGE, OwnLine("Player.h", 16, "", "")),
        (ENDLESS, OwnLine("Player.h", 16, "", "")),
        (NOWHERE, None),
    ],
    ids=["segfault", "exception", "endless", "nowhere"],
)
def test_cpp_names_the_innermost_of_the_agents_lines_last(stderr: str, own: OwnLine | None) -> None:
    assert own_line(stderr) == own
    assert own_line("  Player.h:99\nlooks like it\n" + stderr) == own


ASKED_AGAIN = """The agent failed during turn 0 (asked again 4 times; refused: 'd1': no card is\
 discarded while all blue coins are there).
Traceback (most recent call last):
  File "robot.py", line 6, in play
    return self.pick([])
           ^^^^^^^^^^^^^
  File "robot.py", line 10, in pick
    return cards[0]
           ~~~~~^^^
IndexError: list index out of range
"""
SIMULATED = """The agent failed during turn 3.
Traceback (most recent call last):
  File "agent.py", line 7, in getAction
    return self.choose({})
           ^^^^^^^^^^^^^^^
  File "agent.py", line 12, in choose
    return table["x"]
           ~~~~~^^^^^
KeyError: 'x'
"""


def test_output_of_course_agents_in_python_is_read_like_that_of_our_class() -> None:
    assert own_line(ASKED_AGAIN) == OwnLine("robot.py", 10, "pick", "return cards[0]")
    assert own_line(SIMULATED) == OwnLine("agent.py", 12, "choose", 'return table["x"]')


@every(
    "line",
    [
        "\tat " + "a/" * 40 + "." * 300 + "a" * 80,
        "\tat " + "a.b" * 100 + "(",
        "        at " + "x" * 80 + "/" + "x" * 380 + "." + "y" * 80,
        '  File "' + "a" * 239,
        "  " + "a" * 240,
    ],
)
def test_lines_that_only_look_like_frames_are_skipped(line: str) -> None:
    many = (line + "\n") * 200
    assert own_line(many + "over") is None
    assert own_line("The agent failed during turn 1.\n" + many) is None


def test_a_dump_of_all_threads_is_cut_to_the_agents_calls() -> None:
    assert without_other_threads("thinking\n" + DUMPED) == (
        "thinking\nThe agent's time was over. It was here (innermost call first):\n"
        "\tat agents.Loops.doAction(Loops.java:18)\n"
    )
    outside = DUMPED.replace("agents.Loops", "java.util.Loops")
    assert without_other_threads(outside).endswith("\toutside of its own files\n")


@every("stderr", ["", THROWN, DUMPED[:90], "Full thread dump \n", SEGFAULT])
def test_output_without_a_complete_dump_is_shown_unchanged(stderr: str) -> None:
    assert without_other_threads(stderr) == stderr


@every(
    ("received", "shown"),
    [
        ("", ""),
        ("\n", "(an empty line)"),
        ("\r\n", "(an empty line)"),
        ("   ", "(a line of 3 blanks)"),
        ('\n{"type": "ready"}\n', '(an empty line)\n{"type": "ready"}'),
        ('{"type"', '{"type"'),
    ],
)
def test_a_reply_is_nothing_only_if_nothing_came(received: str, shown: str) -> None:
    assert shown_reply(received) == shown
