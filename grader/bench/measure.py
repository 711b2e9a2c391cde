"""Plays games on all slots at once and takes the time: one process per core, started together.

Sandboxes are opened and agents built before the clock starts, as they are between the batches of a
long evaluation; start-up is measured by itself.
"""

import gc
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, Self

from grader.bench.contenders import Arrangement, Contender
from grader.core.deals import PRACTICE_SECRET
from grader.core.errors import GraderError, SystemFault
from grader.core.games import game_from_options
from grader.core.records import AgentLimits, AgentRef, BatchRequest, GameResult
from grader.interfaces import DEFAULT_INTERFACE
from grader.play.games import open_games
from grader.play.players import play_locally
from grader.play.slot import Slot
from grader.results.evaluation import EvaluationSpec, batch_request
from sandbox.clock import ProcessClock
from sandbox.errors import SandboxError

_NOBODY: Final = "0" * 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One run of some games on all slots."""

    games: int
    turns: int
    wall_seconds: float
    """From the first slot's first game to the last slot's last."""
    runner_seconds: float
    """Processor time of the referees and runners, all slots together."""
    agents_seconds: float
    """Processor time of the agents' processes, their start and end included."""
    supervisors_seconds: float
    """Processor time of the supervisors: mostly fork."""
    median_turn_us: float
    """Median of the time charged for a turn."""
    busy_share: float
    """Share of the slots' cores' time that was not idle, of all processes."""

    @property
    def cpu_seconds(self) -> float:
        """Processor time of everything of ours: hardly disturbed by what else the host does."""
        return self.runner_seconds + self.agents_seconds + self.supervisors_seconds

    @property
    def games_per_second(self) -> float:
        """Throughput of all slots together."""
        return self.games / self.wall_seconds


def request_for(players: int, games: Sequence[int]) -> BatchRequest:
    """Ask for practice deals of standard Hanabi, the same agent at every seat."""
    spec = EvaluationSpec(
        game="hanabi",
        options={"variant": "standard", "players": players},
        limits=AgentLimits(),
        seating=(0,) * players,
        n_games=len(games),
    )
    agents = [AgentRef(interface=DEFAULT_INTERFACE, sha256=_NOBODY)]
    return batch_request(
        spec, evaluation="", batch="", agents=agents, secret=PRACTICE_SECRET, indices=games
    )


def measure(
    contender: Contender, arrangement: Arrangement, players: int, games: int, cores: Sequence[int]
) -> Measurement:
    """Play ``games`` games, shared out evenly, on all cores at once.

    Raises SystemFault with what a slot's process said when it failed, or how it ended.
    """
    shares = [range(k, games, len(cores)) for k in range(len(cores))]
    with ExitStack() as running:
        slots = [
            running.enter_context(_Started((contender, arrangement, players, share, core)))
            for core, share in zip(cores, shares, strict=True)
        ]
        for slot in slots:
            slot.receive()
        idle_before = idle_seconds(cores)
        for slot in slots:
            slot.connection.send(None)
        parts = [slot.receive() for slot in slots]
        idle = idle_seconds(cores) - idle_before
    return _together(parts, games, idle, len(cores))


