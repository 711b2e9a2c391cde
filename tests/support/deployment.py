"""The programs of a whole deployment, beside the test's own process, which is the web server.

Everything is real: the broker, the results worker with its beat, both lanes of graders, Docker. The
test shares their database file and store, and talks to the site's services or to its live server.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.processes import Program

ROOT = Path(__file__).parents[2]


class Deployment:
    """Starts and ends the workers; a test may kill any of them in between."""

    def __init__(self, directory: Path, environment: Mapping[str, str]) -> None:
        """``environment`` holds the FIREBOX_* settings, DATABASE_URL and maybe DOCKER_HOST."""
        self._directory = directory
        self._environment = {**os.environ, **environment, "FIREBOX_VAR_DIR": str(directory)}
        self.results = self._worker("results", "webapp", "--queues=results", "--beat", "-c1")
        self.smoke = self._worker("smoke", "grader.tasks", "--queues=smoke", "-c1")
        self.games = self._worker("games", "grader.tasks", "--queues=graded,practice,audits", "-c2")

    def start(self) -> None:
        """Start all workers and wait until they are ready."""
        workers = (self.results, self.smoke, self.games)
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.await_log(" ready.")

    def stop(self) -> None:
        """End all workers."""
        for worker in (self.games, self.smoke, self.results):
            worker.stop()

    def _worker(self, name: str, app: str, *options: str) -> Program:
        command = [
            sys.executable, "-m", "celery", "--app", app, "worker", f"--hostname={name}@%h",
            "--loglevel=INFO", "--without-mingle", "--without-gossip", *options,
        ]  # fmt: skip
        environment = {**self._environment, "PYTHONPATH": str(ROOT)}
        return Program(name, command, environment, self._directory)
