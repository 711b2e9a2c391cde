"""Fixtures of tests with the site's own worker, on a Redis with the users of a deployment."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.deployment import Deployment
from tests.support.redis_server import RedisWithUsers


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisWithUsers]:
    """In place of a Redis without users."""
    with RedisWithUsers(tmp_path).running() as server:
        yield server


@pytest.fixture
def site(environment: dict[str, str], tmp_path: Path) -> Iterator[Deployment]:
    """The site's worker, which does not run yet."""
    workers = Deployment(tmp_path, environment | {"CELERY_SKIP_CHECKS": "true"})
    yield workers
    workers.stop()
