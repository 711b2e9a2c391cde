"""``python -m tests.bench.house``: how strong Firebox's own Hanabi agents are, copies together.

They play in this process and its children, a child a core, without any sandbox: nothing of a
student's runs here. ``--output`` with ``measured.json`` of Hanabi's agents replaces the figures
that the guide and the forms for instructors show, and keeps those of agents that are not measured;
``--first`` takes other deals than those, to tune an agent on.
"""

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from grader import house
from grader.core.deals import REFERENCE_SECRET, deal_seed
from grader.core.errors import RulesError
from grader.core.games import GAMES, game_from_options
from grader.core.records import from_json, to_json
from grader.core.referee import PlayerFailure, Reply, Turn
from grader.house.measured import HouseLadder, Rung
from grader.play.players import LocalPlayer, play_game
from grader.results.statistics import summarise
from grader.worker.cores import cores_from_environment

_GAME: Final = "hanabi"
_PLAYERS: Final = (2, 3, 4, 5)
_VARIANTS: Final = ("standard", "gcc", "uwa", "cs221")
"""``ensta`` is left out: its rules differ from the standard by the order of colours alone."""
_CHUNK: Final = 250
"""Games that a process plays before it reports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Games that one agent plays with itself."""

    agent: str
    variant: str
    players: int
    deals: range
    secret: bytes = REFERENCE_SECRET


@dataclass(frozen=True, slots=True)
class _Part:
    """Some games of a trial."""

    scores: tuple[int, ...]
    cpu_ns: int


class _Clocked:
    """A seat that is called directly; counts its processor time."""

    def __init__(self, agent_class: type) -> None:
        self._player = LocalPlayer(agent_class)
        self.cpu_ns = 0

    def take(self, turn: Turn) -> Reply | PlayerFailure | None:
        began = time.process_time_ns()
        reply = self._player.take(turn)
        self.cpu_ns += time.process_time_ns() - began
        return reply


def trials(
    names: Sequence[str], variants: Sequence[str], players: Sequence[int], *, deals: range
) -> Iterator[Trial]:
    """Yield the trials, in the order of the table.

    Numbers of players that a variant does not know are left out.
    """
    for variant in variants:
        for name in names:
            for count in players:
                if _is_playable(variant, count):
                    yield Trial(agent=name, variant=variant, players=count, deals=deals)


def _is_playable(variant: str, players: int) -> bool:
    try:
        game_from_options(_GAME, {"variant": variant, "players": players})
    except RulesError:
        return False
    return True


def measure(planned: Sequence[Trial], processes: int) -> Iterator[Rung]:
    """Play everything on several cores; yield each measurement when its games are over, in
    order."""
    chunks = [chunk for trial in planned for chunk in _chunks(trial)]
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        parts = pool.imap(play, chunks)
        for trial in planned:
            yield _rung(trial, [next(parts) for _ in _chunks(trial)])


def _chunks(trial: Trial) -> list[Trial]:
    deals = trial.deals
    return [
        replace(trial, deals=deals[start : start + _CHUNK])
        for start in range(0, len(deals), _CHUNK)
    ]


def play(trial: Trial) -> _Part:
    """Play the games of a trial in this process. A fault of an agent is a mistake of ours."""
    game = game_from_options(_GAME, {"variant": trial.variant, "players": trial.players})
    agent = house.agent(trial.agent)
    scores, cpu_ns = [], 0
    for index in trial.deals:
        seats = [_Clocked(agent) for _ in range(game.seats)]
        record = play_game(game, deal_seed(trial.secret, index), seats)
        if record.fault is not None:
            raise AssertionError(f"{trial.agent}, deal {index}: {record.fault}")
        scores.append(record.scores[0])
        cpu_ns += sum(seat.cpu_ns for seat in seats)
    return _Part(tuple(scores), cpu_ns)


