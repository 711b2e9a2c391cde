"""A short made-up game as the wire has it, to warm up code that is about to be forked."""

from collections.abc import Sequence
from typing import Any


def example_messages() -> Sequence[dict[str, Any]]:
    """A ``start``, a ``turn`` and an ``end`` message."""
    observation = {
        "turn": 12,
        "seat": 0,
        "to_act": 0,
        "hand_number": 0,
        "phase": "play",
        "passing": "left",
        "passed": ["SQ", "HA", "CA"],
        "received": ["C2", "D3", "H4"],
        "hand": ["C2", "D3", "H4"],
        "trick": [{"seat": 3, "card": "C5"}],
        "tricks_played": 0,
        "hearts_broken": False,
        "taken": [[], [], [], ["SK"]],
        "points": [0, 0, 0, 0],
        "totals": [0, 0, 0, 0],
    }
    events = [
        {"type": "deal", "hand_number": 0, "passing": "left", "cards": ["SQ", "HA", "CA", "C2"]},
        {"type": "pass", "seat": 0, "to": 1, "card": "SQ"},
        {"type": "receive", "seat": 0, "from": 3, "cards": ["C2", "D3", "H4"]},
        {"type": "play", "seat": 3, "card": "C5"},
        {"type": "trick", "winner": 3, "points": 0},
        {"type": "hand", "points": [0, 0, 0, 26], "totals": [0, 0, 0, 26], "moon": None},
    ]
    legal = [{"type": "play", "card": "C2"}, {"type": "pass", "card": "C2"}]
    options = {"players": 4, "hands": 0, "end_at": 100, "passing": "cycle"}
    return (
        {"type": "start", "protocol": 1, "game": "hearts", "rules_version": 1, "options": options}
        | {"seat": 0, "players": 4, "seed": 1},
        {"type": "turn", "turn": 12, "events": events, "observation": observation, "legal": legal},
        {"type": "end", "events": [], "scores": [0, 0, 0, 26], "ending": "hands"},
    )
