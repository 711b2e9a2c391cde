"""A worker takes work only while the checks of its host pass."""

import json
import subprocess
import sys
import threading
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from celery.exceptions import Reject

from grader.broker.signing import open_report
from grader.broker.transport import dismiss
from grader.core.health import GraderReport
from grader.core.records import from_json
from grader.worker.guard import Checks, Guard
from grader.worker.node import is_scaled_from_environment
from sandbox.check import HostCheck
from sandbox.errors import HostError
from sandbox.images import image_reference
from tests.support.deployment import ROOT
from tests.support.docker_daemon import DockerDaemon
from tests.support.graders import let_work
from tests.support.processes import PATIENCE_SECONDS, Program, wait_until, without_site
from tests.support.redis_server import RedisServer
from tests.support.site_redis import site_redis
from webapp.base.celery import app
from webapp.grading.jobs.broker import waiting

GOOD = HostCheck(name="a", tried="it", expected="yes", happened="yes", ok=True, fix="nothing")
BAD = replace(GOOD, name="b", happened="no", ok=False)


class Watched:
    """A guard, and what it has others do."""

    def __init__(self, outcomes: Sequence[Sequence[HostCheck]]) -> None:
        """One outcome for each check that it will make."""
        self.settled: list[bool] = []
        self.told: list[Checks] = []
        left = iter(outcomes)
        self.guard = Guard(
            on_change=self.settled.append,
            on_report=lambda checks, _: self.told.append(checks),
            check=lambda: next(left),
        )


def test_each_check_decides_and_is_reported() -> None:
    watched = Watched([[GOOD], [GOOD, BAD], [GOOD]])
    assert not watched.guard.takes_work
    states = []
    for _ in range(3):
        watched.guard.examine()
        states.append(watched.guard.takes_work)
    assert states == watched.settled == [True, False, True]
    assert watched.told == [[GOOD], [GOOD, BAD], [GOOD]]


def test_a_docker_that_went_while_it_was_checked_is_not_trusted() -> None:
    def check() -> Checks:
        guard.suspend()
        return [GOOD]

    guard = Guard(on_change=lambda _: None, on_report=lambda *_: None, check=check)
    guard.examine()
    assert not guard.takes_work


def test_a_docker_that_does_not_answer_any_more_is_checked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def examined(checks: Checks, _: datetime) -> None:
        told.append(checks)
        guard.end()

    def hang(seconds: float) -> None:
        raise HostError("Docker does not answer")

    told: list[Checks] = []
    monkeypatch.setenv("FIREBOX_ALIVE_FILE", str(tmp_path / "alive"))
    monkeypatch.setattr("grader.worker.guard.RETRY_SECONDS", 0.01)
    monkeypatch.setattr("grader.worker.guard.await_engine", hang)
    guard = Guard(on_change=lambda _: None, on_report=examined, check=lambda: [BAD])
    guard._fit.value = True
    guard._watch()
    assert not guard.takes_work
    assert told == [[BAD]]


@pytest.mark.slow
def test_a_guard_whose_watching_fails_takes_no_work_until_a_check_has_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIREBOX_ALIVE_FILE", str(tmp_path / "alive"))
    examined = threading.Event()

    def check() -> Checks:
        examined.set()
        return [GOOD]

    def fail() -> None:
        raise ConnectionError("the broker is gone")

    settled: list[bool] = []
    guard = Guard(on_change=settled.append, on_report=lambda *_: None, check=check)
    guard._fit.value = True
    guard._recheck.set()
    guard._await_engine = fail  # type: ignore[method-assign]
    watching = threading.Thread(target=guard._keep, args=(guard._watch,), daemon=True)
    watching.start()
    wait_until(lambda: not guard.takes_work, why="work is still taken")
    guard._await_engine = lambda: None  # type: ignore[method-assign]
    assert examined.wait(PATIENCE_SECONDS)
    wait_until(lambda: guard.takes_work, why="no work is taken again")
    guard.end()
    watching.join(PATIENCE_SECONDS)
    assert not watching.is_alive()
    assert settled[0] is False
    assert settled[-1] is True
    assert tmp_path.joinpath("alive").exists()


# --- A real worker, with a Docker of its own ------------------------------------------------------


class Worker(Program):
    """A grader of one lane; its messages to the site stay in the queue for the test."""

    def __init__(self, directory: Path, daemon: DockerDaemon, broker: RedisServer) -> None:
        self._broker = broker
        self.key_file = directory / "grader.key"
        command = [
            sys.executable, "-m", "celery", "--app", "grader.worker.tasks", "worker",
            "--queues=smoke", "--hostname=smoke@here", "--concurrency=1", "--loglevel=INFO",
            "--without-mingle", "--without-gossip",
        ]  # fmt: skip
        environment = {
            **without_site(),
            **daemon.settings,
            "FIREBOX_BROKER_URL": broker.url,
            "FIREBOX_STORE_URL": str(directory / "store"),
            "FIREBOX_GRADER_KEY": str(self.key_file),
            "FIREBOX_SCALED": "true",
            "PYTHONPATH": str(ROOT),
        }
        super().__init__("worker", command, environment, directory)

    def has_told(self) -> bool:
        """Return whether it has sent a report on itself."""
        with site_redis(self._broker.url) as client:
            return bool(client.llen("verdicts"))

    def told(self) -> GraderReport:
        with site_redis(self._broker.url) as client:
            message = json.loads(client.lrange("verdicts", 0, 0)[0])
        assert message["headers"]["task"] == "webapp.record_grader"
        (text,), _, _ = json.loads(b64decode(message["body"]))
        return from_json(open_report(text, "webapp.record_grader").text, GraderReport)

    def waiting(self) -> int:
        with site_redis(self._broker.url) as client:
            return int(client.llen("smoke"))


