"""Turns of known length under known loads, each judged by three rules at once.

The rules: what the sandbox does (wall time less the wait for a processor; a doubtful timeout counts
if a second try is one too), plain wall time, and plain processor time. All three have the same
limit of one second, and see the same turns.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from grader.worker.cores import cores_from_environment
from sandbox.container import ContainerSandbox, open_container
from sandbox.errors import SandboxLost
from sandbox.limits import Limits
from sandbox.program import Adapter, Program
from sandbox.scratch import make_scratch, remove_scratch
from sandbox.timeouts import AskFailure
from tests.bench.harness import Measurement
from tests.bench.loads import LOADS, Load

LIMIT_SECONDS: Final = 1.0
COMPUTES: Final = (0.5, 0.9, 0.95, 1.05, 1.1, 2.0)
"""Processor time that a turn needs, in seconds."""
SLEEPS: Final = (2.0,)
"""Time that a turn sleeps instead; on a 1 s limit that is too long as well."""
_LIMITS: Final = Limits(
    turn_seconds=LIMIT_SECONDS,
    turn_wall_seconds=3.0,
    start_seconds=5.0,
    memory_mib=64,
    reply_bytes=4096,
    stdout_bytes=1 << 20,
    stderr_bytes=1 << 16,
)
_TRIES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The need of a turn."""

    seconds: float
    how: str

    @property
    def label(self) -> str:
        return f"{self.seconds:g} s" + (" asleep" if self.how == "sleep" else "")

    @property
    def too_slow(self) -> bool:
        return self.seconds > LIMIT_SECONDS


NEEDS: Final = (
    *(Need(seconds=seconds, how="compute") for seconds in COMPUTES),
    *(Need(seconds=seconds, how="sleep") for seconds in SLEEPS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One turn, all times in seconds. A turn that was given up is measured up to that moment."""

    load: str
    need: Need
    wall: float
    charged: float
    ran: float
    """Processor time of the process, as the scheduler counts it."""
    timed_out: bool
    """By the sandbox's rule, confirmed if it was doubtful."""
    tries: int


TIMEOUT_RULES: Final[Mapping[str, Callable[[Trial], bool]]] = {
    "Firebox": lambda trial: trial.timed_out,
    "wall time": lambda trial: trial.wall > LIMIT_SECONDS,
    "processor time": lambda trial: trial.ran > LIMIT_SECONDS,
}
"""The three rules that are compared, by name."""


def measurements(asked: argparse.Namespace) -> Iterator[Measurement]:
    """Yield one for each load: wrong verdicts of the rules, and what they measure."""
    cores = cores_from_environment()
    for load in LOADS:
        yield Measurement(load.name, partial(_figures, load, cores), asked.rounds)


def _figures(load: Load, cores: Sequence[int]) -> dict[str, float]:
    """Play each need once on each core: a timeout up to 0.95 s is false, none from 1.1 s missed."""
    trials = run([load], len(cores), cores)
    quick = [trial for trial in trials if trial.need.seconds <= 0.95 * LIMIT_SECONDS]
    slow = [trial for trial in trials if trial.need.seconds >= 1.1 * LIMIT_SECONDS]
    figures = {}
    for name, rule in TIMEOUT_RULES.items():
        figures[f"{name}: false of {len(quick)}"] = sum(map(rule, quick))
        figures[f"{name}: missed of {len(slow)}"] = len(slow) - sum(map(rule, slow))
    for need in NEEDS:
        charged = [trial.charged for trial in trials if trial.need == need]
        figures[f"charged for {need.label}, s"] = sum(charged) / len(charged)
    return figures


def run(loads: Sequence[Load], repeats: int, cores: Sequence[int]) -> list[Trial]:
    """Play all needs under all loads, the repeats shared out over the cores, one process a core."""
    trials: list[Trial] = []
    shares = [len(range(k, repeats, len(cores))) for k in range(len(cores))]
    with ProcessPoolExecutor(len(cores), mp_context=get_context("fork")) as slots:
        for load in loads:
            jobs = [
                slots.submit(_slot, load, share, core)
                for share, core in zip(shares, cores, strict=True)
            ]
            for job in jobs:
                trials += job.result()
    return trials


def _slot(load: Load, repeats: int, core: int) -> list[Trial]:
    """As in a grader, the process is bound to the core of its sandbox."""
    os.sched_setaffinity(0, {core})
    sources = make_scratch("clock")
    program = Program(
        adapter=Adapter(
            paths=(Path(__file__).with_name("turns"),),
            play="turns:play",
            build="turns:play",
            preload=("turns",),
        ),
        sources=sources,
    )
    bench = _Bench(program, core)
    try:
        with load.on(core):
            return [bench.trial(load, need) for _ in range(repeats) for need in NEEDS]
    finally:
        bench.close()
        remove_scratch(sources)


class _Bench:
    """A sandbox, opened when it is needed, and again when the host starved it."""

    def __init__(self, program: Program, core: int) -> None:
        self._program = program
        self._core = core
        self._opened: ContainerSandbox | None = None

    def trial(self, load: Load, need: Need) -> Trial:
        """One turn, tried again as a grader would. Raises SandboxLost the third time."""
        for _ in range(_TRIES - 1):
            try:
                return self._trial(load, need)
            except SandboxLost:
                self.close()
        return self._trial(load, need)

    def _trial(self, load: Load, need: Need) -> Trial:
        if self._opened is None:
            self._opened = open_container(self._program, _LIMITS, core=self._core)
        first, doubtful = _try(load, need, self._opened)
        if not doubtful:
            return first
        second, _ = _try(load, need, self._opened)
        return replace(first, timed_out=second.timed_out, tries=2)

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None


def _try(load: Load, need: Need, opened: ContainerSandbox) -> tuple[Trial, bool]:
    """One turn in a fresh process, and whether its timeout is doubtful."""
    process = opened.sandbox.start_process()
    process.ask(b"0 compute\n", start=True)
    before, began = process.usage(), time.perf_counter()
    answer = process.ask(f"{need.seconds} {need.how}\n".encode())
    wall, after = time.perf_counter() - began, process.usage()
    process.finish(None)
    trouble = answer if isinstance(answer, AskFailure) else None
    trial = Trial(
        load=load.name,
        need=need,
        wall=wall,
        charged=process.charged_us / 1e6,
        ran=(after.ran - before.ran) / 1e9,
        timed_out=trouble is not None,
        tries=1,
    )
    return trial, trouble is not None and trouble.doubtful
