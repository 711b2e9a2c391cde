"""Texts of a person's possible actions in Hanabi. They reveal only what the seat may know."""

from grader.core.games.base import JsonObject
from grader.core.games.hanabi.cards import WORDS

__all__ = ["choice"]


def choice(observation: JsonObject, action: JsonObject) -> str:
    """Return a legal action as it is offered: ``Hint seat 1: red (cards 0 and 3)``."""
    match action["type"]:
        case "hint":
            told = action.get("color") or str(action["rank"])
            hand = observation["hands"][action["to"]]["cards"]
            touched = [str(index) for index, card in enumerate(hand) if card and told in card]
            return f"Hint seat {action['to']}: {WORDS.get(told, told)} ({_cards(touched)})"
        case "swap":
            return f"Swap cards {action['first']} and {action['second']}"
        case kind:
            return f"{kind.capitalize()} card {action['card']}"


def _cards(touched: list[str]) -> str:
    if len(touched) < 2:
        return f"card {touched[0]}" if touched else "no card"
    return f"cards {', '.join(touched[:-1])} and {touched[-1]}"
