"""A broker that dies and comes back: its workers go on."""

import sys
from pathlib import Path

import pytest

from grader.core.records import to_json
from tests.support.agents import request_for
from tests.support.idle_grader import KEEPS_VARIABLE, PLAYED, app
from tests.support.processes import Program, wait_until, without_site
from tests.support.redis_server import RedisServer
from tests.support.site_redis import found_site, site_redis

pytestmark = [pytest.mark.redis, pytest.mark.slow]


@pytest.mark.parametrize(("keeps", "ended"), [("", "succeeded in"), ("1", "Couldn't ack")])
def test_a_worker_that_was_busy_when_the_broker_died_continues(
    keeps: str, ended: str, tmp_path: Path
) -> None:
    server = RedisServer(tmp_path)
    server.start()
    found_site(server.url)
    options = ["--pool=prefork", "--concurrency=1", "--queues=graded", "--loglevel=INFO"]
    command = [sys.executable, "-m", "celery", "--app", "tests.support.idle_grader", "worker"]
    environment = without_site() | {"FIREBOX_BROKER_URL": server.url, KEEPS_VARIABLE: keeps}
    worker = Program("worker", [*command, *options], environment, tmp_path)
    worker.start()
    try:
        end = tmp_path / "end"
        with app.connection_for_write(url=server.url) as connection:
            app.send_task("wait_for", args=[str(end)], queue="graded", connection=connection)
        worker.await_log("received")
        server.kill()
        end.touch()
        worker.await_log(ended)
        server.start()
        with app.connection_for_write(url=server.url) as connection:
            request = to_json(request_for([0], batch="after"))
            app.send_task(
                "grader.play_batch", args=[request], queue="graded", connection=connection
            )
        with site_redis(server.url, decode_responses=True) as client:
            wait_until(
                lambda: client.lrange(PLAYED, 0, -1) == ["after"],
                why="the worker takes no more messages",
            )
    finally:
        worker.stop()
        server.kill()
