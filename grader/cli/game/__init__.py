"""``firebox game``: for those who write a game of their own."""

from typing import Final

from grader.cli.game import check, new, show

HELP: Final = "write a game of your own, and check it"
COMMANDS: Final = (new, check, show)
