"""``python -m tests.support.graded_costs``: 1000 games of the light agent by three ways.

By turns in every round: the bench's rate, with sandboxes open and the agent built before the clock
starts; ``firebox evaluate``, from the command to its end; and a graded evaluation, from the request
to the finished row, through queue, graders and the results worker, on SQLite. Prints wall time, and
processor time of everything of ours: runners, agents, supervisors, site. Docker's own is not
counted. Other programs on the machine change processor time little, and wall time much.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table

from grader.bench.accounts import ContainerAccounts, Taken, command_seconds, process_seconds
from grader.bench.contenders import LIGHT, Arrangement, light
from grader.bench.machine import Machine
from grader.bench.measure import measure
from grader.bench.words import spread
from grader.core.records import to_json
from tests.support.migrated import migrated_database
from tests.support.own_site import ROOT, site_settings
from tests.support.processes import wait_until
from tests.support.redis_server import RedisServer

if TYPE_CHECKING:
    from tests.support.deployment import Deployment
    from tests.support.world import World
    from webapp.submissions.models import Submission

_DATABASE: Final = "site.sqlite3"
_SEATS: Final = 2
_SECONDS: Final = 900.0
"""The longest that an evaluation may take."""


@dataclass(frozen=True, slots=True)
class Round:
    """The same games by three ways."""

    bench: Taken
    evaluate: Taken
    graded: Taken


def main() -> None:
    """Start a site and its workers, play by turns, and print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.graded_costs", description=__doc__
    )
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--output", type=Path, metavar="FILE", help="keep the figures as JSON")
    asked = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    machine = Machine.now(cores, games=asked.games, rounds=asked.rounds)
    with (
        tempfile.TemporaryDirectory() as name,
        running_site(Path(name), _SEATS) as (deployment, world),
    ):
        rounds = [
            Round(
                _bench(asked.games, cores),
                _evaluate(asked.games),
                _graded(deployment, world, number),
            )
            for number in range(asked.rounds)
            if _prepare(world, number, asked.games)
        ]
    console = Console(width=120)
    console.print(f"{machine}")
    console.print(_table(rounds, asked.games))
    if asked.output is not None:
        asked.output.parent.mkdir(parents=True, exist_ok=True)
        kept = {"machine": machine, "figures": rounds}
        asked.output.write_text(to_json(kept) + "\n", encoding="utf-8")


def _bench(games: int, cores: Sequence[int]) -> Taken:
    measured = measure(light(), Arrangement.SANDBOXED, _SEATS, games, cores)
    return Taken(measured.wall_seconds, measured.cpu_seconds)


def _evaluate(games: int) -> Taken:
    options = ("--players", str(_SEATS), "--games", str(games), "--json")
    return command_seconds(
        [sys.executable, "-m", "grader.cli", "evaluate", str(LIGHT), *options], ROOT
    )


@contextmanager
def running_site(directory: Path, players: int) -> "Iterator[tuple[Deployment, World]]":
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


def _prepare(world: "World", number: int, games: int) -> "Submission":
    """Have a new agent of Ada's tested and practised, so that nothing else is to be played."""
    from tests.support.world import upload
    from webapp.evaluations.models import Evaluation, Status
    from webapp.submissions.models import SubmissionStatus

    world.assignment.n_games = games
    world.assignment.save(update_fields=["n_games"])
    source = f"{LIGHT.read_text(encoding='utf-8')}\n# agent {number}\n".encode()
    submission = upload(world, world.ada, data=source)

    def is_idle() -> bool:
        submission.refresh_from_db()
        waiting = Evaluation.objects.filter(status__in=(Status.QUEUED, Status.PLAYING))
        return submission.status == SubmissionStatus.READY and not waiting.exists()

    wait_until(is_idle, seconds=_SECONDS, why="the upload is not ready")
    return submission


def _graded(deployment: "Deployment", world: "World", number: int) -> Taken:
    from tests.support.world import team_of
    from webapp.evaluations.models import Evaluation, Status
    from webapp.evaluations.services import grade_team

    workers = deployment.games, deployment.results, deployment.smoke
    pids = [pid for worker in workers for pid in worker.pids()]
    accounts = ContainerAccounts()
    before = process_seconds(pids) + accounts.look(pids)
    began = time.monotonic()
    evaluation = grade_team(team=team_of(world, world.ada), by=world.ida)
    over = Evaluation.objects.filter(pk=evaluation.pk, status=Status.FINISHED)
    wait_until(over.exists, seconds=_SECONDS, why="the graded evaluation does not end")
    wall = time.monotonic() - began
    return Taken(wall, process_seconds(pids) + accounts.look(pids) - before)


def _table(rounds: Sequence[Round], games: int) -> Table:
    title = f"{games} games of the light agent, {_SEATS} seats, by three ways"
    table = Table(title=title, title_justify="left")
    table.add_column("way", no_wrap=True)
    for heading in ("wall s", "to the bench's", "processor s", "to the bench's"):
        table.add_column(heading, justify="right")
    ways = {
        "bench, sandboxes open": [one.bench for one in rounds],
        "firebox evaluate": [one.evaluate for one in rounds],
        "graded, request to finished row": [one.graded for one in rounds],
    }
    reference = ways["bench, sandboxes open"]
    for name, taken in ways.items():
        pairs = list(zip(taken, reference, strict=True))
        table.add_row(
            name,
            spread([one.wall for one in taken], ".1f"),
            spread([one.wall / other.wall for one, other in pairs], ".2f"),
            spread([one.processor for one in taken], ".1f"),
            spread([one.processor / other.processor for one, other in pairs], ".2f"),
        )
    return table


if __name__ == "__main__":
    main()
