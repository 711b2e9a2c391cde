"""Tests of my agent: run ``pytest``, or ``python test_agent.py``. Add your own situations.

Each test sets up a trick, asks the agent for a card, and checks it.
"""

import json
from pathlib import Path
from typing import Any

from agent import MyAgent
from firebox.adapter import LocalSeat
from firebox.hearts import Action, Card, Pass, Play, action_from_wire

OPTIONS = json.loads(Path(__file__).with_name("rules.json").read_text())["options"]


def choose(hand: str, trick: str = "", **changes: Any) -> Action:
    """Return the action of seat 0 with this hand, after the seats before it played these cards.

    For example ``choose("S4 SK", "S7 SA")``. ``changes`` override the other fields.
    """
    cards, played = hand.split(), trick.split()
    seats = range(4 - len(played), 4)
    observation = {
        "turn": 30,
        "seat": 0,
        "to_act": 0,
        "hand_number": 0,
        "phase": "play",
        "passing": "none",
        "passed": [],
        "received": [],
        "hand": cards,
        "trick": [{"seat": seat, "card": card} for seat, card in zip(seats, played, strict=True)],
        "tricks_played": 4,
        "hearts_broken": True,
        "taken": [[], [], [], []],
        "points": [0, 0, 0, 0],
        "totals": [0, 0, 0, 0],
    } | changes
    seat = LocalSeat(MyAgent)
    seat.send(
        {"type": "start", "protocol": 1, "game": "hearts", "rules_version": 1}
        | {"options": OPTIONS | {"players": 4}, "seat": 0, "players": 4, "seed": 1}
    )
    legal = legal_actions(observation)
    message = {"type": "turn", "turn": 30, "events": [], "observation": observation, "legal": legal}
    reply = seat.send(message)
    assert reply is not None
    assert reply["action"] in legal, "the referee would end the game here"
    return action_from_wire(reply["action"])


def legal_actions(observation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the actions that the rules allow with this hand, once hearts are broken."""
    cards = observation["hand"]
    if observation["phase"] == "pass":
        return [{"type": "pass", "card": card} for card in cards]
    led = observation["trick"][0]["card"][0] if observation["trick"] else ""
    following = [card for card in cards if card[0] == led]
    return [{"type": "play", "card": card} for card in following or cards]


def card(name: str) -> Card:
    return Card.parse(name)


def test_stays_just_below_the_trick() -> None:
    assert choose("S3 S8 SK", "S5 SJ") == Play(card("S8"))


def test_takes_a_trick_that_it_must_take_with_its_lowest_card() -> None:
    assert choose("DT DK DA", "D4") == Play(card("DT"))


def test_discards_the_queen_when_it_cannot_follow() -> None:
    assert choose("D4 SQ HA", "C9") == Play(card("SQ"))


def test_discards_its_highest_heart_without_the_queen() -> None:
    assert choose("DA H3 HJ", "C9") == Play(card("HJ"))


def test_passes_its_highest_card_on() -> None:
    assert choose("C2 S5 HA", phase="pass", passing="left") == Pass(card("HA"))


def test_leads_low() -> None:
    assert choose("C9 D3 SK") == Play(card("D3"))


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"{name}: passed")
