"""The rules alone: random games in Python, as machine code, and in OpenSpiel (C++)."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from grader.compiled import SETTING, CannotCompileError, build
from grader.core.errors import SystemFault
from tests.bench.harness import Measurement

GAMES: Final[Mapping[str, tuple[str, int]]] = {
    "hanabi": ("hanabi(players=2)", 2000),
    "hearts": ("hearts", 500),
}
"""By our name of a game: OpenSpiel's, and how many games are played for a figure."""


def measurements(asked: argparse.Namespace) -> Iterator[Measurement]:
    """Yield a measurement for each game; engines take turns in each round. Raises SystemFault."""
    with TemporaryDirectory() as directory:
        engines: dict[str, str | None] = {"Python": ""}
        try:
            build(Path(directory))
            engines["compiled"] = directory
        except CannotCompileError as error:
            print(f"not compiled: {error}", file=sys.stderr)
        if find_spec("pyspiel") is not None:  # it is missing where the tests' packages are
            engines["OpenSpiel"] = None
        for game in GAMES:
            goal = {"games/s, compiled / OpenSpiel": "≥ 0.7, 1.0"}
            yield Measurement(game, partial(_figures, game, engines), asked.rounds, goal)


def _figures(game: str, engines: Mapping[str, str | None]) -> dict[str, float]:
    """Return the figures of a round, from processor time."""
    name, games = GAMES[game]
    figures, rates = {}, {}
    for engine, rules in engines.items():
        also = ["--openspiel", name] if rules is None else []
        played = _played([game, str(games), *also], rules or "")
        rates[engine] = played["games"] / played["seconds"]
        figures[f"games/s, {engine}"] = rates[engine]
        figures[f"µs an action, {engine}"] = 1e6 * played["seconds"] / played["actions"]
    if {"compiled", "OpenSpiel"} <= rates.keys():
        figures["games/s, compiled / OpenSpiel"] = rates["compiled"] / rates["OpenSpiel"]
    return figures


def _played(arguments: list[str], rules: str) -> dict[str, float]:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.bench.random_games", *arguments],
        env={**os.environ, SETTING: rules},
        check=False,
        capture_output=True,
        text=True,
    )
    if ended.returncode:
        raise SystemFault(f"random games ended with status {ended.returncode}: {ended.stderr}")
    figures: dict[str, float] = json.loads(ended.stdout)
    return figures