class _Started:
    """A slot's process. However the measurement ends, it is ended."""

    def __init__(self, arguments: tuple[object, ...]) -> None:
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_slot, args=(*arguments, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._process.terminate()
        self._process.join()
        self.connection.close()

    def receive(self) -> Any:
        """Return its next message. Raises SystemFault if that says why it failed, or none comes."""
        try:
            message = self.connection.recv()
        except EOFError:
            self._process.join()
            raise SystemFault(f"a slot ended with status {self._process.exitcode}") from None
        if isinstance(message, _Failed):
            raise SystemFault(f"a slot failed: {message.why}")
        return message


@dataclass(frozen=True, slots=True)
class _Failed:
    why: str


@dataclass(frozen=True, slots=True)
class _Start:
    """Lets all slots begin at once."""

    connection: Connection

    def wait(self) -> None:
        """Say that this one is ready, and wait for the others."""
        self.connection.send(None)
        self.connection.recv()


def _together(parts: Sequence["_Part"], games: int, idle: float, cores: int) -> Measurement:
    wall = max(part.ended for part in parts) - min(part.began for part in parts)
    charged = sorted(us for part in parts for us in part.charged_us)
    return Measurement(
        games=games,
        turns=len(charged),
        wall_seconds=wall,
        runner_seconds=sum(part.runner_seconds for part in parts),
        agents_seconds=sum(part.agents_seconds for part in parts),
        supervisors_seconds=sum(part.supervisors_seconds for part in parts),
        median_turn_us=charged[len(charged) // 2],
        busy_share=max(0.0, 1 - idle / (wall * cores)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One slot's share of a measurement. ``began`` and ``ended`` are of the monotonic clock."""

    began: float
    ended: float
    runner_seconds: float
    agents_seconds: float
    supervisors_seconds: float
    charged_us: list[int]


def _slot(
    contender: Contender,
    arrangement: Arrangement,
    players: int,
    games: Sequence[int],
    core: int,
    connection: Connection,
) -> None:
    """Body of a slot's process."""
    os.sched_setaffinity(0, {core})
    gc.freeze()
    start = _Start(connection)
    try:
        if arrangement is Arrangement.DIRECT:
            connection.send(_play_directly(contender, players, games, start))
        else:
            sandboxed = arrangement is Arrangement.SANDBOXED
            slot = Slot(core=core, sandboxed=sandboxed, interpreter=_interpreter())
            connection.send(_play_processes(contender, players, games, slot, start))
    except (GraderError, SandboxError, OSError) as error:
        connection.send(_Failed(f"{type(error).__name__}: {error}"))


def _play_directly(
    contender: Contender, players: int, games: Sequence[int], start: _Start
) -> _Part:
    request = request_for(players, games)
    game = game_from_options(request.game, request.options)
    classes = [contender.agent_class()] * players
    start.wait()
    began, cpu = time.monotonic(), time.process_time()
    records = list(play_locally(game, request.games, classes))
    return _Part(
        began=began,
        ended=time.monotonic(),
        runner_seconds=time.process_time() - cpu,
        agents_seconds=0.0,
        supervisors_seconds=0.0,
        charged_us=[us for record in records for us in record.charged_us],
    )


def _play_processes(
    contender: Contender, players: int, indices: Sequence[int], slot: Slot, start: _Start
) -> _Part:
    request = request_for(players, indices)
    game = game_from_options(request.game, request.options)
    with open_games(game, request, [contender.archive()], slot) as games:
        games.build()
        clocks = [ProcessClock(opened.sandbox.supervisor_pid) for opened in games.pool.sandboxes]
        start.wait()
        supervised = _ran(clocks)
        began, cpu = time.monotonic(), time.process_time()
        played = [games.play(order)[0] for order in request.games]
        ended, cpu = time.monotonic(), time.process_time() - cpu
        supervised = _ran(clocks) - supervised
    return _part(played, began, ended, cpu, supervised)


def _part(
    played: Sequence[GameResult], began: float, ended: float, cpu: float, supervised: float
) -> _Part:
    faults = [result.record.fault for result in played if result.record.fault is not None]
    if faults:
        raise RuntimeError(f"a benchmark's agent had faults: {faults[0]}")
    return _Part(
        began=began,
        ended=ended,
        runner_seconds=cpu,
        agents_seconds=sum(sum(result.cpu_us) for result in played) / 1e6,
        supervisors_seconds=supervised,
        charged_us=[us for result in played for us in result.record.charged_us],
    )


def _interpreter() -> str:
    """The distribution's Python, which the sandbox has too: forked agents run on the same one."""
    system = Path("/usr/bin/python3")
    return str(system) if system.exists() else sys.executable


def _ran(clocks: Sequence[ProcessClock]) -> float:
    return sum(clock.read().ran for clock in clocks) / 1e9


def idle_seconds(cores: Sequence[int]) -> float:
    """Return the time for which these cores have had nothing to do, all together."""
    wanted = {f"cpu{core}" for core in cores}
    lines = Path("/proc/stat").read_text(encoding="ascii").splitlines()
    fields = [line.split() for line in lines if line.split()[0] in wanted]
    return sum(int(field[4]) + int(field[5]) for field in fields) / os.sysconf("SC_CLK_TCK")
