"""An agent without the firebox package: it speaks the protocol by itself, over stdin and stdout."""

import json
import sys
from typing import Any


def reply(message: dict[str, Any]) -> dict[str, Any] | None:
    match message["type"]:
        case "start":
            return {"type": "ready"}
        case "turn":
            action = message["legal"][0]
            return {"type": "action", "turn": message["turn"], "action": action}
    return None


def main() -> None:
    for line in sys.stdin:
        answer = reply(json.loads(line))
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
