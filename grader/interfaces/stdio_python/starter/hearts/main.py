"""An agent without the firebox package: it speaks the protocol itself, over stdin and stdout.

It ducks under the trick if it can, and discards points when it can't follow suit.
"""

import json
import sys
from typing import Any

Json = dict[str, Any]

RANKS = "23456789TJQKA"
SUITS = "CDSH"


def order(card: str) -> tuple[int, int]:
    """Return a key that sorts cards by rank, then by suit."""
    return RANKS.index(card[1]), SUITS.index(card[0])


def follow(trick: list[Json], cards: list[str]) -> str:
    """Return the highest card that does not take the trick; if all of them do, the lowest."""
    suit = cards[0][0]
    best = max((play["card"] for play in trick if play["card"][0] == suit), key=order)
    below = [card for card in cards if order(card) < order(best)]
    return max(below, key=order) if below else min(cards, key=order)


def discard(cards: list[str]) -> str:
    """Return the queen of spades, else the highest heart, else the highest card."""
    if "SQ" in cards:
        return "SQ"
    hearts = [card for card in cards if card[0] == "H"]
    return max(hearts or cards, key=order)


def choose(seen: Json, legal: list[Json]) -> Json:
    cards = [action["card"] for action in legal]
    if seen["phase"] == "pass":
        return {"type": "pass", "card": max(cards, key=order)}
    if not seen["trick"]:
        card = min(cards, key=order)
    elif cards[0][0] == seen["trick"][0]["card"][0]:
        card = follow(seen["trick"], cards)
    else:
        card = discard(cards)
    return {"type": "play", "card": card}


def reply(message: Json) -> Json | None:
    match message["type"]:
        case "start":
            return {"type": "ready"}
        case "turn":
            action = choose(message["observation"], message["legal"])
            return {"type": "action", "turn": message["turn"], "action": action}
    return None


def main() -> None:
    for line in sys.stdin:
        answer = reply(json.loads(line))
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
