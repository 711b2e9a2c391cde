"""``firebox COMMAND``: finds the command, runs it, turns exceptions into messages and statuses."""

import argparse
import io
import os
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Final

from grader.cli import (
    audit,
    check,
    compare,
    evaluate,
    game,
    hostile,
    login,
    new,
    paper,
    play,
    replay,
    submit,
    tournament,
    verify,
    watch,
)
from grader.cli.command_line import arguments_of, declare, read
from grader.cli.exits import EXIT_HELP, ExitStatus
from grader.cli.output import warn
from grader.core.errors import GraderError, SystemFault
from sandbox.errors import SandboxError

_COMMANDS: Final = (
    play,
    evaluate,
    watch,
    compare,
    tournament,
    replay,
    verify,
    audit,
    check,
    game,
    hostile,
    paper,
    new,
    login,
    submit,
)
_LINUX_ONLY: Final = (play, evaluate, watch, tournament, audit, check, hostile, paper)
"""Commands that play: they start processes and read clocks as only Linux offers it."""
_INTERRUPTED: Final = 130
"""The exit status that shells report for a program that Ctrl-C ended."""
_UNHEARD: Final = 141
"""The exit status of a command whose reader, such as ``head``, has gone."""

_UNSANDBOXED: Final = """\
WARNING: --no-sandbox runs agents as plain processes with your own rights. Agents in Python are
refused threads, processes, sockets and other files, as on the site: this finds mistakes, but stops
nobody who means harm. Memory is not limited. Play only agents that you trust, such as your own."""
_HINT: Final = """\
Agents play in Docker containers; `firebox check` says what is missing for that."""
_NEEDS_LINUX: Final = """\
firebox: playing games needs Linux. Run `firebox {command}` in a Linux container or virtual machine;
the guide's page "Command line" says how. On this computer you can create, submit, replay and
compare agents."""


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="firebox",
        description="Play, measure and replay game-playing agents by the grader's rules.",
        epilog=EXIT_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"firebox {_version()}")
    _add_commands(top, _COMMANDS)
    return top


def _add_commands(parser: argparse.ArgumentParser, modules: Iterable[ModuleType]) -> None:
    commands = parser.add_subparsers(
        dest="command" if parser.prog == "firebox" else "subcommand",
        metavar="COMMAND",
        required=True,
    )
    for command in modules:
        sub = commands.add_parser(
            _name(command),
            help=command.HELP,
            description=f"{command.HELP[0].upper()}{command.HELP[1:]}.",
            epilog=EXIT_HELP,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if hasattr(command, "COMMANDS"):
            _add_commands(sub, command.COMMANDS)
            continue
        declare(sub, arguments_of(command.run))
        sub.set_defaults(called=command.run)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    try:
        arguments = parser().parse_args(argv)
    except SystemExit as ended:  # argparse has printed help, or what is wrong
        return int(ended.code or 0)
    _accept_all_characters()
    if not sys.platform.startswith("linux") and arguments.command in map(_name, _LINUX_ONLY):
        warn(_NEEDS_LINUX.format(command=arguments.command))
        return ExitStatus.HOST
    unsandboxed = getattr(arguments, "no_sandbox", None)
    if unsandboxed:
        warn(_UNSANDBOXED, loud=True)
    try:
        run = arguments.called
        status = int(run(read(arguments_of(run), arguments)))
        sys.stdout.flush()
    except (SystemFault, SandboxError) as error:
        warn(f"firebox: {error}")
        if unsandboxed is False:
            warn("\n".join([_HINT, *getattr(error, "__notes__", ())]))
        return ExitStatus.HOST
    except GraderError as error:
        warn(f"firebox: {error}")
        return ExitStatus.USAGE
    except KeyboardInterrupt:
        warn("firebox: interrupted")
        return _INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _UNHEARD
    return status


def _name(command: ModuleType) -> str:
    return command.__name__.rpartition(".")[2]


def _accept_all_characters() -> None:
    """Terminals that lack a character get its escape instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _version() -> str:
    try:
        return version("firebox")
    except PackageNotFoundError:
        return "(not installed)"
