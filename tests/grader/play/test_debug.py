"""Games with sanitizers: their differences, and the parts of their reports that are shown."""

from grader.core.records import LIMIT_BOUNDS, AgentLimits, AgentRef, Evidence
from grader.play.debug import debug_limits, legible, story, without_debug_build

CPP = AgentRef(interface="gcc-cpp", sha256="0" * 64)
PYTHON = AgentRef(interface="python", sha256="0" * 64)
REPORT = """\
==6==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x7f
    #0 0x7f4 in Player::ask() Player.h:20
    #1 0x7f5 in firebox_ask gcc_cpp/adapter.cpp:127
    #2 0x7f6  (/lib/x86_64-linux-gnu/libffi.so.8+0x6f79)
    #3 0x4ee in _PyObject_MakeTpCall (/usr/bin/python3.11+0x4ee332)

SUMMARY: AddressSanitizer: heap-buffer-overflow Player.h:20 in Player::ask()
Shadow bytes around the buggy address:
  0x0c067fff84c0: fd fd
=>0x0c067fff8510: fa fa 00 00[04]fa
==6==ABORTING
  Player.h:20
heap-buffer-overflow at Player.h:20"""


def test_a_checked_agent_gets_more_time_and_memory_within_what_a_grader_accepts() -> None:
    limits = debug_limits(AgentLimits())
    assert (limits.turn_seconds, limits.memory_mib) == (10.0, 768)
    assert limits.reply_bytes == AgentLimits().reply_bytes
    most = AgentLimits(**{name: high for name, (_, high) in LIMIT_BOUNDS.items()})  # type: ignore[arg-type]
    assert debug_limits(most) == most


def test_an_interface_without_such_a_build_is_named() -> None:
    assert without_debug_build([CPP]) == ""
    assert without_debug_build([CPP, PYTHON]) == "python"


def test_the_agents_own_part_of_a_report_is_shown() -> None:
    assert legible(REPORT).splitlines() == [
        "==6==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x7f",
        "    #0 0x7f4 in Player::ask() Player.h:20",
        "    #1 0x7f5 in firebox_ask gcc_cpp/adapter.cpp:127",
        "",
        "SUMMARY: AddressSanitizer: heap-buffer-overflow Player.h:20 in Player::ask()",
        "==6==ABORTING",
        "  Player.h:20",
        "heap-buffer-overflow at Player.h:20",
    ]


def test_each_seat_that_said_something_is_named() -> None:
    assert story(None, ["", "words\n"]).stderr == "Seat 2:\nwords\n"


def test_known_details_of_a_fault_are_kept() -> None:
    evidence = Evidence(sent="s", received="r", stderr="x", exit="exit status 70")
    assert story(evidence, ["x", ""]) == Evidence(
        sent="s", received="r", stderr="Seat 1:\nx\n", exit="exit status 70"
    )
