"""An agent without the firebox package: it speaks the protocol itself, over stdin and stdout.

It takes the first legal action.
"""

import json
import sys
from typing import Any

Json = dict[str, Any]


def choose(seen: Json, legal: list[Json]) -> Json:  # noqa: ARG001 - for you to use
    """Return one of the legal actions; ``seen`` is everything that this seat may know."""
    return legal[0]


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
