"""How many reports a results worker records a second.

Agents play a thousand games each. Their reports wait in Redis, and a real worker with one process
records them, on SQLite and on PostgreSQL. Reports are counted for each second of the worker's
processor time, which other programs on the machine change little; PostgreSQL's own is apart.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kombu import Producer

from grader.core.records import BatchPhase, BatchReport
from tests.bench.harness import Measurement
from tests.support.own_site import site_settings
from tests.support.processes import Program, stats, wait_until
from tests.support.redis_server import RedisServer
from tests.support.site_redis import site_redis

if TYPE_CHECKING:
    from webapp.grading.evaluations.models import Evaluation

_REPORTS: Final = {1: 240, 10: 96, 50: 24}
"""The reports of a round, by the games in each."""
_EVALUATIONS: Final = 24
"""They are played at a time: the reports are of one after the other."""
_IDLE_SECONDS: Final = 10.0
"""The time for which an idle worker is watched: its periodic tasks are subtracted."""
_SECONDS: Final = 600.0
"""The longest that a round may take."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor time of a report, in seconds."""

    worker: float
    server: float
    """PostgreSQL's; 0 with SQLite, which works in the worker."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"])


def measurements(asked: argparse.Namespace) -> Iterator[Measurement]:
    """Yield one for each database and each size of a report."""
    with tempfile.TemporaryDirectory() as name, RedisServer(Path(name)).running() as broker:
        os.environ |= site_settings(Path(name), broker.url, log_level="ERROR")
        import django

        django.setup()
        for database in asked.databases:
            with _database(database) as server:
                evaluations = _prepare()
                with _worker(Path(name)) as worker:
                    bench = _Bench(broker, worker, server, evaluations)
                    for size in _REPORTS:
                        take = partial(bench.figures, size)
                        yield Measurement(f"{database}, {size} games a report", take, asked.rounds)
            broker.clear()


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
    from tests.support.graders import GRADER_KEY
    from webapp.grading.evaluations.models import Kind
    from webapp.grading.graders.services import admit_key

    call_command("migrate", verbosity=0)
    crowd = make_crowd(teams=_EVALUATIONS, submissions=1, graded=False)
    admit_key(public_key=GRADER_KEY, name="bench", at=timezone.now())
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
        from webapp.grading.evaluations.models import GameResult

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
        (before, _), began = self._used(), time.monotonic()
        time.sleep(_IDLE_SECONDS)
        return (self._used()[0] - before) / (time.monotonic() - began)

    def _report(self, evaluation: "Evaluation", size: int) -> str:
        first = self._reported[evaluation.pk]
        self._reported[evaluation.pk] += size
        return _report_on(evaluation, range(first, first + size))

    def _send(self, reports: Sequence[str]) -> None:
        from webapp.base.celery import RESULTS_QUEUE, app

        with app.connection_for_write() as connection, Producer(connection) as producer:
            for report in reports:
                app.send_task(
                    "webapp.record_batch", [report], queue=RESULTS_QUEUE, producer=producer
                )

    def _is_idle(self) -> bool:
        with site_redis(self._broker.url) as client:
            waiting = client.llen("verdicts") + client.llen("results")  # type: ignore[operator]  # stubs
            return not waiting and not self._worker.tasks()

    def _used(self) -> tuple[float, float]:
        """Return the processor seconds of the worker and of PostgreSQL so far."""
        processes, group = stats(), set(self._worker.pids())
        worker = sum(_seconds(stat) for pid, stat in processes.items() if pid in group)
        if not self._server:
            return worker, 0.0
        children = (stat for stat in processes.values() if int(stat[1]) == self._server)
        dead = _seconds(processes[self._server], of_dead_children=True)
        return worker, dead + sum(_seconds(stat) for stat in children)


def _report_on(evaluation: "Evaluation", games: range) -> str:
    """Return a grader's report of these games."""
    from tests.support.graders import signed
    from tests.support.jobs import request_of
    from tests.support.world import game_result

    job = evaluation.jobs.get()
    report = BatchReport(
        evaluation=str(evaluation.uuid),
        batch=str(job.uuid),
        phase=BatchPhase.PLAYING,
        results=tuple(game_result(evaluation, index, "iggi", ()) for index in games),
        worker="bench",
        request=request_of(job).digest(),
    )
    return signed(report, "record_batch")


def _seconds(stat: Sequence[str], *, of_dead_children: bool = False) -> float:
    first = 13 if of_dead_children else 11
    return (int(stat[first]) + int(stat[first + 1])) / os.sysconf("SC_CLK_TCK")