def _rung(trial: Trial, parts: Sequence[_Part]) -> Rung:
    scores = [score for part in parts for score in part.scores]
    return Rung(
        agent=trial.agent,
        variant=trial.variant,
        players=trial.players,
        games=summarise(scores),
        cpu_ms=round(sum(part.cpu_ns for part in parts) / len(scores) / 1e6, 2),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if chosen.output is not None and chosen.first:
        parser.error("--output: its figures are those of the first deals; leave out --first")
    planned = list(
        trials(
            chosen.names or _names(),
            chosen.variant or _VARIANTS,
            chosen.players or _PLAYERS,
            deals=range(chosen.first, chosen.first + chosen.games),
        )
    )
    began = time.monotonic()
    rungs = tuple(_with_progress(planned, len(cores_from_environment())))
    Console(width=120).print(_table(rungs))
    print(f"{time.monotonic() - began:.0f} s")
    if chosen.output is not None:
        report = HouseLadder(
            game=_GAME,
            rules_version=GAMES[_GAME].rules_version,
            secret=REFERENCE_SECRET.hex(),
            rungs=_with_others(rungs, chosen.output),
        )
        chosen.output.write_text(to_json(report) + "\n", encoding="utf-8")


def _with_others(rungs: Sequence[Rung], file: Path) -> tuple[Rung, ...]:
    """Add the other figures of a file, if they are of today's rules, agents and deals."""
    report = from_json(file.read_text(encoding="utf-8"), HouseLadder) if file.exists() else None
    today = (GAMES[_GAME].rules_version, REFERENCE_SECRET.hex())
    if report is None or (report.rules_version, report.secret) != today:
        return tuple(rungs)
    found = {_place(rung): rung for rung in report.rungs if rung.agent in _names()}
    found |= {_place(rung): rung for rung in rungs}
    return tuple(found[place] for place in sorted(found))


def _names() -> list[str]:
    return list(house.family(_GAME).names)


def _place(rung: Rung) -> tuple[int, int, int]:
    """Return its place in the file: by variant, then agent, then number of players."""
    variants = list(dict.fromkeys((*_VARIANTS, *GAMES[_GAME].variants())))
    return (
        variants.index(rung.variant),
        _names().index(rung.agent),
        rung.players,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.house", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="AGENT", help="default: all of them")
    parser.add_argument(
        "--games", type=int, default=10_000, metavar="N", help="for each figure (10000)"
    )
    parser.add_argument("--variant", action="append", choices=tuple(GAMES[_GAME].variants()))
    parser.add_argument("--players", type=int, action="append", choices=_PLAYERS)
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the first deal (0)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="save the figures as JSON")
    return parser


def _with_progress(planned: Sequence[Trial], processes: int) -> Iterator[Rung]:
    console = Console(file=sys.stderr)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("measuring", total=sum(len(trial.deals) for trial in planned))
        for rung in measure(planned, processes):
            bar.advance(task, rung.games.n)
            yield rung


def _table(rungs: Sequence[Rung]) -> Table:
    table = Table(title="House agents with copies of themselves", title_justify="left")
    for heading in ("variant", "agent"):
        table.add_column(heading)
    for heading in ("players", "games", "mean", "sd", "perfect", "lost", "CPU ms/game"):
        table.add_column(heading, justify="right")
    for rung in rungs:
        table.add_row(*_cells(rung))
    return table


def _cells(rung: Rung) -> tuple[Any, ...]:
    games = rung.games
    width = f" ± {games.half_width:.2f}" if games.half_width is not None else ""
    return (
        rung.variant,
        rung.agent,
        str(rung.players),
        str(games.n),
        f"{games.mean:.2f}{width}",
        "" if games.sd is None else f"{games.sd:.2f}",
        f"{rung.perfect / games.n:.1%}",
        f"{games.lost / games.n:.1%}",
        f"{rung.cpu_ms:.1f}",
    )


if __name__ == "__main__":
    main()