@pytest.fixture
def worker(
    own_docker: DockerDaemon,
    redis_server: RedisServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    db: None,
) -> Iterator[Worker]:
    monkeypatch.setattr(app.conf, "broker_url", redis_server.url)
    assert waiting("smoke") == 0  # Redis is the site's from now on
    program = Worker(tmp_path, own_docker, redis_server)
    yield program
    program.stop()


def docker(daemon: DockerDaemon, *arguments: str) -> None:
    command = ["docker", "--host", daemon.url, *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


@pytest.mark.docker
@pytest.mark.redis
@pytest.mark.slow
def test_a_worker_ceases_to_take_work_while_a_check_fails_and_recovers(
    worker: Worker, own_docker: DockerDaemon, redis_server: RedisServer
) -> None:
    let_work(worker.key_file, redis_server.url)
    worker.start()
    worker.await_log(" ready.")
    wait_until(worker.has_told, why="the site was not told")
    assert worker.told().is_healthy
    docker(own_docker, "image", "rm", image_reference())
    own_docker.restart()
    worker.await_log("no more work is taken")
    wait_until(lambda: not worker.told().is_healthy, why="the site was not told")
    first = worker.told()
    assert [check.name for check in first.failed] == ["host.image"]

    app.send_task("grader.play_batch", args=["unreadable"], queue="smoke")
    own_docker.restart()  # which has it look again at once
    wait_until(lambda: worker.told().checked_at > first.checked_at, why="it looked only once")
    assert worker.waiting() == 1

    own_docker.load_image()
    wait_until(lambda: worker.waiting() == 0, why="it did not go on")
    wait_until(lambda: worker.told().is_healthy, why="the site was not told")
    worker.await_log("not a valid BatchRequest")


@pytest.mark.docker
@pytest.mark.redis
@pytest.mark.slow
def test_a_worker_takes_work_from_when_it_is_admitted_until_it_is_dismissed_and_says_goodbye(
    worker: Worker, redis_server: RedisServer
) -> None:
    worker.start()
    worker.await_log("no work until an operator has admitted this grader")
    worker.await_log("Canceling queue smoke")
    wait_until(worker.has_told, why="the site was not told")
    assert worker.told().is_healthy
    app.send_task("grader.play_batch", args=["unreadable"], queue="smoke")
    wait_until(lambda: worker.waiting() == 1, why="it was not given back")
    key = let_work(worker.key_file, redis_server.url)
    wait_until(lambda: worker.waiting() == 0, why="it takes no work")
    worker.await_log("not a valid BatchRequest")
    refused = worker.log.count("not a valid BatchRequest")
    with site_redis(redis_server.url) as client:
        dismiss(client, key)
    wait_until(lambda: worker.log.count("Canceling queue smoke") == 2, why="it goes on")
    app.send_task("grader.play_batch", args=["another"], queue="smoke")
    wait_until(lambda: worker.waiting() == 1, why="it was not given back")
    assert worker.log.count("not a valid BatchRequest") == refused
    assert not worker.told().is_leaving
    worker.stop()
    assert worker.told().is_leaving


@pytest.mark.docker
@pytest.mark.redis
@pytest.mark.slow
def test_a_worker_does_not_start_where_a_check_fails_and_says_so(
    worker: Worker, own_docker: DockerDaemon
) -> None:
    docker(own_docker, "image", "rm", image_reference())
    worker.start()
    with pytest.raises(AssertionError, match="checks failed; `firebox check` explains them"):
        worker.await_log(" ready.")
    report = worker.told()
    assert [check.name for check in report.failed] == ["host.image"]
    assert "make images" in report.failed[0].fix
    assert (report.name, report.queues, report.slots) == ("smoke@here", ("smoke",), 1)


@pytest.mark.parametrize(("text", "scaled"), [("", False), ("true", True), ("1", True)])
def test_a_setting_says_whether_workers_come_and_go(
    text: str, *, scaled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIREBOX_SCALED", text)
    assert is_scaled_from_environment() is scaled
    monkeypatch.setenv("FIREBOX_SCALED", "perhaps")
    with pytest.raises(ValueError, match="FIREBOX_SCALED=perhaps: it is true or false"):
        is_scaled_from_environment()


def test_prefetched_jobs_go_back_to_their_queue() -> None:
    from grader.worker import tasks

    for task in (tasks.play_batch, tasks.audit_games):
        with pytest.raises(Reject) as refusal:
            task("{}")
        assert refusal.value.requeue
