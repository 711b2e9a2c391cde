"""Real services for the tests that need them. One that is missing fails its tests: none skips."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import docker
import docker.errors
import hypothesis
import pytest
from hypothesis.strategies import text

from sandbox.errors import ImageMissing
from sandbox.images import ensure_image
from tests.support.append_only import *  # noqa: F403 - a fixture, by its __all__
from tests.support.depth import DEEP, deeper
from tests.support.fixtures import *  # noqa: F403 - fixtures, by their __all__
from tests.support.kept_builds import kept_builds
from tests.support.migrated import migrated_database
from tests.support.redis_server import RedisServer
from tests.support.site_redis import name_site
from tests.support.slots import BUILDS_VARIABLE, WORLDS_VARIABLE, bind_to_core

pytest_plugins = [
    "tests.support.budget",
    "tests.support.collecting",
    "tests.support.green",
    "tests.support.programs",
    "tests.support.verdicts",
]

# A test process has one core: more threads of numpy's would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Examples for each property; `make test-fast` asks for "fast". No time limits: a busy machine
# says nothing about the code.
hypothesis.settings.register_profile(
    "usual",
    max_examples=deeper(50, deep=500),
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile(
    "fast", parent=hypothesis.settings.get_profile("usual"), max_examples=15
)
hypothesis.settings.load_profile("usual")


def pytest_configure(config: pytest.Config) -> None:
    """Give each process of pytest-xdist's a core, and all of them one place for what they share."""
    worker: dict[str, str] | None = getattr(config, "workerinput", None)
    if worker is not None:
        bind_to_core(int(worker["workerid"].removeprefix("gw")))
        return
    shared = Path(tempfile.mkdtemp(prefix="firebox-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(shared))
    for variable, name in ((BUILDS_VARIABLE, "builds"), (WORLDS_VARIABLE, "worlds")):
        (shared / name).mkdir(mode=0o700)
        os.environ[variable] = str(shared / name)
    if not DEEP:
        os.environ[BUILDS_VARIABLE] = str(kept_builds())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests marked ``deep`` to ``make test-deep``; begin with those marked ``long``."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    if DEEP:
        return
    deep = {item for item in items if item.get_closest_marker("deep")}
    config.hook.pytest_deselected(items=list(deep))
    items[:] = [item for item in items if item not in deep]


@pytest.fixture(scope="session", autouse=True)
def _unicode_tables() -> None:
    """Have Hypothesis make its tables of characters, or read those of an earlier run.

    Otherwise the first test with a text takes 2 s in a fresh checkout.
    """
    text().validate()


@pytest.fixture(autouse=True)
def _named_site(request: pytest.FixtureRequest) -> None:
    """Give the site its name again, which goes with all rows after a test with transactions."""
    marker = request.node.get_closest_marker("django_db")
    transactions = {"transactional_db", "live_server"} & set(request.fixturenames)
    if transactions or (marker is not None and marker.kwargs.get("transaction")):
        request.getfixturevalue("transactional_db")
        name_site()


@pytest.fixture(scope="session")
def _redis_of_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    if shutil.which("redis-server") is None:
        pytest.fail("These tests need redis-server. Install it with: make install", pytrace=False)
    with RedisServer(tmp_path_factory.mktemp("redis")).running() as server:
        yield server


@pytest.fixture
def redis_server(_redis_of_session: RedisServer) -> RedisServer:
    """A real Redis of our own, empty; one per test session. A test may kill and restart it."""
    _redis_of_session.clear()
    return _redis_of_session


@pytest.fixture
def redis_url(redis_server: RedisServer, db: None) -> str:
    """The address of an empty, real Redis, to be used as broker by the site of the database."""
    return redis_server.url


@pytest.fixture(scope="session")
def docker_engine() -> Iterator[docker.DockerClient]:
    """A Docker engine that answers and has the sandbox image."""
    try:
        with closing(docker.from_env()) as client:
            client.ping()
            ensure_image()
            yield client
    except ImageMissing as error:
        pytest.fail(str(error), pytrace=False)
    except docker.errors.DockerException as error:
        message = f"Docker does not answer ({error}). Start it with: make services"
        pytest.fail(message, pytrace=False)


@pytest.fixture(scope="session")
def django_db_keepdb(*, django_db_use_migrations: bool) -> bool:
    """Return whether the test database is there before Django makes it: SQLite's, if migrated."""
    from django.db import connection

    return django_db_use_migrations and connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    tmp_path_factory: pytest.TempPathFactory,
    *,
    django_db_keepdb: bool,
) -> Iterator[None]:
    """A test database for each process of pytest's.

    With SQLite in a file: workers in other processes can open it too. The migrations have made it.
    """
    from django.db import connection

    if connection.vendor == "sqlite":
        file = tmp_path_factory.mktemp("database") / "test.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(file)
        if django_db_keepdb:
            shutil.copyfile(migrated_database(), file)
            connection.settings_dict["TEST"]["MIGRATE"] = False
    yield
    connection.close()
