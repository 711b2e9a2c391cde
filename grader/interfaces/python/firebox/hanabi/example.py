"""A short made-up game as the wire has it, to warm up code that is about to be forked."""

from collections.abc import Sequence
from typing import Any

from firebox.hanabi.cards import COLORS


def example_messages() -> Sequence[dict[str, Any]]:
    """A ``start``, a ``turn`` and an ``end`` message."""
    knowledge = {"color": None, "rank": None, "colors": COLORS, "ranks": "12345"}
    hands = [
        {"cards": [None] * 2, "ids": [0, 1], "knowledge": [knowledge] * 2},
        {"cards": ["R1", "G3"], "ids": [2, 3], "knowledge": [knowledge] * 2},
    ]
    observation = {
        "turn": 0,
        "seat": 0,
        "to_act": 0,
        "hint_tokens": 8,
        "lives": 3,
        "deck": 46,
        "fireworks": dict.fromkeys(COLORS, 0),
        "discards": [],
        "hands": hands,
        "turns_left": None,
        "score": 0,
    }
    events = [{"type": "deal", "hands": [None, ["R1", "G3"]]}]
    legal = [{"type": "play", "card": 0}, {"type": "hint", "to": 1, "rank": 1}]
    options = {"players": 2, "colors": COLORS, "hint_tokens": 8}
    return (
        {"type": "start", "protocol": 1, "game": "hanabi", "rules_version": 1, "options": options}
        | {"seat": 0, "players": 2, "seed": 1},
        {"type": "turn", "turn": 0, "events": events, "observation": observation, "legal": legal},
        {"type": "end", "events": [], "scores": [0, 0], "ending": "deck_out"},
    )
