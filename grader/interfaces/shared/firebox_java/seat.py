"""Entry points of a seat whose agent is written in Java; the sandbox's supervisor calls them."""

import os
from typing import Final, NoReturn

from firebox_java.machine import Machine, java_home, java_library

_OVERHEAD_MIB: Final = 112
"""Memory that the virtual machine needs beside the heap: code, classes, stacks, Python."""
_LEAST_HEAP_MIB: Final = 16
_STACK: Final = "1m"
_BOOT: Final = "firebox.boot.Boot"
_FOR_A_BUILD: Final = "-XX:TieredStopAtLevel=1"
"""A compiler that runs once has ended before optimising it pays. Measured, a build and two games of
a small agent: 3.1 s with the optimising compiler, 2.6 s without."""
_FOR_GAMES: Final = "-XX:CompileThresholdScaling=3"
"""Calls and loops after which code is compiled, as a multiple of Java's own: games are short.
Measured, a game of 314 turns on a machine of its own: 0.53 s instead of 0.83 s; with an agent that
computes much, 2.0 s instead of 2.5 s."""

_LOOKED_INTO: Final = ("java.lang", "java.util", "java.util.concurrent")
"""Classes with the library's counters, which are reset for each game."""
_SEED_BYTES: Final = 32

_home = java_home()
_library = java_library(_home)
"""Loaded once, by the supervisor, which still sees what it is linked to."""
_machine: list[Machine] = []


def prepare(memory_mib: int, artefact: str) -> bool:
    """Start the virtual machine with all its threads, and read what it will play.

    Called before the filter forbids more of either. One processor's worth of everything: the serial
    collector, one thread for either compiler. No files of its own, no debugger's door. ``artefact``
    is the path of what will be played, or empty for a build.

    Returns whether the machine may play more than one game: an agent that could leave something in
    it for the next has a fresh one each time.
    """
    heap = max(memory_mib - _OVERHEAD_MIB, _LEAST_HEAP_MIB)
    machine = Machine(
        _library,
        [
            f"-Djava.class.path={_home}/gson.jar:{_home}/boot.jar",
            f"-Xmx{heap}m", f"-Xss{_STACK}", "-Xshare:auto", "-XX:+UseSerialGC",
            "-XX:MaxMetaspaceSize=48m", "-XX:CompressedClassSpaceSize=16m",
            "-XX:ReservedCodeCacheSize=32m", "-XX:ActiveProcessorCount=1",
            "-XX:CICompilerCount=2", "-XX:-UseDynamicNumberOfCompilerThreads",
            "-XX:-UsePerfData", "-XX:-UseContainerSupport", "-XX:+DisableAttachMechanism",
            "-XX:-PrintWarnings", "-XX:+DisplayVMOutputToStderr", "-XX:ErrorFile=/dev/stderr",
            "-XX:-CreateCoredumpOnCrash", "-Dfile.encoding=UTF-8", "-Djava.awt.headless=true",
            # Parallel streams run in the thread that asks: there can be no other.
            "-Djava.util.concurrent.ForkJoinPool.common.parallelism=0",
            _FOR_GAMES if artefact else _FOR_A_BUILD,
        ],
    )  # fmt: skip
    for package in _LOOKED_INTO:
        machine.opens(package, to=_BOOT)
    machine.call(_BOOT, "warmUp", os.urandom(_SEED_BYTES).hex(), artefact)
    _machine.append(machine)
    return machine.asks(_BOOT, "isReusable")


def serve(adapter: str, stdin_fd: int, stdout_fd: int) -> NoReturn:
    """Play games with the artefact's classes; ``adapter`` is the Java class that does it."""
    _take_standard(stdin_fd, stdout_fd)
    _machine[0].call(_BOOT, "play", adapter)
    os._exit(0)


def translate(agent: str, adapter: str, stdin_fd: int, stdout_fd: int) -> NoReturn:
    """Compile the sources in the folder ``agent`` together with those in the folder ``adapter``."""
    _take_standard(stdin_fd, stdout_fd)
    _machine[0].call(_BOOT, "build", agent, adapter)
    os._exit(0)


def _take_standard(stdin_fd: int, stdout_fd: int) -> None:
    """Java knows standard input and output by number: there the lines of the game go."""
    os.dup2(stdin_fd, 0)
    os.dup2(stdout_fd, 1)
    os.close(stdin_fd)
    os.close(stdout_fd)
