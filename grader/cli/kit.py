"""The rules that lie beside an agent: the ``rules.json`` of its starter kit."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from grader.cli.exits import UsageError

__all__ = ["RULES", "rules_beside"]

RULES: Final = "rules.json"


def rules_beside(agents: Sequence[str], game: str) -> dict[str, Any]:
    """The options in the first agent's ``rules.json``; empty if there is none for this game.

    Raises UsageError for a file that is not what a starter kit holds.
    """
    if not agents:
        return {}
    agent = Path(agents[0])
    file = (agent if agent.is_dir() else agent.parent) / RULES
    if not agent.exists() or not file.is_file():
        return {}
    try:
        content = json.loads(file.read_bytes())
        named, options = content["game"], content["options"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{file} is not the rules file of a starter kit: {error}") from error
    return dict(options) if named == game else {}
