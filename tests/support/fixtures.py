"""Fixtures of real deployments: Redis, Celery workers, Docker sandboxes. Known to all tests."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from grader import runner
from tests.support.deployment import Deployment
from tests.support.docker_daemon import DockerDaemon
from tests.support.redis_server import RedisServer
from tests.support.warm_seats import WarmSeats
from webapp.celery import app

__all__ = ["deployment", "environment", "own_docker", "warm_seats"]


@pytest.fixture(scope="module")
def warm_seats() -> Iterator[None]:
    """Seats without a sandbox stay open from test to test of the module: see `WarmSeats`."""
    from tests.support import budget  # a plugin of pytest's, which is to import it first

    with pytest.MonkeyPatch.context() as patch, closing(WarmSeats()) as seats:
        patch.setattr(runner, "open_plain", seats.open)
        yield
        with budget.shared():  # their processes are counted when they end
            seats.close()


@pytest.fixture
def environment(
    transactional_db: None,
    settings: Settings,
    tmp_path: Path,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> dict[str, str]:
    """Settings of the workers; this process, which is the site, gets the same."""
    settings.STORE_URL = str(tmp_path / "store")
    settings.BROKER_URL = redis_server.url
    settings.SLOTS = 2
    monkeypatch.setattr(app.conf, "broker_url", redis_server.url)
    return {
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "FIREBOX_BROKER_URL": redis_server.url,
        "FIREBOX_STORE_URL": settings.STORE_URL,
        "FIREBOX_TICK_SECONDS": "1",
        "FIREBOX_LEASE_SECONDS": "5",
        "FIREBOX_SLOTS": "2",
        "FIREBOX_SECRET_KEY": settings.SECRET_KEY,
    }


@pytest.fixture
def deployment(
    docker_engine: object, environment: dict[str, str], tmp_path: Path
) -> Iterator[Deployment]:
    """All workers, ready."""
    workers = Deployment(tmp_path, environment)
    try:
        workers.start()
        yield workers
    finally:
        workers.stop()


@pytest.fixture
def own_docker(docker_engine: object, tmp_path: Path) -> Iterator[DockerDaemon]:
    """A second Docker engine that a test may restart."""
    daemon = DockerDaemon(tmp_path)
    daemon.start()
    try:
        daemon.load_image()
        yield daemon
    finally:
        daemon.remove()
