"""``python -m tests.support.recording_costs``: how many reports a results worker records a second.

Agents play a thousand games each. Their reports wait in Redis, and a real worker with one process
records them, on SQLite and on PostgreSQL. Prints reports for each second of the worker's
processor time, which other programs on the machine change little: the median of several rounds, the
least and the most. PostgreSQL's own processor time is a column of its own.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kombu import Producer

from grader.bench.words import spread
from tests.support import this_version
from tests.support.measurements import Measurement, add_options, measure_on_request
from tests.support.own_site import site_settings
from tests.support.processes import Program, stats, wait_until
from tests.support.redis_server import RedisServer

if TYPE_CHECKING:
    from webapp.evaluations.models import Evaluation

_REPORTS: Final = {1: 240, 10: 96, 50: 24}
"""The reports of a round, by the games in each."""
_EVALUATIONS: Final = 24
"""They are played at a time: the reports are of one after the other."""
_IDLE_SECONDS: Final = 10.0
"""The time for which an idle worker is watched: its periodic tasks are subtracted."""
_SECONDS: Final = 600.0
"""The longest that a round may take."""
_COLUMNS: Final = "{:<28} {:>24} {:>24} {:>24}"
_HEADINGS: Final = ("", "reports a second", "ms a report", "ms of PostgreSQL")


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor time of a report, in seconds."""

    worker: float
    server: float
    """PostgreSQL's; 0 with SQLite, which works in the worker."""


def main() -> None:
    """Record reports on each database, and print a line for each size of a report."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.recording_costs", description=__doc__
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"])
    add_options(parser)
    arguments = parser.parse_args()
    if arguments.against:
        from tests.support.versions import compare

        compare("tests.support.recording_costs", arguments.against)
        return
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        broker = stack.enter_context(RedisServer(Path(name)).running())
        os.environ |= site_settings(Path(name), broker.url, log_level="ERROR")
        import django

        django.setup()
        measurements = _measurements(Path(name), broker, arguments.databases, arguments.rounds)
        if arguments.turns:
            measure_on_request(measurements)
            return
        print(_COLUMNS.format(*_HEADINGS), flush=True)
        for measurement in measurements:
            _print(measurement)


def _measurements(
    directory: Path, broker: RedisServer, databases: Sequence[str], rounds: int
) -> Iterator[Measurement]:
    """Yield one for each database and each size of a report."""
    for database in databases:
        with _database(database) as server:
            evaluations = _prepare()
            with _worker(directory) as worker:
                bench = _Bench(broker, worker, server, evaluations)
                for size in _REPORTS:
                    name = f"{database:<10} {size:>2} games a report"
                    yield Measurement(name, partial(bench.figures, size), rounds)
        broker.clear()


def _print(measurement: Measurement) -> None:
    costs = [measurement.take() for _ in range(measurement.rounds)]
    figures = {name: [cost[name] for cost in costs] for name in costs[0]}
    texts = [spread(values, ".2f") for values in figures.values()]
    print(_COLUMNS.format(measurement.name, *texts), flush=True)


@contextmanager
def _database(name: str) -> Iterator[int]:
    """Have this process and its children use the database; yield the server's process, or 0."""
    from tests.support.postgres_server import PostgresServer, as_default_database

    if name == "sqlite":
        yield 0
        return
    server = PostgresServer()
    os.environ["DATABASE_URL"] = server.url
    try:
        with as_default_database(server.url):
            yield server.pid
    finally:
        del os.environ["DATABASE_URL"]
        server.remove()


def _prepare() -> "list[Evaluation]":
    """Make evaluations of a thousand games, of which none has been reported yet."""
    from django.core.management import call_command
    from django.utils import timezone

    from tests.support.crowd import make_crowd, queue_evaluations
    from webapp.evaluations.models import Kind

    call_command("migrate", verbosity=0)
    crowd = make_crowd(teams=_EVALUATIONS, submissions=1, graded=False)
    this_version.admit_grader(timezone.now())
    return queue_evaluations(crowd, crowd.teams, kind=Kind.GRADED)


