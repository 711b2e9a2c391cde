"""Plays one seat of one game over two pipes: what runs in an agent's process.

``run`` is called in a child that is already confined. It never returns: it ends the process with
one of the statuses below, without running exit handlers or finalisers. It is untrusted like the
agent itself (the student's code can do to it whatever it likes); the referee checks every reply.
"""

import importlib
import io
import json
import marshal
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final, NoReturn

from firebox import Agent
from firebox.faults import explain, forbid, locate
from firebox.loading import LoadError, agent_class, install
from firebox.seat import GAMES, LocalSeat
from firebox.sources import (
    Modules,
    check_sources,
    compile_modules,
    compile_sources,
    main_compile,
    resolve_root,
)

__all__ = [
    "EXIT_CRASH",
    "EXIT_INTERRUPTED",
    "EXIT_LOAD",
    "EXIT_MEMORY",
    "EXIT_OK",
    "EXIT_SYSTEM_EXIT",
    "LocalSeat",
    "Process",
    "check_sources",
    "compile_sources",
    "main_compile",
    "resolve_root",
    "run",
    "seed_random",
    "warm_up",
]

EXIT_OK: Final = 0
"""The game ended, or the other end of the pipe was closed."""
EXIT_CRASH: Final = 70
"""The agent raised an exception, or returned something that is not an action."""
EXIT_MEMORY: Final = 71
"""The agent raised MemoryError."""
EXIT_LOAD: Final = 72
"""The agent could not be loaded: no class, an error while importing or creating it."""
EXIT_SYSTEM_EXIT: Final = 73
"""The agent asked to end the program (``sys.exit``, ``exit``), whatever status it named."""

EXIT_INTERRUPTED: Final = 74
"""The agent timed out, and was asked to print its current lines (``SIGUSR1``)."""

_STARTS: Final = (
    ("_thread", "start_new_thread", "starts a thread"),
    ("_thread", "start_joinable_thread", "starts a thread"),
    ("threading", "_start_new_thread", "starts a thread"),
    ("threading", "_start_joinable_thread", "starts a thread"),
    ("os", "fork", "starts a process"),
    ("os", "forkpty", "starts a process"),
    ("os", "posix_spawn", "runs a program"),
    ("os", "posix_spawnp", "runs a program"),
    ("os", "execv", "runs a program"),
    ("os", "execve", "runs a program"),
    ("os", "system", "runs a program"),
)

LINE_BYTES: Final = 64 << 10
"""Longest line that the wire allows towards an agent."""

_decode: Callable[[bytes], Any]
try:
    import orjson

    _decode = orjson.loads
except ImportError:
    _raw_decode = json.JSONDecoder().raw_decode

    def _decode(line: bytes) -> Any:
        return _raw_decode(line.decode())[0]


_encode = json.JSONEncoder(separators=(",", ":")).encode


def run(
    code: bytes | None,
    agent_dir: str,
    stdin_fd: int,
    stdout_fd: int,
    kind: "type[Process] | None" = None,
) -> NoReturn:
    """Load the agent, play one game over the two descriptors, end the process.

    ``code`` is what ``compile_sources`` gave for ``agent_dir``; ``None`` compiles the sources here.
    Agents of other kinds than this package's have a ``kind`` of process that knows both.
    Standard output becomes standard error and standard input is empty: the protocol has
    descriptors of its own, so that an agent's prints can't disturb it.
    """
    status = EXIT_CRASH
    try:
        stdin_fd, stdout_fd = _clear_of_standard(stdin_fd), _clear_of_standard(stdout_fd)
        _redirect_standard_streams()
        process = (kind or Process)(agent_dir)
        signal.signal(signal.SIGUSR1, process.say_where)
        process.tell_of_starts()
        status = process.play(code, stdin_fd, stdout_fd)
        sys.stderr.flush()
    finally:
        os._exit(status)


def seed_random(number: int) -> None:
    """Seed the random numbers of the standard library, and numpy's if this process has it."""
    random.seed(number)
    seed = getattr(sys.modules.get("numpy.random"), "seed", None)
    if seed is not None:  # an upload's own module of that name may have no such function
        seed(number % (1 << 32))


def _clear_of_standard(descriptor: int) -> int:
    """Return the descriptor, or a duplicate that is none of the three standard ones."""
    while descriptor < 3:
        descriptor = os.dup(descriptor)
    return descriptor


def _redirect_standard_streams() -> None:
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    sys.stdin = io.StringIO()


