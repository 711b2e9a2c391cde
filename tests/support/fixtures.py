"""Fixtures of real deployments: Redis, Celery workers, Docker sandboxes. Known to all tests."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker, Settings

from grader.audit import rule
from grader.play import slot
from sandbox.container import open_container
from sandbox.plain import open_plain
from tests.support.deployment import Deployment, KeptGraders
from tests.support.docker_daemon import DockerDaemon, running_docker
from tests.support.migrated import migrated_postgres
from tests.support.postgres_server import PostgresServer, as_default_database
from tests.support.redis_server import RedisServer
from tests.support.slots import on_every_core
from tests.support.warm_sandboxes import WarmSandboxes
from webapp.base.celery import app

__all__ = [
    "QUICK_HASHERS",
    "deployment",
    "environment",
    "every_core",
    "kept_graders",
    "own_docker",
    "scipy",
    "short_pauses",
    "site_on_postgres",
    "warm_sandboxes",
]

QUICK_HASHERS: Final = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""The site's own takes a third of a second of processor time for each person of a test."""


@pytest.fixture(scope="session")
def scipy() -> ModuleType:
    """Return scipy, which takes a second to import: only where it is needed."""
    import scipy.optimize
    import scipy.stats

    return scipy


@pytest.fixture
def every_core() -> Iterator[None]:
    """This process may use every core: see `on_every_core`."""
    with on_every_core():
        yield


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits hold each message back for 0.2 ms at most, where it may be 0.4 s."""
    short = {"_SHORT_US": 100, "_LEAST_LONG_US": 100}
    for name, limit in {**short, "_LEAST_RANGE_US": 200, "_LARGEST_RANGE_US": 200}.items():
        monkeypatch.setattr(rule, name, limit)


@pytest.fixture(scope="module")
def warm_sandboxes() -> Iterator[WarmSandboxes]:
    """Keep the module's sandboxes open; the value opens containers."""
    from tests.support import budget  # a plugin of pytest's, which is to import it first

    with (
        pytest.MonkeyPatch.context() as patch,
        closing(WarmSandboxes(open_plain)) as plain,
        closing(WarmSandboxes(open_container)) as containers,
    ):
        patch.setattr(slot, "open_plain", plain.open)
        patch.setattr(slot, "open_container", containers.open)
        yield containers
        with budget.shared():  # their processes are counted when they end
            plain.close()


@pytest.fixture
def environment(
    transactional_db: None,
    settings: Settings,
    tmp_path: Path,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> dict[str, str]:
    """Settings of workers of a test's own; this process, which is the site, gets the same."""
    _settle(settings, monkeypatch, store=tmp_path / "store", broker_url=redis_server.url)
    return _of_workers(settings)


@pytest.fixture(scope="session")
def kept_graders(
    docker_engine: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KeptGraders]:
    """A broker, a store and graders that the tests of this process share. None runs before one."""
    graders = KeptGraders(tmp_path_factory.mktemp("graders"))
    yield graders
    graders.remove()


@pytest.fixture
def deployment(
    transactional_db: None,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    kept_graders: KeptGraders,
) -> Iterator[Deployment]:
    """All workers, ready. The graders, their broker and their store outlive the test."""
    graders = kept_graders
    _settle(settings, monkeypatch, store=graders.store, broker_url=graders.broker_url)
    # Celery would have Django check the whole site once more for each test.
    yield graders.deployment(_of_workers(settings) | {"CELERY_SKIP_CHECKS": "true"})
    graders.leave()


def _settle(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, *, store: Path, broker_url: str
) -> None:
    """Have this process be a site with this store, this broker, and quickly hashed passwords."""
    settings.PASSWORD_HASHERS = QUICK_HASHERS
    settings.STORE_URL = str(store)
    settings.BROKER_URL = broker_url
    monkeypatch.setattr(app.conf, "broker_url", broker_url)


def _of_workers(settings: Settings) -> dict[str, str]:
    return {
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "FIREBOX_BROKER_URL": settings.BROKER_URL,
        "FIREBOX_STORE_URL": settings.STORE_URL,
        # A host on which a tick takes longer than this does nothing of the background's queue.
        "FIREBOX_TICK_SECONDS": "2",
        "FIREBOX_LEASE_SECONDS": "5",
        "FIREBOX_SECRET_KEY": settings.SECRET_KEY,
    }


@pytest.fixture(scope="module")
def site_on_postgres(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[PostgresServer]:
    """A PostgreSQL server with the site's tables: the database of a module's tests."""
    try:
        server = PostgresServer(migrated_postgres())
    except FileNotFoundError as error:
        pytest.fail(f"{error}. Install them with: make test", pytrace=False)
    try:
        with django_db_blocker.unblock(), as_default_database(server.url):
            yield server
    finally:
        server.remove()


@pytest.fixture
def own_docker(docker_engine: object, tmp_path: Path) -> Iterator[DockerDaemon]:
    """A second Docker engine that a test may restart."""
    with running_docker(tmp_path) as daemon:
        yield daemon
