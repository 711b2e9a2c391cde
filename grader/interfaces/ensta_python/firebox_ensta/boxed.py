"""What a sandbox's supervisor calls in each game's process and in the build step's."""

import json
import marshal
import random
from typing import Any, NoReturn

from firebox.adapter import Process, run
from firebox.sources import write_report
from firebox_ensta.loading import install, load
from firebox_ensta.seats import Seats
from firebox_ensta.sources import compile_submission

__all__ = ["build", "play"]

_encode = json.JSONEncoder(separators=(",", ":")).encode


class EnstaProcess(Process):
    """An agent's process."""

    def _load(self, code: bytes | None) -> Seats:
        random.seed(0)  # what a module draws while it is imported is the same in every game
        artefact = marshal.loads(code or b"")  # noqa: S302 - written by our own build step
        self._modules = dict(artefact["modules"])
        ours = install(artefact, self._agent_dir)
        return Seats(*load(artefact), ours=ours)

    def _where(self) -> str:
        seats = self._seat
        if not isinstance(seats, Seats) or not seats.refused:
            return self._doing
        return f"{self._doing} (asked again {seats.refused} times; refused: {seats.refusal})"

    def _reply(self, seat: Any, message: Any) -> bytes | None:
        kind = message["type"]
        if kind == "turn":
            turn = message["turn"]
            self._doing = f"turn {turn}"
            action = _encode(seat.act(message)).encode()
            return b'{"type":"action","turn":%d,"action":%b}\n' % (turn, action)
        if kind == "start":
            self._doing = "the start"
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
