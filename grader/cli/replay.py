"""``firebox replay``: tells a recorded game; no agent runs."""

import argparse
from pathlib import Path
from typing import Final

from grader.cli.exits import Exit, UsageError
from grader.cli.files import read_game
from grader.cli.output import fault_report, say
from grader.core.records import GameResult, to_json
from grader.results.replay import render, steps

__all__ = ["HELP", "add_arguments", "run"]

HELP: Final = "tell a recorded game, checking it against the rules"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="an evaluation's export, a game's result or a record",
    )
    parser.add_argument(
        "--game",
        type=int,
        metavar="I",
        help="which game of an export, by its index: the first is 0",
    )
    parser.add_argument("--upto", type=int, metavar="N", help="only the first N turns")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--text", action="store_true", help="as text (the default)")
    form.add_argument("--json", action="store_true", help="the record and its turns as JSON")


def run(arguments: argparse.Namespace) -> Exit:
    """Tell it. The game's own fault makes no difference to the exit status."""
    if arguments.upto is not None and arguments.upto < 0:
        raise UsageError(f"--upto is {arguments.upto}; it is a number of turns")
    game = read_game(arguments.file, arguments.game)
    record = game.record if isinstance(game, GameResult) else game
    if arguments.json:
        say(to_json({"record": record, "steps": steps(record)[: arguments.upto]}))
        return Exit.OK
    say(render(record, upto=arguments.upto).rstrip("\n"))
    if isinstance(game, GameResult) and record.fault is not None and arguments.upto is None:
        say()
        say(fault_report(record, game.evidence))
    return Exit.OK
