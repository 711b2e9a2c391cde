"""Tests of my agent: run ``pytest``, or ``python test_agent.py``. Add your own situations."""

import json
from pathlib import Path
from typing import Any

from agent import MyAgent
from firebox.adapter import LocalSeat

EXAMPLE = json.loads(Path(__file__).with_name("example.json").read_text())


def choose(legal: list[dict[str, Any]] = EXAMPLE["turn"]["legal"], **changes: Any) -> Any:
    """Return the agent's action at the example's turn. ``changes`` override what it observes."""
    seat = LocalSeat(MyAgent)
    seat.send(EXAMPLE["start"])
    observation = EXAMPLE["turn"]["observation"] | changes
    reply = seat.send(EXAMPLE["turn"] | {"observation": observation, "legal": legal})
    assert reply is not None
    return reply["action"]


def test_takes_a_legal_action() -> None:
    assert choose() in EXAMPLE["turn"]["legal"], "the referee would end the game here"


def test_takes_the_only_legal_action() -> None:
    last = EXAMPLE["turn"]["legal"][-1]
    assert choose([last]) == last


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"{name}: passed")
