"""``firebox game show``: a game of random actions, turn by turn, as its viewers draw it."""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.files import check_writable, write_text
from grader.cli.game.located import TARGET, located
from grader.cli.output import say
from grader.core.words import printable

HELP: Final = "show a game of random actions, as text or with its drawing"
_CODE: Final = "from grader.cli.game.show import main; main()"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameShowArguments:
    """The command line of ``firebox game show``."""

    target: str = argument(metavar="PATH|NAME", help=TARGET)
    html: Path | None = argument(
        "--html",
        metavar="PAGE",
        help="write a page to this file that draws the game step by step in any browser",
    )


def run(arguments: GameShowArguments) -> ExitStatus:
    """Play in another process, in which the game is installed."""
    if arguments.html is not None:
        check_writable(arguments.html)
    with tempfile.TemporaryDirectory(prefix="firebox-game-") as folder:
        place = located(arguments.target, Path(folder))
        form = "text" if arguments.html is None else "page"
        played = place.run("-c", _CODE, place.games[0], form)
    if played.returncode:
        reason = printable(played.stderr.strip().rpartition("\n")[2])
        raise UsageError(
            f"the game cannot be shown: {reason}; `firebox game check {arguments.target}` says what"
            " to mend"
        )
    if arguments.html is None:
        say(printable(played.stdout).rstrip("\n"))
    else:
        write_text(arguments.html, played.stdout)
        say(f"Written: {arguments.html}. Open it in a browser.")
    return ExitStatus.OK


def main() -> None:
    """Write the text or the page of a game's first random play; its own output is an error's."""
    from grader.conformance import Trial
    from grader.core.games import GAMES
    from grader.viewer import Seat, played
    from grader.viewer.page import standalone

    out, sys.stdout = sys.stdout, sys.stderr
    name, form = sys.argv[1:]
    game = GAMES[name].from_options({})
    seed, actions = next(Trial(game).plays(1))
    state = game.deal(seed)
    tables = [state.text()]
    for notation in actions:
        action = game.parse(notation)
        said = f"{state.turn}  {state.describe(action)}"
        state.apply(action)
        tables.append(f"{said}\n{state.text()}")
    text = "\n\n".join(tables)
    if form == "text":
        out.write(text)
        return
    seats = [Seat(name="")] * game.seats
    data = played(game, seed, actions, seats=seats, ending=str(state.ending))
    out.write(standalone(data, title=game.title, text=text))
