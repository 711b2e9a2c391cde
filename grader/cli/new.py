"""``firebox new``: a folder to start from."""

import argparse
import shlex
from pathlib import Path
from typing import Final

from grader.cli.arguments import add_rules_arguments, game_of, rules_words
from grader.cli.exits import Exit, UsageError
from grader.cli.output import say
from grader.interfaces.starter_kit import write_starter_kit

__all__ = ["HELP", "add_arguments", "run"]

HELP: Final = "make a folder with an agent to start from, its README and tests"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("directory", type=Path, metavar="DIRECTORY", help="new, or still empty")
    add_rules_arguments(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Write the starter kit. Nothing that exists is overwritten."""
    directory: Path = arguments.directory
    game = game_of(arguments)
    try:
        names = write_starter_kit(directory, game.name, game.options)
    except FileExistsError as error:
        raise UsageError(f"{error}; name a new folder") from error
    except OSError as error:
        raise UsageError(f"cannot write to {directory}: {error.strerror}") from error
    say(f"{directory} now has {', '.join(names)}.")
    say("Try it: " + shlex.join(["firebox", "play", str(directory), *rules_words(arguments)]))
    return Exit.OK
