"""An agent without the firebox package: it speaks the protocol itself, over stdin and stdout.

It plays a card that must fit, else hints at a card that the next player can play, else discards.
"""

import json
import sys
from typing import Any

Json = dict[str, Any]


def fits(fireworks: Json, color: str, rank: int) -> bool:
    return bool(fireworks[color] + 1 == rank)


def must_fit(fireworks: Json, known: Json) -> bool:
    cards = [(color, int(rank)) for color in known["colors"] for rank in known["ranks"]]
    return all(fits(fireworks, color, rank) for color, rank in cards)


def hint(seen: Json) -> Json | None:
    """Return a hint about the next player's first playable card that it does not know fully."""
    seat = (seen["seat"] + 1) % len(seen["hands"])
    hand = seen["hands"][seat]
    for card, known in zip(hand["cards"], hand["knowledge"], strict=True):
        if card is not None and fits(seen["fireworks"], card[0], int(card[1])):
            if known["rank"] is None:
                return {"type": "hint", "to": seat, "rank": int(card[1])}
            if known["color"] is None:
                return {"type": "hint", "to": seat, "color": card[0]}
    return None


def choose(seen: Json, legal: list[Json]) -> Json:
    own = seen["hands"][seen["seat"]]["knowledge"]
    for position, known in enumerate(own):
        if must_fit(seen["fireworks"], known):
            return {"type": "play", "card": position}
    if seen["hint_tokens"] > 0 and (hinted := hint(seen)) is not None:
        return hinted
    oldest = {"type": "discard", "card": 0}
    return oldest if oldest in legal else legal[-1]


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
