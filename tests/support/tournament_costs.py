"""``python -m tests.support.tournament_costs``: a whole tournament through queue and sandboxes.

The light agent enters as many times as is asked, each time as another agent. Tables of five play
20 games each on all cores, on SQLite. Prints the wall time from the request to the standings, with
the rate, and the processor time of everything of ours: runners, agents, supervisors, site. Docker's
own is not counted.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.bench.accounts import ContainerAccounts, process_seconds
from grader.bench.contenders import LIGHT
from grader.bench.machine import Machine
from tests.support.graded_costs import running_site
from tests.support.processes import wait_until

if TYPE_CHECKING:
    from tests.support.deployment import Deployment
    from tests.support.world import World
    from webapp.tournaments.models import Tournament

_SEATS: Final = 5
_GAMES_PER_TABLE: Final = 20
_SECONDS: Final = 3600.0
"""The longest that a tournament may take."""


def main() -> None:
    """Start a site and its workers, play one tournament, and print what it took."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.tournament_costs", description=__doc__
    )
    parser.add_argument("--agents", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=25, help="tables for each agent")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, running_site(Path(name), _SEATS) as site:
        deployment, world = site
        _enter(world, asked.agents)
        began = time.monotonic()
        tournament, processor = _play(deployment, world, asked.rounds)
        wall = time.monotonic() - began
    cores = sorted(os.sched_getaffinity(0))
    machine = Machine.now(cores, games=tournament.n_games, rounds=1)
    sys.stdout.write(f"{machine}\n{_summary(tournament, wall, processor)}\n")


def _enter(world: "World", agents: int) -> None:
    """Enrol as many students, each with an agent of its own, ready to play."""
    from tests.support import tournaments
    from webapp.submissions.models import Submission, SubmissionStatus

    for number in range(agents):
        user = tournaments.student(world.course, f"Student{number} Costs")
        tournaments.enter(world, user, LIGHT.read_bytes())
    assert Submission.objects.filter(status=SubmissionStatus.READY).count() == agents


def _play(deployment: "Deployment", world: "World", rounds: int) -> tuple["Tournament", float]:
    """Return the finished tournament and the seconds of processor time that it took."""
    from tests.support import tournaments
    from webapp.evaluations.models import Status

    pids = _pids(deployment)
    accounts = ContainerAccounts()
    before = process_seconds(pids) + accounts.look(pids)
    tournament = tournaments.start(
        world, sizes=(_SEATS,), rounds=rounds, games_per_table=_GAMES_PER_TABLE, references=()
    )

    def is_over() -> bool:
        tournament.refresh_from_db()
        return tournament.status == Status.FINISHED

    wait_until(is_over, seconds=_SECONDS, why="the tournament does not end")
    return tournament, process_seconds(pids) + accounts.look(pids) - before


def _pids(deployment: "Deployment") -> Sequence[int]:
    workers = deployment.games, deployment.results, deployment.smoke
    return [pid for worker in workers for pid in worker.pids()]


def _summary(tournament: "Tournament", wall: float, processor: float) -> str:
    tables = tournament.n_games / _GAMES_PER_TABLE
    return (
        f"{tournament.n_games} games at {tables:.0f} tables in {wall:.0f} s: "
        f"{tournament.n_games / wall:.1f} games a second, {wall / tables:.2f} s a table; "
        f"{processor:.0f} s of processor time, {processor / tables:.2f} a table"
    )


if __name__ == "__main__":
    main()
