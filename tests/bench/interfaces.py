"""The sandbox's cost for agents of each interface, beside their need in their own language.

*Alone*, a loop like the course's own plays the agent within one process: no messages, no second
process, no referee. It is uploaded as an agent that plays so when it is made, which keeps compiler
options, interpreter and virtual machine the same; only agents of Firebox's own class are called by
the referee. *Sandboxed* is everything: referee, wire, a container and a process a seat. Both on one
core, whose other load disturbs both.
"""

import argparse
import importlib.util
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from grader.core.deals import PRACTICE_SECRET
from grader.core.games import DEFAULT_GAME, game_from_options
from grader.core.records import AgentLimits, AgentRef, BatchRequest, Mode
from grader.interfaces import INTERFACES, Interface
from grader.play.batch import open_batch
from grader.play.build_cache import BuildCache
from grader.play.games import BatchGames, open_games
from grader.play.players import play_locally
from grader.play.slot import Slot
from grader.results.evaluation import EvaluationSpec, batch_request
from grader.uploads.archive import SourceFile, Sources
from grader.worker.cores import bound_to, cores_from_environment
from sandbox.clock import ProcessClock
from sandbox.control_groups import control_group
from tests.bench.harness import Measurement

_NOBODY: Final = "0" * 64
_PATIENT: Final = AgentLimits(start_seconds=60.0, turn_seconds=60.0, turn_wall_seconds=180.0)
"""Limits of an agent that plays all its games in one turn."""
_SAID: Final = re.compile(r"alone: (\d+) games, (\d+) turns, (\d+) us")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Runtime:
    """An interface in one of its modes, and the light agent that was written for it."""

    interface: str
    variant: str
    game: str = "hanabi"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the rules, beside the variant."""
    mode: Mode = Mode.SEAT
    light: Mapping[str, Path] = field(default_factory=dict)
    """Files of the agent, by their names in the upload."""
    alone: Mapping[str, Path] = field(default_factory=dict)
    """The same of the one that plays alone. Empty: it is called directly, in this process."""

    @property
    def name(self) -> str:
        words = [self.interface]
        words += [] if self.game == DEFAULT_GAME else [self.game]
        words += [] if self.mode is Mode.SEAT else [str(self.mode)]
        return ", ".join(words)


AGENTS: Final = Path(__file__).parent / "agents"
_RULES: Final[Mapping[str, Mapping[str, Any]]] = {
    "hanabi": {"variant": "standard"},
    "hearts": {"variant": "fit2102", "options": {"hands": 2}},
}
"""The rules for agents that know any. Games are about as long as each other."""
_USUAL_RULES: Final[Mapping[str, Any]] = {"variant": "standard"}
"""The rules for agents of games that have none above."""


def _measured(interface: Interface) -> Iterator[Runtime]:
    """An interface's agents in ``bench/<game>/``: ``light``, and what ``alone`` has instead.

    Those of an interface for any game are in ``agents/`` here.
    """
    roots = (interface.folder / "bench", AGENTS / interface.folder.name)
    for folder in sorted(path for root in roots for path in root.glob("*")):
        rules = {**_RULES.get(folder.name, _USUAL_RULES)}
        rules["variant"] = interface.rules.variant or rules["variant"]
        light, alone = (_files(folder / name) for name in ("light", "alone"))
        for mode in interface.modes:
            yield Runtime(
                interface=interface.name,
                game=folder.name,
                mode=mode,
                light=light,
                alone={**light, **alone} if alone else {},
                **rules,
            )


def _files(folder: Path) -> dict[str, Path]:
    return {path.name: path for path in sorted(folder.glob("*")) if path.is_file()}


RUNTIMES: Final = tuple(
    runtime for interface in INTERFACES.values() for runtime in _measured(interface)
)
"""Every interface that has agents for this, with two seats."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=300, help="a round (300)")


def measurements(asked: argparse.Namespace) -> Iterator[Measurement]:
    """Yield one for each interface and mode."""
    core = cores_from_environment()[0]
    for runtime in RUNTIMES:
        take = partial(_figures, runtime, asked.games, core)
        yield Measurement(runtime.name, take, asked.rounds)


