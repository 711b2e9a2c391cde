"""``firebox paper``: Lin and Xu's strategies beside the figures of their paper.

They are our own agents, so they play in this process; nothing of a student's runs here. The oracle
sees the deal, as nobody can in a sandbox.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.cli.arguments import DealArguments, secret_of
from grader.cli.command_line import argument, shared
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.files import check_writable, write_and_say
from grader.cli.output import histogram, progress
from grader.core.deals import REFERENCE_SECRET, deal_seed, shuffled
from grader.core.games import GAMES, game_from_options
from grader.core.games.base import Game
from grader.core.games.hanabi import DECK, Hanabi
from grader.core.records import to_json
from grader.core.referee import PlayerFailure, Reply, Turn
from grader.house import cs221
from grader.play.players import play_game
from grader.results.statistics import Summary, summarise

HELP: Final = "play the strategies of Lin and Xu's paper and show its figures beside ours"

_VARIANT: Final = "cs221"
_PLAYERS: Final = (4, 3)
"""The paper's text is about four; the authors' program has three."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyRow:
    """A strategy's result."""

    strategy: str
    players: int
    paper: float
    """The paper's mean: with four players that of its table, else the authors' program's."""
    trials: Summary
    """The first deals, as many as the paper played."""
    games: Summary
    """All of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperReport:
    """The games and their results, which are the same for everybody who plays the same deals."""

    variant: str
    rules_version: int
    secret: str
    """The secret of the deals, in hexadecimal."""
    n_games: int
    n_trials: int
    rows: tuple[StrategyRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperArguments:
    """The command line of ``firebox paper``."""

    games: int = argument("--games", default=1000, metavar="N", help="default: 1000")
    trials: int = argument(
        "--trials",
        default=100,
        metavar="N",
        help="games for the first column; default: 100, as in the paper",
    )
    players: tuple[int, ...] = argument(
        "--players",
        choices=_PLAYERS,
        help="4 as in the paper, 3 as in the authors' program; default: both",
    )
    strategy: tuple[str, ...] = argument(
        "--strategy",
        choices=sorted(cs221.NAMES),
        help="only this strategy; may be repeated",
    )
    deals: DealArguments = shared(
        secret="the evaluation secret from which all deals are derived; default: the public secret"  # noqa: S106 - a help text
        " behind the guide's figures"
    )
    output: Path | None = argument("--output", metavar="FILE", help="save the figures as JSON")
    json: bool = argument("--json", help="print the figures as JSON")


def run(arguments: PaperArguments) -> ExitStatus:
    """Play, and print the table and a histogram for each row."""
    games, trials = arguments.games, arguments.trials
    if not 1 <= trials <= games:
        raise UsageError(f"--trials is {trials}; it must be between 1 and --games, {games}")
    check_writable(arguments.output)
    names = arguments.strategy or list(cs221.NAMES)
    counts = arguments.players or _PLAYERS
    secret = secret_of(arguments.deals, default=REFERENCE_SECRET)
    rows = []
    with progress(games * len(names) * len(counts), Hanabi) as count:
        for players in counts:
            for name in names:
                scores = []
                for score in measure(name, players, secret, range(games)):
                    scores.append(score)
                    count(score)
                rows.append(_row(name, players, scores, trials))
    report = PaperReport(
        variant=_VARIANT,
        rules_version=GAMES["hanabi"].rules_version,
        secret=secret.hex(),
        n_games=games,
        n_trials=trials,
        rows=tuple(rows),
    )
    words = to_json(report) if arguments.json else "\n".join(_lines(rows))
    write_and_say(arguments.output, to_json(report), words)
    return ExitStatus.OK


def measure(name: str, players: int, secret: bytes, indices: Sequence[int]) -> Iterator[int]:
    """The scores of a strategy that takes all seats, deal by deal."""
    game = game_from_options("hanabi", {"variant": _VARIANT, "players": players})
    for index in indices:
        yield _score(name, game, deal_seed(secret, index))


def _score(name: str, game: Game, seed: bytes) -> int:
    random.seed(seed)  # the strategies draw from the module, as agents of that course do
    seats = [_Strategist(name, seed) for _ in range(game.seats)]
    record = play_game(game, seed, seats)
    if record.fault is not None:
        raise AssertionError(f"{name} is at fault: {record.fault}")
    return record.scores[0]


class _Strategist:
    def __init__(self, name: str, seed: bytes) -> None:
        deck = shuffled(DECK, seed) if cs221.NAMES[name].sees_all else None
        self._seat = cs221.local_seat(name, deck)

    def take(self, turn: Turn) -> Reply | PlayerFailure | None:
        """Answer at once; what it takes is not measured."""
        answer = self._seat.send(turn.message)
        return None if answer is None else Reply(answer.get("action"), 0)


def _row(name: str, players: int, scores: list[int], trials: int) -> StrategyRow:
    strategy = cs221.NAMES[name]
    return StrategyRow(
        strategy=strategy.title,
        players=players,
        paper=strategy.paper if players == _PLAYERS[0] else strategy.authors,
        trials=summarise(scores[:trials]),
        games=summarise(scores),
    )


def _lines(rows: Sequence[StrategyRow]) -> Iterator[str]:
    for players in dict.fromkeys(row.players for row in rows):
        chosen = [row for row in rows if row.players == players]
        first = chosen[0]
        source = "the paper" if players == _PLAYERS[0] else "authors"
        yield f"{players} players: mean ± standard deviation"
        trials, games = f"{first.trials.n} trials", f"{first.games.n} games"
        yield f"  {'strategy':<16} {source:>9} {trials:>15} {games:>15} {'95% of the mean':>18}"
        yield from map(_line, chosen)
        yield ""
    for row in rows:
        yield f"{row.strategy}, {row.players} players, {row.games.n} games"
        yield histogram(row.games, Hanabi)
        yield ""


def _line(row: StrategyRow) -> str:
    width = row.games.half_width
    interval = "" if width is None else f"{row.games.mean:.2f} ± {width:.2f}"
    return (
        f"  {row.strategy:<16} {row.paper:>9.1f} {_spread(row.trials):>15}"
        f" {_spread(row.games):>15} {interval:>18}"
    )


def _spread(summary: Summary) -> str:
    return f"{summary.mean:.2f}" + ("" if summary.sd is None else f" ± {summary.sd:.2f}")
