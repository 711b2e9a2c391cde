"""Entry points that a sandbox's supervisor calls, in each game's process and the build step's."""

import json
import marshal
from typing import Any, NoReturn

from firebox.adapter import Process, run, seed_random
from firebox.sources import write_report
from firebox_library import restore_removed_functions

from .loading import install, load
from .seats import Seats
from .sources import compile_submission

_encode = json.JSONEncoder(separators=(",", ":")).encode


class EnstaProcess(Process):
    """An agent's process."""

    def load(self, code: bytes | None) -> Seats:
        """The agent, of which there are objects once the cards are dealt."""
        seed_random(0)  # what a module draws while it is imported is the same in every game
        artefact = marshal.loads(code or b"")  # noqa: S302 - written by our own build step
        self.modules = dict(artefact["modules"])
        ours = install(artefact, self.agent_dir)
        restore_removed_functions()
        return Seats(*load(artefact, ours=ours), ours=ours)

    def where(self) -> str:
        """With the moves that were not valid, where an agent goes on making them."""
        seats = self._seat
        if not isinstance(seats, Seats) or not seats.refused:
            return self.doing
        return f"{self.doing} (asked again {seats.refused} times; refused: {seats.refusal})"

    def reply(self, seat: Any, message: Any) -> bytes | None:
        """The line that answers a message; ``None`` after the last message."""
        kind = message["type"]
        if kind == "turn":
            turn = message["turn"]
            self.doing = f"turn {turn}"
            action = _encode(seat.act(message)).encode()
            return b'{"type":"action","turn":%d,"action":%b}\n' % (turn, action)
        if kind == "start":
            self.doing = "the start"
            seat.start(message)
            return b'{"type":"ready"}\n'
        return None


def play(agent_dir: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:
    """Play one game with what ``build`` wrote; ``artefact`` is the path it was put at."""
    with open(artefact, "rb") as file:  # noqa: PTH123 - once a game
        code = file.read()
    run(code, agent_dir, stdin_fd, stdout_fd, EnstaProcess)


def build(agent_dir: str, artefact: str, stdin_fd: int, stdout_fd: int) -> None:  # noqa: ARG001
    """Write the report on the sources and their compiled code."""
    messages, code = compile_submission(agent_dir)
    write_report(stdout_fd, messages, code)
