"""``firebox play --debug``: games that search for memory errors, and how they differ from others.

The interface's ``debug`` build checks every access, which takes time and memory, and reports to
standard error. Only the author sees the report: no result is stored or counted, and no request from
a site can ask for such a game.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from grader.core.records import LIMIT_BOUNDS, AgentLimits, AgentRef, Evidence
from grader.core.words import seat_words
from grader.interfaces import interface_named

_FACTOR: Final = 10
"""Factor of the time limits: large enough that the checks cause no timeout."""
_EXTRA_MIB: Final = 512
"""Additional memory for the sanitizers' bookkeeping, and for freed memory, which is kept to detect
its use."""
_STDERR_FACTOR: Final = 4
_OURS: Final = ("libffi.so", "/_ctypes.", "/python3.11+", "/libc.so.6+", "([stack]+")
"""Pattern of a stack line that belongs to the code which called the adapter."""


def without_debug_build(agents: Sequence[AgentRef]) -> str:
    """The first interface of these agents that has none; empty if all have."""
    without = [
        agent.interface for agent in agents if not interface_named(agent.interface).build.debug
    ]
    return without[0] if without else ""


def debug_limits(limits: AgentLimits) -> AgentLimits:
    """Return the limits of an agent whose every access to memory is checked."""
    more = {
        "turn_seconds": limits.turn_seconds * _FACTOR,
        "turn_wall_seconds": limits.turn_wall_seconds * _FACTOR,
        "start_seconds": limits.start_seconds * _FACTOR,
        "memory_mib": limits.memory_mib + _EXTRA_MIB,
        "stderr_bytes": limits.stderr_bytes * _STDERR_FACTOR,
    }
    bounded: dict[str, Any] = {name: min(n, LIMIT_BOUNDS[name][1]) for name, n in more.items()}
    return replace(limits, **bounded)


def story(evidence: Evidence | None, texts: Sequence[str]) -> Evidence:
    """Return the evidence of a game, however it ended: with the output at each seat."""
    evidence = evidence or Evidence(sent="", received="", stderr="", exit="")
    parts = [
        f"{seat_words(seat).capitalize()}:\n{text.rstrip()}\n"
        for seat, text in enumerate(texts)
        if text.strip()
    ]
    return replace(evidence, stderr="\n".join(parts))


def legible(report: str) -> str:
    """Return the checks' report without the interpreter's own calls and the table of memory."""
    lines = []
    within_table = False
    for line in report.splitlines():
        within_table = line.startswith("Shadow bytes") or (
            within_table and line[:2] in {"  ", "=>"}
        )
        called = line.lstrip().startswith("#") and any(mark in line for mark in _OURS)
        if not within_table and not called:
            lines.append(line)
    return "\n".join(lines)
