"""A grader whose host does not confine agents: it plays nothing, and operators read why."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.support.careless_runtime import CarelessRuntime
from tests.support.deployment import Deployment
from tests.support.docker_daemon import DockerDaemon
from tests.support.pages import text_of
from tests.support.processes import Program, wait_until
from webapp.grading.operations.models import Grader
from webapp.people.accounts.models import User

pytestmark = [pytest.mark.docker, pytest.mark.redis, pytest.mark.slow]


@pytest.fixture
def careless(tmp_path: Path) -> CarelessRuntime:
    return CarelessRuntime(tmp_path)


@pytest.fixture(autouse=True)
def _plain_static_files(settings: Settings, tmp_path: Path) -> None:
    """By their own names, and none collected: pages are read here, not looked at."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


@pytest.fixture
def workers(
    docker_engine: object, careless: CarelessRuntime, environment: dict[str, str], tmp_path: Path
) -> Iterator[Deployment]:
    """A deployment whose graders start containers by a careless runtime. None of it runs yet."""
    daemon = DockerDaemon(tmp_path, runtimes={"crun": careless.path})
    deployment = Deployment(tmp_path, environment | daemon.settings | {"FIREBOX_RUNTIME": "crun"})
    daemon.start()
    try:
        daemon.load_image()
        yield deployment
    finally:
        deployment.stop()
        daemon.remove()


def operators_page() -> str:
    client = Client()
    operator, _ = User.objects.get_or_create(
        email="olaf@uni.example",
        defaults={"display_name": "Olaf", "is_superuser": True, "is_staff": True},
    )
    client.force_login(operator, backend="django.contrib.auth.backends.ModelBackend")
    response = client.get(reverse("operations:graders"))
    assert response.status_code == 200
    return text_of(response)


def facts_of(program: Program) -> list[tuple[str, str, str]]:
    """Umask, no_new_privs and limit of core files of a worker's processes."""
    facts = []
    for pid in program.pids():
        status = dict(
            line.split(":\t") for line in Path(f"/proc/{pid}/status").read_text().splitlines()
        )
        (core,) = (
            line.split()[5]
            for line in Path(f"/proc/{pid}/limits").read_text().splitlines()
            if line.startswith("Max core file size")
        )
        facts.append((status["Umask"].strip(), status["NoNewPrivs"].strip(), core))
    return facts


def variables_of(program: Program) -> set[str]:
    environments = [Path(f"/proc/{pid}/environ").read_text() for pid in program.pids()]
    return {line.split("=")[0] for one in environments for line in one.split("\0")}


def test_a_grader_on_a_host_that_does_not_confine_plays_nothing_and_the_page_says_why(
    workers: Deployment, careless: CarelessRuntime
) -> None:
    workers.admit()
    workers.results.start()
    careless.forget("seccomp")
    workers.games.start()
    with pytest.raises(AssertionError, match="checks failed; `firebox check` explains them"):
        workers.games.await_log(" ready.")
    wait_until(Grader.objects.exists, why="the site heard nothing of it")
    page = operators_page()
    assert "container.filtered-calls" in page
    assert "built with seccomp" in page

    careless.forget("nothing")
    workers.games.start()
    workers.games.await_log(" ready.")
    wait_until(lambda: Grader.objects.filter(is_healthy=True).exists(), why="it is still unfit")
    assert "container.filtered-calls" not in operators_page()


def test_every_process_of_a_grader_has_dropped_rights_it_does_not_need(
    deployment: Deployment,
) -> None:
    facts = facts_of(deployment.games)
    assert len(facts) == 3
    assert set(facts) == {("0077", "1", "0")}
    assert "DJANGO_SETTINGS_MODULE" not in variables_of(deployment.games)
    assert "a grader must not have these settings: DATABASE_URL, FIREBOX_SECRET_KEY" in (
        deployment.games.log
    )
