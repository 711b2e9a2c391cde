"""The programs of a whole deployment, beside the test's own process, which is the web server.

Everything is real: the broker, the results worker with its clock, both lanes of graders, Docker.
The test shares their database file and store, and talks to the site's services or to its live
server. `SeparateDeployment` has a process for each part, as a large site has.
"""

import os
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import redis
from django.utils import timezone

from grader.broker.site_keys import SiteRedis
from tests.support.graders import let_work
from tests.support.processes import START_SECONDS, Program, free_port, wait_until, without_site
from tests.support.redis_server import RedisServer
from tests.support.site_redis import site_redis
from tests.support.slots import BUILDS_VARIABLE
from webapp.base.celery import SITE_QUEUES
from webapp.grading.graders.services import admit_key
from webapp.grading.jobs.queues import Queue

ROOT = Path(__file__).parents[2]
_IDLE_SECONDS = 3.0
"""How long graders that a test leaves may take to end what they do, before they are killed."""


class Deployment:
    """Starts and ends the workers; a test may kill any of them in between."""

    queues: Mapping[str, str] = MappingProxyType(
        {"results": "verdicts,results,background", "smoke": "smoke,live"}
    )
    """The queues of two workers, each of which a large site splits into two."""

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
            "results", "webapp", f"--queues={self.queues['results']}", "-c1", **of_results
        )
        self.smoke = self._worker(
            "smoke", "grader.worker.tasks", f"--queues={self.queues['smoke']}", "-c1"
        )
        self.games = self._worker(
            "games", "grader.worker.tasks", "--queues=smoke,graded,practice,audits,ladder", "-c2"
        )

    @property
    def workers(self) -> tuple[Program, ...]:
        return self.results, self.smoke, self.games

    def start(self) -> None:
        """Start the workers that do not run, and wait until all are ready."""
        self.admit()
        workers = [worker for worker in self.workers if not worker.is_running]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.await_log(" ready.")

    def admit(self) -> None:
        """Have the site believe the graders, and the graders know it."""
        key = let_work(self.key, self._environment["FIREBOX_BROKER_URL"])
        admit_key(public_key=key, name="tests", at=timezone.now())

    def stop(self) -> None:
        for worker in reversed(self.workers):
            worker.stop()

    def _worker(self, name: str, app: str, *options: str, **environment: str) -> Program:
        command = [
            sys.executable, "-m", "celery", "--app", app, "worker", f"--hostname={name}@%h",
            "--loglevel=INFO", "--without-mingle", "--without-gossip", *options,
        ]  # fmt: skip
        # Games of packages that the test's own process has are the graders' as well.
        path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**self._environment, **environment, "PYTHONPATH": path}
        return Program(name, command, environment, self._directory)


class SeparateDeployment(Deployment):
    """A deployment with workers of its own for live games and the background, and a web server."""

    queues = MappingProxyType({"results": "verdicts,results", "smoke": "smoke"})

    def __init__(
        self,
        directory: Path,
        environment: Mapping[str, str],
        *,
        of_results: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Take the arguments of a `Deployment`."""
        super().__init__(directory, environment, of_results=of_results)
        self.live = self._worker("live", "grader.worker.tasks", "--queues=live", "-c1")
        self.background = self._worker("background", "webapp", "--queues=background", "-c1")
        self._bind = f"127.0.0.1:{free_port()}"
        serve = [sys.executable, "-m", "webapp.serve", f"--bind={self._bind}", "--processes=2"]
        self.web = Program("web", serve, self._of_web(), directory)

    @property
    def workers(self) -> tuple[Program, ...]:
        return *super().workers, self.live, self.background

    def start(self) -> None:
        """Start the workers and the web server, and wait until all are ready."""
        if not self.web.is_running:
            self.web.start()
        super().start()
        try:
            wait_until(self.web_answers, seconds=START_SECONDS, why="the web server is silent")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.web.log[-4000:]}") from error

    def stop(self) -> None:
        self.web.stop()
        super().stop()

    def web_answers(self) -> bool:
        """Return whether the web server answers a request for its figures within 5 s."""
        try:
            with urllib.request.urlopen(f"http://{self._bind}/metrics", timeout=5) as answer:
                return b"firebox_sign_age_seconds" in answer.read()
        except OSError:
            return False

    def _of_web(self) -> dict[str, str]:
        return {
            **self._environment,
            "DJANGO_SETTINGS_MODULE": "webapp.settings",
            "FIREBOX_METRICS_NETWORKS": "127.0.0.0/8",
            "FIREBOX_SECRET_KEY": "0" * 50,  # nobody signs in
            "FIREBOX_SITE_URL": f"http://{self._bind}",
            "PYTHONPATH": str(ROOT),
        }


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
        assert self._deployment is not None
        with self._site_keys() as client:
            waiting = sum(client.llen(queue) for queue in Queue)
        graders = (self._deployment.games, self._deployment.smoke)
        return not waiting and not any(grader.tasks() for grader in graders)

    def _forget_reports(self) -> None:
        """Take back what the results worker had taken, and what nobody is there to read."""
        with redis.Redis(port=self._broker.port, decode_responses=True) as client:
            taken = list(client.scan_iter("site-*:results.*"))  # what Celery and holds keep
            client.delete("-", *taken)
        with self._site_keys() as client:
            client.delete(*SITE_QUEUES)

    def _site_keys(self) -> SiteRedis:
        return site_redis(self._broker.url, decode_responses=True)
