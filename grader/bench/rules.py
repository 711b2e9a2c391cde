"""The rules alone: random games in Python, as machine code, and in OpenSpiel (C++)."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from rich.table import Table

from grader.bench.words import spread
from grader.compiled import SETTING, CannotCompileError, build
from grader.core.errors import SystemFault

__all__ = ["GAMES", "Engine", "RandomGames", "play_rounds", "table"]

GAMES: Final[Mapping[str, tuple[str, int]]] = {
    "hanabi": ("hanabi(players=2)", 2000),
    "hearts": ("hearts", 500),
}
"""By our name of a game: OpenSpiel's, and how many games are played for a figure."""


class Engine(StrEnum):
    """A player of random games."""

    PYTHON = "Python"
    """Our modules, interpreted."""
    COMPILED = "compiled"
    """The same modules as machine code (``grader.compiled``)."""
    OPENSPIEL = "OpenSpiel"
    """A library in C++, from outside. It is missing where the tests' packages are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomGames:
    """Games between agents that choose at random, in one process."""

    games: int
    actions: int
    seconds: float
    """Processor time."""

    @property
    def games_per_second(self) -> float:
        """Games for each second of processor time."""
        return self.games / self.seconds

    @property
    def microseconds_per_action(self) -> float:
        """Processor time of an action, with its share of the deal."""
        return 1e6 * self.seconds / self.actions


def play_rounds(game: str, rounds: int) -> dict[Engine, list[RandomGames]]:
    """Let all available engines play, alternating in each round. Raises SystemFault."""
    name, games = GAMES[game]
    with TemporaryDirectory() as directory:
        engines = [Engine.PYTHON, *_compiled(Path(directory)), *_openspiel()]
        figures: dict[Engine, list[RandomGames]] = {engine: [] for engine in engines}
        for _ in range(rounds):
            for engine in engines:
                also = ["--openspiel", name] if engine is Engine.OPENSPIEL else []
                rules = directory if engine is Engine.COMPILED else ""
                figures[engine].append(_played([game, str(games), *also], rules))
    return figures


def table(figures: Mapping[str, Mapping[Engine, Sequence[RandomGames]]]) -> Table:
    """Games and actions of each engine, and the ratios of a round to OpenSpiel's."""
    grid = Table(title="The rules alone: random games, one process", title_justify="left")
    for heading in ("game", "engine"):
        grid.add_column(heading)
    for heading in (
        "games/s",
        "µs an action",
        "games/s to OpenSpiel's",
        "actions/s to OpenSpiel's",
    ):
        grid.add_column(heading, justify="right")
    for game, engines in figures.items():
        reference = engines.get(Engine.OPENSPIEL, ())
        for engine, runs in engines.items():
            grid.add_row(
                game,
                engine,
                spread([run.games_per_second for run in runs], ".0f"),
                spread([run.microseconds_per_action for run in runs], ".2f"),
                *_ratios(runs, reference),
            )
    return grid


def _ratios(runs: Sequence[RandomGames], reference: Sequence[RandomGames]) -> tuple[str, str]:
    pairs = list(zip(runs, reference, strict=False))
    if not pairs:
        return "–", "–"
    games = [ours.games_per_second / theirs.games_per_second for ours, theirs in pairs]
    actions = [
        theirs.microseconds_per_action / ours.microseconds_per_action for ours, theirs in pairs
    ]
    return spread(games, ".2f"), spread(actions, ".2f")


def _compiled(directory: Path) -> list[Engine]:
    """Compile the rules, where that is possible."""
    try:
        build(directory)
    except CannotCompileError:
        return []
    return [Engine.COMPILED]


def _openspiel() -> list[Engine]:
    return [] if find_spec("pyspiel") is None else [Engine.OPENSPIEL]


def _played(arguments: Sequence[str], rules: str) -> RandomGames:
    ended = subprocess.run(
        [sys.executable, "-m", "grader.bench.random_games", *arguments],
        env={**os.environ, SETTING: rules},
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise SystemFault(f"random games ended with status {ended.returncode}: {ended.stderr}")
    return RandomGames(**json.loads(ended.stdout))