def _figures(runtime: "Runtime", games: int, core: int) -> dict[str, float]:
    alone, boxed = play_alone(runtime, games, core), play_boxed(runtime, games, core)
    per_second = alone.games / alone.seconds
    return {
        "alone, games/s": per_second,
        "alone / sandboxed": per_second / boxed["sandboxed, games/s"],
        **boxed,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """Games within one process, its start not counted."""

    games: int
    turns: int
    seconds: float


def archive(files: Mapping[str, Path], games: int) -> bytes:
    """An upload of these files, told how many games to play if it plays alone."""
    texts = {name: path.read_text() for name, path in files.items()}
    sources = [
        SourceFile(name, text.replace("GAMES = 1000", f"GAMES = {games}").encode())
        for name, text in sorted(texts.items())
    ]
    return Sources(tuple(sources)).archive()


def request_for(runtime: Runtime, games: int, limits: AgentLimits) -> BatchRequest:
    """Ask for practice deals between two seats of one agent."""
    spec = EvaluationSpec(
        game=runtime.game,
        options={"variant": runtime.variant, "players": 2, **runtime.options},
        limits=limits,
        seating=(0, 0),
        n_games=games,
        mode=runtime.mode,
    )
    agents = [AgentRef(interface=runtime.interface, sha256=_NOBODY)]
    indices = range(games)
    return batch_request(
        spec, evaluation="", batch="", agents=agents, secret=PRACTICE_SECRET, indices=indices
    )


def play_alone(runtime: Runtime, games: int, core: int, builds: BuildCache | None = None) -> Alone:
    """Let the agent play in its own language. Raises RuntimeError without printed figures.

    ``builds`` may have the agent compiled: its compilation is not measured.
    """
    with bound_to(core):
        if runtime.alone:
            return _printed_figures(runtime, games, Slot(core=core, builds=builds))
        return _called(runtime, games)


def _called(runtime: Runtime, games: int) -> Alone:
    request = request_for(runtime, games, AgentLimits())
    game = game_from_options(request.game, request.options)
    (source,) = runtime.light.values()
    specification = importlib.util.spec_from_file_location("bench_agent", source)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    classes = [module.Agent] * 2
    began = time.perf_counter()
    records = list(play_locally(game, request.games, classes))
    seconds = time.perf_counter() - began
    turns = sum(len(record.charged_us) for record in records)
    return Alone(games=games, turns=turns, seconds=seconds)


def _printed_figures(runtime: Runtime, games: int, slot: Slot) -> Alone:
    """Read the figures that the agent prints: it ends with an error that names its time."""
    request = request_for(runtime, 1, _PATIENT)
    with open_batch(request, [archive(runtime.alone, games)], slot) as batch:
        results = list(batch.games())
    printed = results[0].evidence.stderr if results and results[0].evidence else str(batch.builds)
    match = _SAID.search(printed)
    if match is None:
        raise RuntimeError(f"{runtime.name} did not play alone: {printed}")
    played, turns, us = map(int, match.groups())
    return Alone(games=played, turns=turns, seconds=us / 1e6)


def play_boxed(runtime: Runtime, games: int, core: int) -> dict[str, float]:
    """Play a batch, opened twice: new to the grader, then known. Raises RuntimeError at a fault.

    Games are played one after the other, once the sandboxes are open. Processor time is that of
    runner, agents and supervisors: what else the host does disturbs it less than wall time. The
    first game starts a virtual machine, where an interface has one. Of a process its largest
    resident set is told, of a container the most that it was charged, its supervisor and its root
    in memory included; 0 where the host does not say.
    """
    request = request_for(runtime, games, AgentLimits())
    with tempfile.TemporaryDirectory(prefix="firebox-bench-") as kept, bound_to(core):
        slot = Slot(core=core, builds=BuildCache(Path(kept)))
        with _open(runtime, request, slot) as opened:
            new = _opened(opened)
        with _open(runtime, request, slot) as opened:
            again = _opened(opened)
            clocks = [ProcessClock(each.sandbox.supervisor_pid) for each in opened.pool.sandboxes]
            began, cpu = time.perf_counter(), _used(clocks)
            results = [opened.play(order)[0] for order in request.games]
            seconds, cpu = time.perf_counter() - began, _used(clocks) - cpu
            container = max(
                container_mib(each.sandbox.supervisor_pid) for each in opened.pool.sandboxes
            )
    faults = [result.record.fault for result in results if result.record.fault is not None]
    if faults:
        raise RuntimeError(f"{runtime.name}: {faults[0]}")
    cpu += sum(sum(result.cpu_us) for result in results) / 1e6
    return {
        "turns a game": sum(len(result.record.charged_us) for result in results) / len(results),
        "sandboxed, games/s": len(results) / seconds,
        "CPU ms a game": 1000 * cpu / len(results),
        "opened, new, s": new,
        "opened, known, s": again,
        "first game, ms": results[0].wall_ms,
        "process, MiB": max(max(result.peak_memory_kib) for result in results) / 1024,
        "container, MiB": container,
    }


def _used(clocks: Sequence[ProcessClock]) -> float:
    """Processor time of this process and the supervisors so far."""
    return time.process_time() + sum(clock.read().ran for clock in clocks) / 1e9


@contextmanager
def _open(runtime: Runtime, request: BatchRequest, slot: Slot) -> Iterator[BatchGames]:
    game = game_from_options(request.game, request.options)
    with open_games(game, request, [archive(runtime.light, 0)], slot) as opened:
        yield opened


def _opened(opened: BatchGames) -> float:
    began = time.perf_counter()
    (build,) = opened.build()
    if not build.ok:
        raise RuntimeError(f"a benchmark's agent does not compile: {build}")
    return time.perf_counter() - began


def container_mib(pid: int) -> float:
    """Most memory that the control group of a process was ever charged; 0 if that is not told."""
    try:
        group = control_group("memory", pid)
        files = (group / "memory.max_usage_in_bytes", group / "memory.peak")
        return max(int(file.read_text()) for file in files if file.exists()) / (1 << 20)
    except (OSError, ValueError):
        return 0.0
