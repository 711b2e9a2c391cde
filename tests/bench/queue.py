"""The queue before a deadline, simulated: what waits for what, on 2 to 1,000 cores.

Two policies are compared. *Before*: everything is sent to the broker at once, cut into batches for
all slots. *Fair*: the site's policy. Seeds are fixed, so the figures depend on no machine.
"""

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from tests.bench.harness import Measurement
from tests.bench.queue_model import Fleet, Run, Simulation
from tests.bench.queue_nights import backlog, grade_all, uploads
from webapp.grading.jobs.queues import Queue

CORES: Final = (2, 20, 200, 1000)
PROCESSES: Final = {2: 2, 20: 2, 200: 8, 1000: 35}
"""Processes of results workers by cores, as the runbook has them for twenty games a second."""
_LARGE: Final = ((200, 8), (1000, 35), (1000, 8))
"""Cores, and processes of results workers, on which ten thousand teams are graded."""
_UPLOADS: Final = 10_000
_TEAMS: Final = 10_000


def measurements(_: argparse.Namespace) -> Iterator[Measurement]:
    """Yield the hour before a deadline, then a backlog, then ten thousand teams graded."""
    for cores in CORES:
        for name, fair in (("before", False), ("fair", True)):
            yield Measurement(f"{cores} cores, {name}", partial(_uploading, cores, fair=fair))
    for cores in CORES:
        for name, fair in (("before", False), ("fair", True)):
            yield Measurement(f"{cores} cores, {name}", partial(_grading, cores, fair=fair))
    for cores, processes in _LARGE:
        name = f"{cores} cores, {processes} results processes"
        yield Measurement(name, partial(_graded, cores, processes))


def _uploading(cores: int, *, fair: bool, count: int = _UPLOADS) -> dict[str, float]:
    """Return waits in the hour before a deadline: a thousand teams in two courses."""
    runs = _simulation(cores, fair=fair).play(uploads(count)).runs
    verdicts, practice = (_took(runs, queue) for queue in (Queue.SMOKE, Queue.PRACTICE))
    return {
        "verdict p50, s": _quantile(verdicts, 0.5),
        "verdict p95, s": _quantile(verdicts, 0.95),
        "slowest, s": max(verdicts),
        "practice p50, s": _quantile(practice, 0.5),
        "practice p95, s": _quantile(practice, 0.95),
    }


def _grading(cores: int, *, fair: bool) -> dict[str, float]:
    """Return a second course's wait behind a backlog, and what cutting up evaluations loses."""
    behind = _simulation(cores, fair=fair).play(backlog())
    first = next(
        run.first_at - run.asked_at
        for run in behind.runs
        if run.work.course == 1 and run.first_at is not None
    )
    night = _simulation(cores, fair=fair).play(grade_all(1000))
    return {"first game, s": first, "cores lost to splitting, %": 100 * night.lost_to_splitting}


def _graded(cores: int, processes: int) -> dict[str, float]:
    """Return the results workers' work while ten thousand teams in a course are graded."""
    night = Simulation(Fleet.of(cores), processes=processes).play(grade_all(_TEAMS))
    seconds = max(run.finished_at or math.inf for run in night.runs)
    return {
        "graded in, min": seconds / 60,
        "cores busy, %": 100 * night.busy_seconds / seconds / night.fleet.games,
        "processes busy, %": 100 * night.site.busy_seconds / seconds / night.processes,
        "longest wait of a report, s": night.site.longest_wait,
        "releases a second": night.site.releases / seconds,
    }


def _simulation(cores: int, *, fair: bool) -> Simulation:
    return Simulation(Fleet.of(cores), fair=fair, processes=PROCESSES[cores])


def _took(runs: Iterable[Run], queue: Queue) -> list[float]:
    return [
        math.inf if run.finished_at is None else run.finished_at - run.asked_at
        for run in runs
        if run.work.queue == queue
    ]


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]
