"""``firebox game new``: a small game to start from, as a package."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.output import say

HELP: Final = "create a package with a small game to change line by line"
_TEMPLATE: Final = Path(__file__).parent / "template"
_NAME: Final = re.compile("[a-z][a-z0-9_]{0,19}")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameNewArguments:
    """The command line of ``firebox game new``."""

    name: str = argument(
        metavar="NAME", help="up to 20 of a to z, 0 to 9 and _; the folder gets the same name"
    )


def run(arguments: GameNewArguments) -> ExitStatus:
    """Write the package. Nothing that exists is overwritten."""
    name, folder = arguments.name, Path(arguments.name)
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name} cannot be a game's name: a letter, then up to 19 of a to z, 0 to 9 and _"
        )
    if folder.exists():
        raise UsageError(f"{folder} exists already; choose another name")
    words = name.split("_")
    others = {
        "tic_tac_toe": name,
        "tic-tac-toe": name.replace("_", "-"),
        "TicTacToe": "".join(map(str.capitalize, words)),
        "Tic-tac-toe": " ".join(words).capitalize(),
    }
    for source in sorted(_TEMPLATE.rglob("*")):
        if source.is_file() and source.suffix in {".py", ".md", ".toml"}:
            path = folder / _renamed(str(source.relative_to(_TEMPLATE)), others)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_renamed(source.read_text("utf-8"), others), "utf-8")
    say(f"{folder} now has a game of three in a row, called {others['Tic-tac-toe']}.")
    say(f"Check it: firebox game check {folder}")
    say(f"Its rules are in {folder}/firebox_{name}/__init__.py; {folder}/README.md has the steps.")
    return ExitStatus.OK


def _renamed(text: str, others: dict[str, str]) -> str:
    for word, other in others.items():
        text = text.replace(word, other)
    return text
