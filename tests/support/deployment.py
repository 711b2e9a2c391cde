"""The programs of a whole deployment, beside the test's own process, which is the web server.

Everything is real: the broker, the results worker with its clock, both lanes of graders, Docker.
The test shares their database file and store, and talks to the site's services or to its live
server.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import redis
from django.utils import timezone

from tests.support.graders import let_work
from tests.support.processes import Program, wait_until, without_site
from tests.support.redis_server import RedisServer
from tests.support.slots import BUILDS_VARIABLE
from webapp.celery import SITE_QUEUES
from webapp.graders.services import admit_key

__all__ = ["Deployment", "KeptGraders"]

ROOT = Path(__file__).parents[2]
_IDLE_SECONDS = 3.0
"""How long graders that a test leaves may take to end what they do, before they are killed."""


class Deployment:
    """Starts and ends the workers; a test may kill any of them in between."""

    def __init__(
        self,
        directory: Path,
        environment: Mapping[str, str],
        *,
        of_results: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """``environment`` holds the FIREBOX_* settings, DATABASE_URL and maybe DOCKER_HOST.

        ``of_results`` is that of the results worker alone.
        """
        self._directory = directory
        self._environment = {
            **without_site(),
            **environment,
            "FIREBOX_VAR_DIR": str(directory),
            "FIREBOX_BUILD_CACHE": os.environ[BUILDS_VARIABLE],
        }
        self.key = directory / "grader.key"
        self._environment["FIREBOX_GRADER_KEY"] = str(self.key)
        self.results = self._worker(
            "results", "webapp", "--queues=verdicts,results,background", "-c1", **of_results
        )
        self.smoke = self._worker("smoke", "grader.worker.tasks", "--queues=smoke,live", "-c1")
        self.games = self._worker(
            "games", "grader.worker.tasks", "--queues=smoke,graded,practice,audits,ladder", "-c2"
        )

    def start(self) -> None:
        """Start the workers that do not run, and wait until all are ready."""
        self.admit()
        workers = [
            worker for worker in (self.results, self.smoke, self.games) if not worker.is_running
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.await_log(" ready.")

    def admit(self) -> None:
        """Have the site believe the graders, and the graders know it."""
        key = let_work(self.key, self._environment["FIREBOX_BROKER_URL"])
        admit_key(public_key=key, name="tests", at=timezone.now())

    def stop(self) -> None:
        """End all workers."""
        for worker in (self.games, self.smoke, self.results):
            worker.stop()

    def _worker(self, name: str, app: str, *options: str, **environment: str) -> Program:
        command = [
            sys.executable, "-m", "celery", "--app", app, "worker", f"--hostname={name}@%h",
            "--loglevel=INFO", "--without-mingle", "--without-gossip", *options,
        ]  # fmt: skip
        environment = {**self._environment, **environment, "PYTHONPATH": str(ROOT)}
        return Program(name, command, environment, self._directory)


class KeptGraders:
    """A broker, a store and graders that serve one test after another of this process.

    Starting graders takes longer than what most tests have them play. They hold no database, so
    that one test's rows are nothing to them. Ones that are still busy when a test ends are killed,
    and the next test begins with new ones.
    """

    def __init__(self, directory: Path) -> None:
        """Start a broker; no grader runs yet."""
        self.store = directory / "store"
        self._broker = RedisServer(directory)
        self._broker.start()
        self._deployment: Deployment | None = None
        self._directory = directory

    @property
    def broker_url(self) -> str:
        """The address of the broker."""
        return self._broker.url

    def deployment(self, environment: Mapping[str, str]) -> Deployment:
        """All workers, ready, by settings that are always the same."""
        if self._deployment is None:
            self._deployment = Deployment(self._directory, environment)
        self._forget_reports()
        self._deployment.start()
        return self._deployment

    def leave(self) -> None:
        """End the results worker, and whatever the test had graders do."""
        if self._deployment is None:
            return
        self._deployment.results.kill()  # to end by itself takes it seconds
        self._forget_reports()
        try:
            wait_until(self._is_idle, seconds=_IDLE_SECONDS, why="graders are busy")
        except AssertionError:
            self._deployment.games.kill()
            self._deployment.smoke.kill()
            self._broker.clear()

    def remove(self) -> None:
        """End everything for good; no grader is busy."""
        if self._deployment is not None:
            self._deployment.games.kill()
            self._deployment.smoke.kill()
        self._broker.kill()

    def _is_idle(self) -> bool:
        """Return whether no work waits and no grader is busy."""
        with redis.Redis(port=self._broker.port, decode_responses=True) as client:
            keys = set(client.scan_iter())
        kept = ("_kombu.binding", "firebox.", *SITE_QUEUES)
        return {key for key in keys if not key.startswith(kept)} <= {"graders.unacked_mutex"}

    def _forget_reports(self) -> None:
        """Take back what the results worker had taken, and what nobody is there to read."""
        with redis.Redis(port=self._broker.port, decode_responses=True) as client:
            taken = client.scan_iter("results.*")  # what Celery and holds keep
            client.delete(*SITE_QUEUES, *taken)
