"""Plays one seat of one game over two pipes: the process of an agent of this interface.

Untrusted like the agent itself; the referee checks every reply.
"""

import importlib
import json
import marshal
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from firebox.adapter import Process, run, seed_random
from firebox.faults import remember_lines
from firebox.hanabi.example import example_messages
from firebox.loading import install, taken

from .building import Artefact
from .names import offer_simulator
from .old_modules import offer_old_modules
from .removed_functions import restore_removed_functions
from .seat import RULES, Cs221LocalSeat
from .simulator import Agent, GameState

_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


class _Process(Process):
    """Knows how these agents are loaded and asked."""

    def load(self, code: bytes | None) -> Cs221LocalSeat:
        """The agent in its seat; its index is known with the first message."""
        seed_random(0)  # what a module draws while it is imported is the same in every game
        artefact: Artefact = marshal.loads(code or b"")  # noqa: S302 - our own build step wrote it
        self.modules = artefact["modules"]
        for file, text in artefact["translated"].items():
            remember_lines(file, text)
        install(self.modules, self.agent_dir, taken())
        offer_simulator()
        if artefact["translated"]:
            offer_old_modules()
        restore_removed_functions()
        module = importlib.import_module(artefact["module"])
        return Cs221LocalSeat(getattr(module, artefact["agent"]))

    def reply(self, seat: Cs221LocalSeat, message: Any) -> bytes | None:
        """The line that answers a message; ``None`` after the last message."""
        self.doing = _doing(message)
        if message["type"] == "start":
            seed_random(message["seed"])
        answer = seat.send(message)
        return None if answer is None else _encode(answer).encode() + b"\n"


def _doing(message: Any) -> str:
    if message["type"] == "turn":
        return f"turn {message['turn']}"
    return "the start" if message["type"] == "start" else "the last events"


def play_game(code: bytes, agent_dir: str, stdin_fd: int, stdout_fd: int) -> NoReturn:
    """Load the agent, play one game over the two descriptors, end the process."""
    run(code, agent_dir, stdin_fd, stdout_fd, _Process)


class _First(Agent):
    """Takes the first legal action, to warm up."""

    def getAction(self, gameState: GameState) -> Any:
        gameState.generateSuccessor(0, ("number", 1, 0))
        gameState.isPlayable(gameState.data.agentState[0].peek()[0])
        return gameState.getLegalActions(0)[0]


def _messages() -> Sequence[Any]:
    start, turn, end = example_messages()
    options = {
        "colors": start["options"]["colors"],
        "hand_size": 2,
        "hint_tokens": 7,
        **RULES,
    }
    acted = [
        {"type": "play", "seat": 0, "index": 0, "card": "G1", "success": True},
        {"type": "draw", "seat": 0, "index": 1, "card": None},
        {"type": "hint", "seat": 1, "to": 0, "rank": 1, "cards": [0]},
    ]
    return start | {"options": options}, turn, turn | {"events": acted}, end


def warm_up() -> None:
    """Run the code of a game once, before the process is forked for every game."""
    process = _Process("")
    lines = [json.dumps(message) for message in _messages()]
    for _ in range(5):
        seat = Cs221LocalSeat(_First)
        for line in lines:
            process.reply(seat, json.loads(line))
