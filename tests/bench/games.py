"""The figures that say how fast Firebox plays, with their goals: to reach, and to beat it with."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from grader.core.errors import SystemFault
from grader.core.games import game_from_options
from grader.core.referee import Reply, referee
from grader.play.batch import open_batch
from grader.play.build_cache import BuildCache
from grader.play.players import ProcessPlayer
from grader.play.sandbox_cache import SandboxCache
from grader.play.slot import Slot
from grader.worker.cores import bound_to, cores_from_environment
from tests.bench.accounts import command_seconds
from tests.bench.harness import Measurement
from tests.bench.playing import LIGHT, light, open_light, play, request_for

Figures = dict[str, float]

_BUSY: Final = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"
_SEATS, _TABLE_GAMES = 5, 20
"""Of a tournament's table."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=500, help="of two seats, a round (500)")


def measurements(asked: argparse.Namespace) -> Iterator[Measurement]:
    """Yield games, with and without neighbours, then what is paid once."""
    subprocess.run([sys.executable, "-m", "sandbox.images.build", "python"], check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    cores, games, rounds = cores_from_environment(), asked.games, asked.rounds
    os.sched_setaffinity(0, set(cores))
    yield Measurement("2 seats", partial(_seats, 2, games, cores), rounds,
                      {"CPU, sandboxed / forked": "≤ 1.05, 1.03"})  # fmt: skip
    yield Measurement("5 seats", partial(_seats, 5, max(2, games * 2 // 5), cores), rounds,
                      {"CPU, sandboxed / forked": "≤ 1.08, 1.05"})  # fmt: skip
    yield Measurement("2 seats, a busy process on each core",
                      partial(_neighbours, max(2, games // 2), cores), rounds,
                      {"games/s, sandboxed / forked": "≥ 0.85, 0.95"})  # fmt: skip
    yield Measurement("start of two seats", partial(_starts, cores[0]), rounds,
                      {"agent known, to its first turn, s": "≤ 0.30, 0.15",
                       "the same, spare sandboxes, s": "≤ 0.30, 0.15"})  # fmt: skip
    yield Measurement("table of 5 seats, 20 games", partial(_table, cores[0]), rounds,
                      {"sandboxes kept open, s": "≤ 0.8, 0.6"})  # fmt: skip
    yield Measurement("firebox evaluate", partial(_evaluate, 2 * games, cores), rounds,
                      {"CPU, / sandboxed games": "≤ 1.2, 1.1"})  # fmt: skip


def _seats(players: int, games: int, cores: Sequence[int]) -> Figures:
    forked, boxed = (play(players, games, cores, sandboxed=boxed) for boxed in (False, True))
    return {
        "CPU, sandboxed / forked": boxed.cpu_seconds / forked.cpu_seconds,
        "games/s": boxed.games_per_second,
        "runner, CPU ms a game": 1000 * boxed.runner_seconds / games,
        "all, CPU ms a game": 1000 * boxed.cpu_seconds / games,
    }


def _neighbours(games: int, cores: Sequence[int]) -> Figures:
    with _busy(cores):
        forked, boxed = (play(2, games, cores, sandboxed=boxed) for boxed in (False, True))
    return {"games/s, sandboxed / forked": boxed.games_per_second / forked.games_per_second}


@contextmanager
def _busy(cores: Sequence[int]) -> Iterator[None]:
    busy = [subprocess.Popen([sys.executable, "-c", _BUSY, str(core)]) for core in cores]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def _starts(core: int) -> Figures:
    with open_light(2, Slot(core=core)) as games:
        began = time.monotonic()
        games.build()
        opened = time.monotonic() - began
    return {
        "sandboxes opened, agent built, s": opened,
        "agent known, to its first turn, s": _first_turn(core, spare=False),
        "the same, spare sandboxes, s": _first_turn(core, spare=True),
    }


def _first_turn(core: int, *, spare: bool) -> float:
    """Return the seconds until an agent that was built before is loaded, in new sandboxes or in
    spare ones, which no agent has had."""
    with tempfile.TemporaryDirectory() as kept, closing(SandboxCache(max_spares=2)) as cache:
        slot = Slot(core=core, builds=BuildCache(Path(kept)), sandboxes=cache if spare else None)
        with open_light(2, slot) as games:
            games.build()
        cache.stock(slot.open_sandbox)
        with open_light(2, slot) as games, bound_to(core):
            began = time.monotonic()
            games.build()
            games.run_alone(_load, ())
            return time.monotonic() - began


def _load(player: ProcessPlayer) -> None:
    """Send the first message of a game. Raises SystemFault if the agent does not load."""
    request = request_for(2, [0])
    game = game_from_options(request.game, request.options)
    turn = next(referee(game, bytes.fromhex(request.games[0].deal_seed)))
    if not isinstance(answer := player.take(turn), Reply):
        raise SystemFault(f"the agent did not load: {answer}")


def _table(core: int) -> Figures:
    asked = request_for(_SEATS, range(_TABLE_GAMES))
    request = replace(asked, agents=asked.agents * _SEATS, seating=tuple(range(_SEATS)))
    archives = [light(f"agent {seat}") for seat in range(_SEATS)]

    def seconds(slot: Slot) -> float:
        began = time.monotonic()
        with open_batch(request, archives, slot) as batch:
            for _ in batch.games():
                pass
        return time.monotonic() - began

    with bound_to(core), tempfile.TemporaryDirectory() as kept, closing(SandboxCache()) as cache:
        slot = Slot(core=core, builds=BuildCache(Path(kept)))
        keeping = replace(slot, sandboxes=cache)
        seconds(keeping)
        return {
            "sandboxes opened for it, s": seconds(slot),
            "sandboxes kept open, s": seconds(keeping),
        }


def _evaluate(games: int, cores: Sequence[int]) -> Figures:
    command = [sys.executable, "-m", "grader.cli", "evaluate", str(LIGHT), "--players", "2"]
    with tempfile.TemporaryDirectory() as folder:
        taken = command_seconds([*command, "--games", str(games), "--json"], Path(folder))
    bench = play(2, games, cores, sandboxed=True)
    return {"CPU, / sandboxed games": taken.processor / bench.cpu_seconds}
