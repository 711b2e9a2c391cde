"""The rules next to an agent: the ``rules.json`` of its starter kit."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from grader.cli.exits import UsageError
from grader.core.errors import UploadRejected
from grader.uploads.upload_zip import read_upload_zip
from grader.uploads.zip_reader import UploadLimits

RULES: Final = "rules.json"
_PACKAGE: Final = "agents"
"""The folder of agents in Java inside a kit, named like their package."""


@dataclass(frozen=True, slots=True)
class KitRules:
    """The contents of a ``rules.json``."""

    game: str
    options: dict[str, Any]


def rules_beside(agents: Sequence[str]) -> KitRules | None:
    """Return the rules beside the first agent's file, or in its folder or zip; ``None`` if none.

    Of an agent in a package they lie beside the package. Raises UsageError.
    """
    rules = _rules_file(Path(agents[0])) if agents else None
    if rules is None:
        return None
    where, text = rules
    try:
        content = json.loads(text)
        return KitRules(str(content["game"]), dict(content["options"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"{where} is not the rules file of a starter kit: {error}") from error


def _rules_file(agent: Path) -> tuple[str, bytes] | None:
    if not agent.exists():
        return None
    if agent.suffix.lower() == ".zip":
        return _rules_inside(agent)
    folder = agent.absolute() if agent.is_dir() else agent.absolute().parent
    file = folder / RULES
    if folder.name == _PACKAGE and not file.exists():
        file = folder.parent / RULES
    try:
        return (str(file), file.read_bytes()) if file.is_file() else None
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error


def _rules_inside(archive: Path) -> tuple[str, bytes] | None:
    """Look at the top or in the only folder. What is no zip is refused where it is played."""
    try:
        with archive.open("rb") as file:
            files = read_upload_zip(file, UploadLimits()).files
    except (OSError, UploadRejected):
        return None
    names = [name for name in files if name == RULES or name.endswith(f"/{RULES}")]
    name = min(names, key=lambda name: name.count("/"), default=None)
    if name is None or name.count("/") > 1:
        return None
    return f"{archive}/{name}", files[name]
