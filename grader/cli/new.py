"""``firebox new``: a folder to start from."""

import argparse
import shlex
from pathlib import Path
from typing import Final

from grader.cli.arguments import add_rules_arguments, game_of, rules_words
from grader.cli.exits import Exit, UsageError
from grader.cli.kit import RULES
from grader.cli.output import say
from grader.core.games import DEFAULT_GAME, Game, game_from_options
from grader.interfaces import DEFAULT_INTERFACE, INTERFACES, interface_named
from grader.interfaces.starter_kit import write_starter_kit

__all__ = ["HELP", "add_arguments", "run"]

HELP: Final = "create a folder with an agent to start from, its README and its rules"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "directory",
        type=Path,
        metavar="DIRECTORY",
        help="a folder that does not exist yet or is empty",
    )
    parser.add_argument(
        "--interface",
        default=DEFAULT_INTERFACE,
        choices=sorted(INTERFACES),
        help=f"interface of the agent; default: {DEFAULT_INTERFACE}",
    )
    add_rules_arguments(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Write the starter kit. Nothing that exists is overwritten."""
    directory: Path = arguments.directory
    game = _rules(arguments)
    kit = interface_named(arguments.interface).kit
    try:
        names = write_starter_kit(
            directory,
            game.name,
            game.options,
            library=not (kit is not None and kit.installed),
            interface=arguments.interface,
        )
    except LookupError as error:
        raise UsageError(str(error)) from error
    except FileExistsError as error:
        raise UsageError(f"{error}; name a new folder") from error
    except OSError as error:
        raise UsageError(f"cannot write to {directory}: {error.strerror}") from error
    say(f"{directory} now has {', '.join(names)}.")
    rules = [] if RULES in names else rules_words(arguments, game)
    say("Try it: " + shlex.join(["firebox", "play", str(directory), *rules]))
    return Exit.OK


def _rules(arguments: argparse.Namespace) -> Game:
    """Return the rules asked for; for the rest, those that the interface's agents know.

    Raises RulesError.
    """
    interface = interface_named(arguments.interface)
    name = arguments.game or interface.rules.game or DEFAULT_GAME
    asked = {**vars(arguments), "game": name}
    if interface.rules.game == name and interface.rules.variant and not arguments.variant:
        usual = game_from_options(name, {"variant": interface.rules.variant})
        asked |= {"variant": interface.rules.variant, "players": arguments.players or usual.seats}
    return game_of(argparse.Namespace(**asked))
