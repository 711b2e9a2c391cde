"""Messages of a small game, and a way to play them with an agent in a process of its own."""

import json
import os
import select
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

LIBRARY = Path(__file__).parents[4] / "grader" / "interfaces" / "python"
DEADLINE_SECONDS = 20.0
UNKNOWN = {"color": None, "rank": None, "colors": "RYGWB", "ranks": "12345"}


def start(**changes: Any) -> dict[str, Any]:
    options = {"players": 2, "colors": "RYGWB", "hint_tokens": 8, "draw_position": "end"}
    message = {"type": "start", "protocol": 1, "game": "hanabi", "rules_version": 1}
    return message | {"options": options, "seat": 0, "players": 2, "seed": 7} | changes


def turn(number: int = 0, **changes: Any) -> dict[str, Any]:
    hands = [
        {"cards": [None] * 5, "ids": [0, 1, 2, 3, 4], "knowledge": [UNKNOWN] * 5},
        {
            "cards": ["R1", "G3", "B2", "B2", "Y5"],
            "ids": [5, 6, 7, 8, 9],
            "knowledge": [UNKNOWN | {"color": "R", "colors": "R"}, *[UNKNOWN] * 4],
        },
    ]
    observation = {
        "turn": number,
        "seat": 0,
        "to_act": 0,
        "hint_tokens": 7,
        "lives": 3,
        "deck": 40,
        "fireworks": {"R": 0, "Y": 2, "G": 0, "W": 0, "B": 1},
        "discards": ["W1", "W1", "W1", "B3", "B2"],
        "hands": hands,
        "turns_left": None,
        "score": 3,
    } | changes
    legal = [{"type": "play", "card": card} for card in range(5)]
    legal += [{"type": "discard", "card": card} for card in range(5)]
    legal += [{"type": "hint", "to": 1, "color": color} for color in "RYGB"]
    legal += [{"type": "hint", "to": 1, "rank": rank} for rank in (1, 2, 3, 5)]
    events = [
        {"type": "deal", "hands": [None, ["R1", "G3", "B2", "B2", "Y5"]]},
        {"type": "hint", "seat": 0, "to": 1, "color": "R", "cards": [0]},
        {"type": "play", "seat": 1, "index": 0, "card": "Y2", "success": True},
        {"type": "draw", "seat": 1, "index": 4, "card": "Y5"},
        {"type": "discard", "seat": 0, "index": 1, "card": "B2"},
        {"type": "draw", "seat": 0, "index": 4, "card": None},
        {"type": "swap", "seat": 1, "first": 0, "second": 2},
    ]
    return {"type": "turn", "turn": number, "events": events, "legal": legal} | {
        "observation": observation
    }


def end() -> dict[str, Any]:
    event = {"type": "play", "seat": 0, "index": 0, "card": "R5", "success": True}
    return {"type": "end", "events": [event], "scores": [25, 25], "ending": "perfect"}


def write_agent(directory: Path, source: str, **others: str) -> Path:
    directory.mkdir(exist_ok=True)
    (directory / "agent.py").write_text(source)
    for name, text in others.items():
        (directory / f"{name}.py").write_text(text)
    return directory


class Playing:
    """An agent in its own process, with the protocol on descriptors that are not standard."""

    def __init__(self, directory: Path, *, compiled: bool = True) -> None:
        there, self._to_agent = os.pipe()
        self._from_agent, back = os.pipe()
        code = f"adapter.compile_sources({str(directory)!r})" if compiled else "None"
        program = (
            f"import sys; sys.path.insert(0, {str(LIBRARY)!r}); from firebox import adapter; "
            f"adapter.run({code}, {str(directory)!r}, {there}, {back})"
        )
        # -S: without site-packages, for the library must do with Python alone.
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", program],
            pass_fds=(there, back),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        os.close(there)
        os.close(back)
        self._buffer = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()
        os.close(self._from_agent)
        if self._to_agent >= 0:
            os.close(self._to_agent)

    def expect(self, message: dict[str, Any], reply: dict[str, Any]) -> None:
        self.send(message)
        assert self.receive() == reply

    def send(self, message: dict[str, Any]) -> None:
        os.write(self._to_agent, json.dumps(message).encode() + b"\n")

    def receive(self) -> Any:
        """The next line from the agent; ``None`` once it has closed its end."""
        while b"\n" not in self._buffer:
            assert select.select([self._from_agent], [], [], DEADLINE_SECONDS)[0], "no answer"
            chunk = os.read(self._from_agent, 65536)
            if not chunk:
                return None
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return json.loads(line)

    def hang_up(self) -> None:
        os.close(self._to_agent)
        self._to_agent = -1

    def finish(self) -> tuple[int, str]:
        """Exit status and standard error, once the process has ended; nothing goes to stdout."""
        out, errors = self._process.communicate(timeout=DEADLINE_SECONDS)
        assert out == b""
        return self._process.returncode, errors.decode()
