"""A deployment to which bad things happen: what can be done to each part, and how it is undone."""

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

import redis
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from grader.broker.signing import Signer
from grader.broker.site_keys import SiteRedis
from grader.core.records import BatchPhase, BatchReport, to_json
from tests.chaos.planning import PROGRAMS
from tests.chaos.subjects import Subject
from tests.support.deployment import SeparateDeployment
from tests.support.docker_daemon import DockerDaemon
from tests.support.processes import Program, wait_until
from tests.support.redis_server import RedisServer
from tests.support.site_redis import site_redis
from tests.support.stepped_clock import SteppedClock
from webapp.base.celery import app
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.jobs.models import JobStatus
from webapp.grading.jobs.queues import Queue

_FILE_BYTES: Final = 4096
"""The size beyond which nothing of a full disk's programs can write."""


@dataclass(frozen=True, slots=True)
class SystemUnderTest:
    workers: SeparateDeployment
    broker: RedisServer
    docker: DockerDaemon
    database: Path
    clock: SteppedClock
    subject: Subject
    rng: random.Random

    def program(self, name: str) -> Program:
        program = getattr(self.workers, name)
        assert isinstance(program, Program)
        return program

    def client(self) -> SiteRedis:
        """A client for the site's keys that decodes nothing: messages are bytes."""
        return site_redis(self.broker.url, socket_timeout=2)

    def count(self, question: Callable[[redis.Redis], object]) -> int:
        """Ask the broker; 0 while it is away."""
        try:
            with self.client() as client:
                return int(question(client))  # type: ignore[call-overload,no-any-return]
        except redis.RedisError:
            return 0

    def reports(self) -> int:
        return self._of_subject(lambda c: c.lrange("verdicts", 0, -1) + c.lrange("results", 0, -1))

    def requests(self) -> int:
        """Count the subject's requests that graders have taken, and those that wait for one."""
        marks = self.subject.marks()
        of_subject = lambda text: any(mark in text for mark in marks)  # noqa: E731
        return sum(map(of_subject, self.graders_tasks())) + self.count(
            lambda c: sum(of_subject(text.decode()) for text in _requests(c))
        )

    def graders_tasks(self) -> list[str]:
        graders = (self.workers.games, self.workers.smoke, self.workers.live)
        return [task for grader in graders for task in grader.tasks()]

    def taken(self) -> int:
        """Count the tasks that results workers have taken, without those of the background."""
        messages = lambda c: c.hvals("results.unacked")  # noqa: E731
        return self.count(lambda c: sum(b'"background"' not in text for text in messages(c)))

    def _of_subject(self, messages: Callable[[redis.Redis], object]) -> int:
        task = self.subject.task.encode()
        return self.count(lambda c: sum(task in text for text in messages(c)))  # type: ignore[attr-defined]

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the database's one lock for writers."""
        connection = sqlite3.connect(self.database, isolation_level=None, timeout=30)
        with closing(connection):
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            finally:
                connection.execute("ROLLBACK")


def _requests(client: redis.Redis) -> list[bytes]:
    return [text for queue in Queue for text in client.lrange(queue, 0, -1)]  # type: ignore[union-attr]


Fault: TypeAlias = Callable[[SystemUnderTest], AbstractContextManager[None]]
"""Breaks something when it is entered, and mends it when it is left."""


def _kill(name: str) -> Fault:
    @contextmanager
    def fault(system: SystemUnderTest) -> Iterator[None]:
        system.program(name).kill()
        try:
            yield
        finally:
            system.workers.start()

    return fault


def _stop(name: str) -> Fault:
    return lambda system: stopped(system.program(name).pids)


@contextmanager
def stopped(pids: Callable[[], list[int]]) -> Iterator[None]:
    """SIGSTOP these processes, and SIGCONT those that are left."""
    these = pids()
    _signal_all(these, signal.SIGSTOP)
    try:
        yield
    finally:
        _signal_all(these, signal.SIGCONT)


