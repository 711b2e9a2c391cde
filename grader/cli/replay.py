"""``firebox replay``: shows a recorded game; no agent runs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.files import check_writable, read_game, write_text
from grader.cli.output import fault_report, say
from grader.core.prints import apart
from grader.core.records import GameResult, Record, to_json
from grader.results.replay import game_of, render, steps
from grader.viewer import Seat, elsewhere, printed_in, viewed
from grader.viewer.page import standalone

HELP: Final = "show a recorded game, checked against the rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayArguments:
    """The command line of ``firebox replay``."""

    file: Path = argument(
        metavar="FILE", help="the export of an evaluation, the result of a game, or a record"
    )
    game: int | None = argument(
        "--game", metavar="I", help="number of the game in an export, from 0"
    )
    upto: int | None = argument("--upto", metavar="N", help="only the first N turns")
    text: bool = argument("--text", group="form", help="as text (the default)")
    json: bool = argument("--json", group="form", help="the record and its turns as JSON")
    html: Path | None = argument(
        "--html",
        group="form",
        metavar="PAGE",
        help="write a page to this file that shows the game step by step in any browser",
    )


def run(arguments: ReplayArguments) -> ExitStatus:
    """Show it. The game's own fault makes no difference to the exit status."""
    if arguments.upto is not None and arguments.upto < 0:
        raise UsageError(f"--upto is {arguments.upto}; it must be a number of turns, not below 0")
    game = read_game(arguments.file, arguments.game)
    record = game.record if isinstance(game, GameResult) else game
    if arguments.html is not None:
        return _write_page(game, arguments.html, upto=arguments.upto)
    if arguments.json:
        say(to_json({"record": record, "steps": steps(record)[: arguments.upto]}))
        return ExitStatus.OK
    printed = apart(game)[1] if isinstance(game, GameResult) else ()
    say(render(record, upto=arguments.upto, printed=printed).rstrip("\n"))
    if isinstance(game, GameResult) and record.fault is not None and arguments.upto is None:
        say()
        say(fault_report(record, game.evidence))
    return ExitStatus.OK


def _write_page(game: GameResult | Record, path: Path, *, upto: int | None) -> ExitStatus:
    if upto is not None:
        raise UsageError("--html writes the whole game; --upto is for text and JSON")
    check_writable(path)
    record, index, printed = game, None, []
    if isinstance(game, GameResult):
        record, index = game.record, game.index
        printed = [*apart(game)[1]] or printed_in(record, game.evidence)
    assert isinstance(record, Record)  # noqa: S101 - for the type checker
    title = game_of(record).title if index is None else f"Game {index}"
    seats = [Seat(name="")] * len(record.scores)
    data = viewed(record, seats=seats, printed=printed)
    page = standalone(data, title=title, text=render(record), offered=elsewhere(record))
    write_text(path, page)
    say(f"Written: {path}. Open it in a browser.")
    return ExitStatus.OK
