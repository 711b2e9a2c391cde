"""Tests of my agent: run ``pytest``, or ``python test_agent.py``. Add your own situations.

Each test sets up a table, asks the agent for an action, and checks it.
"""

import json
from pathlib import Path
from typing import Any

from agent import MyAgent
from firebox.adapter import LocalSeat
from firebox.hanabi import Action, Hint, Play, action_from_wire

OPTIONS = json.loads(Path(__file__).with_name("rules.json").read_text())["options"]


def hand(cards: str, hints: str = "") -> dict[str, Any]:
    """Return a hand as in a message: ``hand("R1 ?? G3", "R- -2 --")``.

    ``??`` is a card of your own. ``hints`` has what is known of each card: colour, rank.
    """
    faces = [None if card == "??" else card for card in cards.split()]
    told = [(hint[0], hint[1]) for hint in hints.split() or ["--"] * len(faces)]
    knowledge = [
        {
            "color": None if color == "-" else color,
            "rank": None if rank == "-" else int(rank),
            "colors": OPTIONS["colors"] if color == "-" else color,
            "ranks": "12345" if rank == "-" else rank,
        }
        for color, rank in told
    ]
    return {"cards": faces, "ids": list(range(len(faces))), "knowledge": knowledge}


def choose(mine: dict[str, Any], other: dict[str, Any], **changes: Any) -> Action:
    """Return the agent's action with these two hands; ``changes`` override the other fields."""
    observation = {
        "turn": 0,
        "seat": 0,
        "to_act": 0,
        "hint_tokens": 5,
        "lives": OPTIONS["lives"],
        "deck": 30,
        "fireworks": dict.fromkeys(OPTIONS["colors"], 0),
        "discards": [],
        "hands": [mine, other],
        "turns_left": None,
        "score": 0,
    } | changes
    seat = LocalSeat(MyAgent)
    seat.send(
        {"type": "start", "protocol": 1, "game": "hanabi", "rules_version": 1}
        | {"options": OPTIONS | {"players": 2}, "seat": 0, "players": 2, "seed": 1}
    )
    legal = legal_actions(observation)
    message = {"type": "turn", "turn": 0, "events": [], "observation": observation, "legal": legal}
    reply = seat.send(message)
    assert reply is not None
    assert reply["action"] in legal, "the referee would end the game here"
    return action_from_wire(reply["action"])


def legal_actions(observation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the actions that the rules allow with these hands."""
    mine, other = observation["hands"]
    cards = range(len(mine["cards"]))
    legal: list[dict[str, Any]] = [{"type": "play", "card": card} for card in cards]
    if observation["hint_tokens"] < OPTIONS["hint_tokens"]:
        legal += [{"type": "discard", "card": card} for card in cards]
    if observation["hint_tokens"]:
        colors = sorted({card[0] for card in other["cards"]})
        ranks = sorted({int(card[1]) for card in other["cards"]})
        legal += [{"type": "hint", "to": 1, "color": color} for color in colors]
        legal += [{"type": "hint", "to": 1, "rank": rank} for rank in ranks]
    return legal


def test_plays_a_card_that_surely_fits() -> None:
    assert choose(hand("?? ?? ??", "-- R1 --"), hand("G4 G4 W4")) == Play(1)


def test_does_not_play_what_may_not_fit() -> None:
    action = choose(hand("?? ?? ??", "-- R2 --"), hand("G4 G4 W4"))
    assert not isinstance(action, Play)


def test_hints_at_a_card_that_fits() -> None:
    action = choose(hand("?? ?? ??"), hand("G4 W1 B5"))
    assert action in {Hint(1, rank=1), Hint(1, color="W")}


def test_chooses_something_legal_with_all_tokens_and_with_none() -> None:
    for tokens in (OPTIONS["hint_tokens"], 0):
        choose(hand("?? ?? ??"), hand("G4 G4 W4"), hint_tokens=tokens)


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"{name}: passed")
