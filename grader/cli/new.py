"""``firebox new``: a folder to start from."""

import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from grader.cli.arguments import RulesArguments, game_of, rules_words
from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.kit import RULES
from grader.cli.output import say
from grader.core.games import DEFAULT_GAME, Game, game_from_options
from grader.interfaces import DEFAULT_INTERFACE, INTERFACES, interface_named
from grader.interfaces.starter_kit import write_starter_kit

HELP: Final = "create a folder with an agent to start from, its README and its rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewArguments:
    """The command line of ``firebox new``."""

    directory: Path = argument(
        metavar="DIRECTORY", help="a folder that does not exist yet or is empty"
    )
    interface: str = argument(
        "--interface",
        default=DEFAULT_INTERFACE,
        choices=sorted(INTERFACES),
        help=f"interface of the agent; default: {DEFAULT_INTERFACE}",
    )
    rules: RulesArguments


def run(arguments: NewArguments) -> ExitStatus:
    """Write the starter kit. Nothing that exists is overwritten."""
    directory = arguments.directory
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
    rules = [] if RULES in names else rules_words(arguments.rules, game)
    say("Try it: " + shlex.join(["firebox", "play", str(directory), *rules]))
    return ExitStatus.OK


def _rules(arguments: NewArguments) -> Game:
    interface = interface_named(arguments.interface)
    name = arguments.rules.game or interface.rules.game or DEFAULT_GAME
    asked, variant = replace(arguments.rules, game=name), interface.rules.variant
    if interface.rules.game == name and variant and not asked.variant:
        default = game_from_options(name, {"variant": variant})
        asked = replace(asked, variant=variant, players=asked.players or default.seats)
    return game_of(asked)
