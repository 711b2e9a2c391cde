"""Power cuts during a graded evaluation: nothing is lost and nothing is counted twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import house
from tests.support import world
from tests.support.deployment import Deployment
from tests.support.depth import deeper
from tests.support.docker_daemon import DockerDaemon
from tests.support.processes import wait_until
from tests.support.redis_server import RedisServer
from webapp.grading.evaluations.models import Evaluation, GameResult, Status, Verdict
from webapp.grading.evaluations.services import grade_team

pytestmark = [pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]

GAMES = deeper(200, deep=1000)
FINISH_SECONDS = 240


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> dict[str, str]:
    """Settings of the graders' Docker engine: of their own where a test restarts it."""
    if "own_docker" not in request.fixturenames:
        return {}
    own_docker: DockerDaemon = request.getfixturevalue("own_docker")
    return own_docker.settings


@pytest.fixture
def workers(
    engine: dict[str, str], environment: dict[str, str], tmp_path: Path
) -> Iterator[Deployment]:
    """A deployment in which lost games are soon missed."""
    settings = {**engine, "FIREBOX_LEASE_SECONDS": "3"}
    deployment = Deployment(tmp_path, environment | settings)
    try:
        deployment.start()
        yield deployment
    finally:
        deployment.stop()


def graded_evaluation() -> Evaluation:
    """Ada's agent has passed its smoke test, and Ida has it graded."""
    people = world.make(games=GAMES, practice_games=4, audited_games=0)
    submission = world.upload(people, people.ada, filename="a.zip", data=house.bundle("iggi"))
    smoke = submission.evaluations.get()
    wait_until(lambda: is_finished(smoke), why="the smoke test did not finish")
    return grade_team(team=world.team_of(people, people.ada), by=people.ida)


def is_finished(evaluation: Evaluation) -> bool:
    evaluation.refresh_from_db()
    assert evaluation.status != Status.FAILED, evaluation.system_fault
    return bool(evaluation.status == Status.FINISHED)


def await_games(evaluation: Evaluation, count: int) -> None:
    def played() -> bool:
        return GameResult.objects.filter(evaluation=evaluation).count() >= count

    wait_until(played, seconds=120, why=f"fewer than {count} games were played")


def assert_every_game_counts_once(evaluation: Evaluation) -> None:
    wait_until(lambda: is_finished(evaluation), seconds=FINISH_SECONDS, why="it did not finish")
    indices = list(evaluation.results.order_by("index").values_list("index", flat=True))
    assert indices == list(range(GAMES))
    assert evaluation.verdict == Verdict.ACCEPTED
    assert evaluation.faults == 0


def test_an_evaluation_survives_the_death_of_workers(workers: Deployment) -> None:
    evaluation = graded_evaluation()
    await_games(evaluation, GAMES // 20)
    workers.games.kill()
    workers.games.start()

    await_games(evaluation, GAMES // 2)
    assert evaluation.results.count() < GAMES  # games are left to lose
    workers.results.kill()
    workers.results.start()
    assert_every_game_counts_once(evaluation)


def test_an_evaluation_survives_the_death_of_broker_and_docker(
    workers: Deployment, redis_server: RedisServer, own_docker: DockerDaemon
) -> None:
    evaluation = graded_evaluation()
    await_games(evaluation, GAMES // 20)
    redis_server.kill()
    redis_server.start()

    await_games(evaluation, GAMES // 4)
    assert evaluation.results.count() < GAMES  # games are left to lose
    own_docker.restart()
    assert_every_game_counts_once(evaluation)