def _signal_all(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _supervisors(system: SystemUnderTest) -> list[int]:
    """The first processes of all sandboxes."""
    docker = ["docker", "--host", system.docker.url]
    listed = subprocess.run([*docker, "ps", "-q"], capture_output=True, text=True, check=True)
    if not (containers := listed.stdout.split()):
        return []
    asked = [*docker, "inspect", "--format", "{{.State.Pid}}", *containers]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    return [int(pid) for pid in told.stdout.split() if int(pid) > 0]


def _await_sandbox(system: SystemUnderTest) -> None:
    wait_until(lambda: bool(_supervisors(system)), why="there is no sandbox")


@contextmanager
def _kill_supervisor(system: SystemUnderTest) -> Iterator[None]:
    _await_sandbox(system)
    _signal_all(_supervisors(system), signal.SIGKILL)
    yield


@contextmanager
def _stop_supervisor(system: SystemUnderTest) -> Iterator[None]:
    _await_sandbox(system)
    with stopped(lambda: _supervisors(system)):
        yield


@contextmanager
def _killed(server: RedisServer | DockerDaemon) -> Iterator[None]:
    server.kill()
    try:
        yield
    finally:
        server.start()


@contextmanager
def _lose_redis(system: SystemUnderTest) -> Iterator[None]:
    with _killed(system.broker):
        system.broker.forget()
        yield


@contextmanager
def _fill_database(system: SystemUnderTest) -> Iterator[None]:
    """Have no write of the results worker succeed, as on a disk without space."""
    pids = system.workers.results.pids()
    before = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in pids}
    for pid, (_, hard) in before.items():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (_FILE_BYTES, hard))
    try:
        yield
    finally:
        for pid, limits in before.items():
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


@contextmanager
def _step_clock(system: SystemUnderTest) -> Iterator[None]:
    """Set the clock of the site's worker ten minutes ahead or back, and then right again."""
    system.clock.step(system.rng.choice((-600, 600)))
    try:
        yield
    finally:
        system.clock.step(0)


@contextmanager
def _three_deaths(system: SystemUnderTest) -> Iterator[None]:
    """Kill the grader three times while it plays: each death loses a batch of the evaluation."""
    lost = system.subject.jobs().filter(status=JobStatus.FAILED)
    for death in range(1, 4):
        _await_sandbox(system)
        before = lost.count()
        system.workers.games.kill()
        wait_until(lambda n=before: lost.count() > n, why=f"death {death} lost nothing")  # type: ignore[misc]
        system.workers.start()
    yield


@contextmanager
def _shuffle_reports(system: SystemUnderTest) -> Iterator[None]:
    """Deliver each report twice, in another order, and half of them late."""
    with system.client() as client:
        reports = client.lrange("results", 0, -1)
        client.delete("results")
        doubled = [*reports, *reports]
        system.rng.shuffle(doubled)
        half = len(doubled) // 2
        for report in doubled[:half]:
            client.lpush("results", report)
    try:
        yield
    finally:
        with system.client() as client:
            for report in doubled[half:]:
                client.lpush("results", report)


@contextmanager
def _double_requests(system: SystemUnderTest) -> Iterator[None]:
    with system.client() as client:
        for request in client.lrange("graded", 0, -1):
            client.lpush("graded", request)
    yield


@contextmanager
def _lie(system: SystemUnderTest) -> Iterator[None]:
    """Report what never happened: by a stranger, with a wrong signature, of another's batch."""
    job = system.subject.jobs().select_related("evaluation").first()
    assert job is not None
    assert job.evaluation is not None
    owner = Signer.from_file(system.workers.key)
    stranger = Signer(Ed25519PrivateKey.generate())
    lie = BatchReport(
        evaluation=str(job.evaluation.uuid), batch=str(job.uuid), phase=BatchPhase.DONE,
        worker="a liar", request="0" * 64,
    )  # fmt: skip
    honest = owner.sign("webapp.record_batch", to_json(lie))
    played = next(iter(Evaluation.objects.filter(kind="smoke"))).results.first()
    assert played is not None
    assert played.played is not None
    record = replace(played.played.record, scores=(25, 25))
    impossible = replace(lie, results=(replace(played.played, record=record, index=0),))
    told = [
        stranger.sign("webapp.record_batch", to_json(lie)),
        replace(honest, signature="0" * 128),
        owner.sign("webapp.record_batch", to_json(lie)),
        owner.sign("webapp.record_batch", to_json(impossible)),
    ]
    for report in told:
        app.send_task("webapp.record_batch", [to_json(report)], queue="results")
    app.send_task("webapp.record_batch", [json.dumps("nonsense")], queue="results")
    yield


FAULTS: Final[Mapping[str, Fault]] = {
    **{f"kill {name}": _kill(name) for name in PROGRAMS},
    **{f"stop {name}": _stop(name) for name in PROGRAMS},
    "kill supervisor": _kill_supervisor,
    "stop supervisor": _stop_supervisor,
    "kill Redis": lambda system: _killed(system.broker),
    "stop Redis": lambda system: stopped(lambda: [system.broker.pid]),
    "lose Redis' data": _lose_redis,
    "kill dockerd": lambda system: _killed(system.docker),
    "stop dockerd": lambda system: stopped(system.docker.pids),
    "lock the database": lambda system: system.locked(),
    "fill the database": _fill_database,
    "step the clock": _step_clock,
    "three grader deaths": _three_deaths,
    "double and shuffle reports": _shuffle_reports,
    "double requests": _double_requests,
    "lie": _lie,
}
