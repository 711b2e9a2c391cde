"""Plays one seat of one game over two pipes, for an agent that is machine code in this process.

Standard output is standard error already, by the supervisor's doing: what the agent prints cannot
disturb the protocol, which has descriptors of its own.
"""

import json
import os
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn, Protocol

from firebox_native.objects import ObjectLoadError

_EXIT_OK: Final = 0
_EXIT_CRASH: Final = 70
_EXIT_MEMORY: Final = 71
_EXIT_LOAD: Final = 72
_LINE_BYTES: Final = 64 << 10
"""Longest line that the wire allows towards an agent."""

_decode: Final = json.JSONDecoder().raw_decode
_TURN: Final = '{"type":"turn",'
_OBSERVATION: Final = ',"observation":'
_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


class AgentError(Exception):
    """The agent threw an exception and has printed it to standard error."""

    def __init__(self, *, of_memory: bool) -> None:
        super().__init__()
        self.status = _EXIT_MEMORY if of_memory else _EXIT_CRASH


class Player(Protocol):
    """An agent behind its interface. The methods raise AgentError."""

    def start(self, message: dict[str, Any]) -> None:
        """Hear about the game."""

    def act(self, message: dict[str, Any]) -> dict[str, Any]:
        """The action that answers a turn's message."""

    def end(self, message: dict[str, Any]) -> None:
        """Hear the last events."""


def serve(load: Callable[[], Player], stdin_fd: int, stdout_fd: int) -> NoReturn:
    """Load the agent, play one game, end the process."""
    status = _EXIT_CRASH
    try:
        status = _play(load(), stdin_fd, stdout_fd)
    except AgentError as failed:
        status = failed.status
    except MemoryError:
        _say("The agent needs more memory than it may have.")
        status = _EXIT_MEMORY
    except ObjectLoadError as error:
        _say(f"The agent cannot be loaded.\n{error}")
        status = _EXIT_LOAD
    except BrokenPipeError:
        status = _EXIT_OK
    except Exception as error:  # noqa: BLE001 - ours, and not to be lost
        _say(f"The adapter failed: {error!r}")
    finally:
        os._exit(status)


def _play(player: Player, stdin_fd: int, stdout_fd: int) -> int:
    for line in _lines(stdin_fd):
        message = _read(line.decode())
        kind = message["type"]
        if kind == "turn":
            action = _encode(player.act(message))
            reply = f'{{"type":"action","turn":{message["turn"]},"action":{action}}}\n'
        elif kind == "start":
            player.start(message)
            reply = '{"type":"ready"}\n'
        else:
            player.end(message)
            break
        os.write(stdout_fd, reply.encode())  # shorter than PIPE_BUF: never written in parts
    return _EXIT_OK


def _read(line: str) -> dict[str, Any]:
    """A message; of a turn's only what is needed, and that is told first.

    Measured: the observation and the legal actions are nine tenths of a game's messages, and of the
    time to decode them.
    """
    end = line.find(_OBSERVATION) if line.startswith(_TURN) else -1
    message: dict[str, Any] = _decode(f"{line[:end]}}}" if end > 0 else line)[0]
    return message


def _say(text: str) -> None:
    os.write(2, f"{text}\n".encode())


def _lines(descriptor: int) -> Iterator[bytes]:
    pending = b""
    while True:
        line, newline, rest = pending.partition(b"\n")
        if newline:
            yield line
            pending = rest
            continue
        chunk = os.read(descriptor, _LINE_BYTES)
        if not chunk:
            return
        pending += chunk