@contextmanager
def _worker(directory: Path) -> Iterator[Program]:
    """A results worker with one process, on one core."""
    core = max(os.sched_getaffinity(0))
    command = [
        "taskset", "--cpu-list", str(core), sys.executable, "-m", "celery", "--app=webapp",
        "worker", "--queues=verdicts,results", "--concurrency=1", "--loglevel=INFO",
    ]  # fmt: skip
    program = Program("results", command, {**os.environ, "FIREBOX_LOG_LEVEL": "INFO"}, directory)
    program.start()
    try:
        program.await_log(" ready.", seconds=_SECONDS)
        yield program
    finally:
        program.kill()


class _Bench:
    """Sends reports to a worker, and measures what they cost."""

    def __init__(
        self, broker: RedisServer, worker: Program, server: int, evaluations: "list[Evaluation]"
    ) -> None:
        self._broker, self._worker, self._server = broker, worker, server
        self._evaluations = cycle(evaluations)
        self._idle_share = 0.0
        self._reported = dict.fromkeys((evaluation.pk for evaluation in evaluations), 0)
        self._cost(1, _EVALUATIONS)  # begins all evaluations, and loads modules
        self._idle_share = self._idle()

    def figures(self, size: int) -> dict[str, float]:
        """Return what a report of so many games costs, and how many a second one core records."""
        cost = self._cost(size, _REPORTS[size])
        return {
            "reports a second": 1 / cost.worker,
            "ms a report": cost.worker * 1000,
            "ms of PostgreSQL": cost.server * 1000,
        }

    def _cost(self, size: int, count: int) -> Cost:
        """Return what each of so many reports costs that wait when the worker begins."""
        from webapp.evaluations.models import GameResult

        reports = [
            self._report(evaluation, size) for evaluation in islice(self._evaluations, count)
        ]
        recorded = GameResult.objects.count()
        for pid in self._worker.pids():
            os.kill(pid, signal.SIGSTOP)
        self._send(reports)
        (worker, server), began = self._used(), time.monotonic()
        for pid in self._worker.pids():
            os.kill(pid, signal.SIGCONT)
        wait_until(self._is_idle, seconds=_SECONDS, why="the worker records nothing")
        worker_after, server_after = self._used()
        idle = self._idle_share * (time.monotonic() - began)
        if GameResult.objects.count() - recorded != size * count:
            raise AssertionError("not every game was recorded")
        return Cost((worker_after - worker - idle) / count, (server_after - server) / count)

    def _idle(self) -> float:
        """Return the part of a core that the worker uses without reports, for periodic tasks."""
        (before, _), began = self._used(), time.monotonic()
        time.sleep(_IDLE_SECONDS)
        return (self._used()[0] - before) / (time.monotonic() - began)

    def _report(self, evaluation: "Evaluation", size: int) -> str:
        first = self._reported[evaluation.pk]
        self._reported[evaluation.pk] += size
        return this_version.report_on(evaluation, first, size)

    def _send(self, reports: Sequence[str]) -> None:
        from webapp.celery import RESULTS_QUEUE, app

        with app.connection_for_write() as connection, Producer(connection) as producer:
            for report in reports:
                app.send_task(
                    "webapp.record_batch", [report], queue=RESULTS_QUEUE, producer=producer
                )

    def _is_idle(self) -> bool:
        with self._broker.client() as client:
            waiting = client.llen("verdicts") + client.llen("results")  # type: ignore[operator]  # stubs
            return not waiting and not client.zcard(this_version.UNACKNOWLEDGED)

    def _used(self) -> tuple[float, float]:
        """Return the processor seconds of the worker and of PostgreSQL so far."""
        processes, group = stats(), set(self._worker.pids())
        worker = sum(_seconds(stat) for pid, stat in processes.items() if pid in group)
        if not self._server:
            return worker, 0.0
        children = (stat for stat in processes.values() if int(stat[1]) == self._server)
        dead = _seconds(processes[self._server], of_dead_children=True)
        return worker, dead + sum(_seconds(stat) for stat in children)


def _seconds(stat: Sequence[str], *, of_dead_children: bool = False) -> float:
    first = 13 if of_dead_children else 11
    return (int(stat[first]) + int(stat[first + 1])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
