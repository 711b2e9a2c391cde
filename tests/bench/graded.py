"""Games of the light agent by three ways: sandboxes alone, ``firebox evaluate``, and graded.

Graded is from the request to the finished row, through queue, graders and results worker, on
SQLite; with ``--agents``, a whole tournament too, at tables of five with 20 games each. Processor
time is of runners, agents, supervisors and site. Docker's own is not counted.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.accounts import ContainerAccounts, command_seconds, process_seconds
from tests.bench.harness import Measurement
from tests.bench.playing import LIGHT, play
from tests.support.migrated import migrated_database
from tests.support.own_site import ROOT, site_settings
from tests.support.processes import wait_until
from tests.support.redis_server import RedisServer

if TYPE_CHECKING:
    from tests.support.deployment import Deployment
    from tests.support.world import World

_DATABASE: Final = "site.sqlite3"
_SEATS, _TABLE_SEATS, _TABLE_GAMES = 2, 5, 20
_SECONDS: Final = 3600.0
"""The longest that an evaluation or a tournament may take."""
Figures = dict[str, float]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--agents", type=int, default=0, help="in a tournament (0: none)")
    parser.add_argument("--tables", type=int, default=25, help="of each agent in it (25)")


def measurements(asked: argparse.Namespace) -> Iterator[Measurement]:
    """Yield the ways; the last needs a site with its workers."""
    cores = sorted(os.sched_getaffinity(0))

    def sandboxes() -> Figures:
        played = play(_SEATS, asked.games, cores, sandboxed=True)
        return {"wall s": played.ended - played.began, "CPU s": played.cpu_seconds}

    def evaluate() -> Figures:
        options = ("--players", str(_SEATS), "--games", str(asked.games), "--json")
        command = [sys.executable, "-m", "grader.cli", "evaluate", str(LIGHT), *options]
        return _figures(*command_seconds(command, ROOT))

    yield Measurement("sandboxes open, agent built", sandboxes, asked.rounds)
    yield Measurement("firebox evaluate", evaluate, asked.rounds)
    seats = _TABLE_SEATS if asked.agents else _SEATS
    with tempfile.TemporaryDirectory() as name, _running_site(Path(name), seats) as site:
        if asked.agents:
            _enter(site[1], asked.agents)
            tournament = partial(_tournament, *site, asked.tables)
            yield Measurement(f"tournament of {asked.agents}", tournament)
            return
        graded = partial(_graded, *site, count(), asked.games)
        yield Measurement("graded", graded, asked.rounds)


def _figures(wall: float, processor: float) -> Figures:
    return {"wall s": wall, "CPU s": processor}


@contextmanager
def _running_site(directory: Path, players: int) -> "Iterator[tuple[Deployment, World]]":
    """A site with its database, its workers, and a course whose games have ``players`` players."""
    with ExitStack() as stack:
        broker = stack.enter_context(RedisServer(directory).running())
        os.environ |= site_settings(directory, broker.url, log_level="WARNING")
        os.environ["DATABASE_URL"] = f"sqlite:///{directory / _DATABASE}"
        os.environ["FIREBOX_TEST_BUILDS"] = str(directory / "builds")
        shutil.copyfile(migrated_database(), directory / _DATABASE)
        import django

        django.setup()
        from tests.support import world
        from tests.support.deployment import Deployment

        options = {"variant": "standard", "players": players}
        people = world.make(games=1, practice_games=1, audited_games=0, options=options)
        deployment = Deployment(directory, {**os.environ, "FIREBOX_LOG_LEVEL": "INFO"})
        stack.callback(deployment.stop)
        deployment.start()
        yield deployment, people


def _graded(
    deployment: "Deployment", world: "World", numbers: Iterator[int], games: int
) -> Figures:
    """Have a new agent of Ada's tested and practised, so that nothing else is played; grade it."""
    from tests.support.world import team_of, upload
    from webapp.grading.evaluations.models import Evaluation, Status
    from webapp.grading.evaluations.services import grade_team
    from webapp.grading.submissions.models import SubmissionStatus

    world.assignment.n_games = games
    world.assignment.save(update_fields=["n_games"])
    source = f"{LIGHT.read_text(encoding='utf-8')}\n# agent {next(numbers)}\n".encode()
    submission = upload(world, world.ada, data=source)

    def is_idle() -> bool:
        submission.refresh_from_db()
        waiting = Evaluation.objects.filter(status__in=(Status.QUEUED, Status.PLAYING))
        return submission.status == SubmissionStatus.READY and not waiting.exists()

    def request() -> Callable[[], bool]:
        evaluation = grade_team(team=team_of(world, world.ada), by=world.ida)
        return Evaluation.objects.filter(pk=evaluation.pk, status=Status.FINISHED).exists

    wait_until(is_idle, seconds=_SECONDS, why="the upload is not ready")
    return _accounted(deployment, request)


def _enter(world: "World", agents: int) -> None:
    from tests.support import tournaments
    from webapp.grading.submissions.models import Submission, SubmissionStatus

    for number in range(agents):
        user = tournaments.student(world.course, f"Student{number} Costs")
        tournaments.enter(world, user, LIGHT.read_bytes())
    assert Submission.objects.filter(status=SubmissionStatus.READY).count() == agents


def _tournament(deployment: "Deployment", world: "World", tables: int) -> Figures:
    from tests.support import tournaments
    from webapp.grading.evaluations.models import Status

    def request() -> Callable[[], bool]:
        tournament = tournaments.start(
            world, sizes=(_TABLE_SEATS,), rounds=tables, games_per_table=_TABLE_GAMES, references=()
        )

        def is_over() -> bool:
            tournament.refresh_from_db()
            return tournament.status == Status.FINISHED

        return is_over

    return _accounted(deployment, request)


def _accounted(deployment: "Deployment", request: Callable[[], Callable[[], bool]]) -> Figures:
    workers = deployment.games, deployment.results, deployment.smoke
    pids = [pid for worker in workers for pid in worker.pids()]
    accounts = ContainerAccounts()
    before, began = process_seconds(pids) + accounts.look(pids), time.monotonic()
    wait_until(request(), seconds=_SECONDS, why="the games do not end")
    wall = time.monotonic() - began
    return _figures(wall, process_seconds(pids) + accounts.look(pids) - before)