class Process:
    """Facts about the agent's process so far, to explain its end if it dies."""

    def __init__(self, agent_dir: str) -> None:
        self.agent_dir = agent_dir
        self.modules: Modules = {}
        self.doing = "loading"
        self._actions: dict[Any, bytes] = {}
        self._seat: Any = None  # kept: no finaliser of the agent's is to run before the end

    def play(self, code: bytes | None, stdin_fd: int, stdout_fd: int) -> int:
        """The whole game; the exit status. The student's exceptions are explained and end here."""
        try:
            seat = self._seat = self.load(code)
        except BaseException as error:  # noqa: BLE001 - whatever a student's code raises
            return self._failed(error, EXIT_LOAD)
        try:
            for line in _lines(stdin_fd):
                try:
                    reply = self.reply(seat, _decode(line))
                except BaseException as error:  # noqa: BLE001 - whatever a student's code raises
                    return self._failed(error, EXIT_CRASH)
                if reply is None:
                    break
                os.write(stdout_fd, reply)  # shorter than PIPE_BUF: never written in parts
        except BrokenPipeError:
            return EXIT_OK
        except OSError as error:
            return self._failed(LoadError(f"the pipes to the game broke: {error}"), EXIT_CRASH)
        return EXIT_OK

    def say_where(self, number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG002
        """Signal handler for an agent whose time is over: print where it is, and end."""
        try:
            locate(frame, self.where(), self.modules, self.agent_dir)
        finally:
            os._exit(EXIT_INTERRUPTED)

    def tell_of_starts(self) -> None:
        """Have calls for which the sandbox ends a process say where they are made.

        An audit hook could, but it is called for each ``id``, and so slows ``copy.deepcopy`` by
        half.
        """
        for module, name, act in _STARTS:
            start = getattr(sys.modules.get(module), name, None)
            if start is not None:
                tell = self._telling(start, act)
                # Pickle finds a function by its module and name.
                tell.__module__, tell.__qualname__ = module, name
                setattr(sys.modules[module], name, tell)

    def _telling(self, start: Callable[..., Any], act: str) -> Callable[..., Any]:
        def tell(*words: Any, **options: Any) -> Any:
            forbid(act, self.where(), self.modules, self.agent_dir)
            return start(*words, **options)

        return tell

    def where(self) -> str:
        """Return what the agent is doing, in words."""
        return self.doing

    def load(self, code: bytes | None) -> Any:
        """The agent in its seat, from what was compiled."""
        seed_random(0)  # what a module draws while it is imported is the same in every game
        compiled = compile_modules(self.agent_dir) if code is None else marshal.loads(code)  # noqa: S302
        self.modules = compiled
        install(compiled, self.agent_dir)
        return LocalSeat(agent_class(vars(importlib.import_module("agent"))))

    def reply(self, seat: Any, message: Any) -> bytes | None:
        """The line that answers a message; ``None`` after the last message."""
        kind = message["type"]
        if kind == "turn":
            turn = message["turn"]
            self.doing = f"turn {turn}"
            action = seat.act(message)
            text = self._actions.get(action)
            if text is None:
                text = self._actions[action] = _encode(seat.game.action_to_wire(action)).encode()
            return b'{"type":"action","turn":%d,"action":%b}\n' % (turn, text)
        self.doing = "the start" if kind == "start" else "the last events"
        if kind == "start":
            seed_random(message["seed"])
        ready = seat.send(message)
        return None if ready is None else b'{"type":"ready"}\n'

    def _failed(self, error: BaseException, status: int) -> int:
        if isinstance(error, MemoryError):
            status = EXIT_MEMORY
        elif isinstance(error, SystemExit):
            status = EXIT_SYSTEM_EXIT
        explain(error, self.where(), self.modules, self.agent_dir)
        return status


def _lines(descriptor: int) -> Iterator[bytes]:
    """The lines that arrive, without their ends, until the other side closes.

    Raises OSError for a line longer than the wire allows, and when reading fails.
    """
    pending = b""
    while True:
        line, newline, rest = pending.partition(b"\n")
        if len(line) > LINE_BYTES:
            raise OSError(f"a line of more than {LINE_BYTES} bytes arrived")
        if newline:
            yield line
            pending = rest
            continue
        if not (chunk := os.read(descriptor, LINE_BYTES)):
            return
        pending += chunk


class _First(Agent):
    """Takes the first legal action, to warm up."""

    def act(self, observation: Any) -> Any:
        return observation.legal_actions[0]


def warm_up() -> None:
    """Run the code of a game once before a fork, so that every game starts with full caches."""
    process = Process("")
    for game in GAMES.values():
        messages = importlib.import_module(f"{game.__name__}.example").example_messages()
        start, turn, end = (json.dumps(message).encode() for message in messages)
        for _ in range(10):
            seat = LocalSeat(_First)
            for line in (start, *[turn] * 3, end):
                process.reply(seat, _decode(line))
