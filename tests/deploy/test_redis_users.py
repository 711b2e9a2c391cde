"""Redis' users: what a grader's login may do, and what a thief of it may not."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from redis.exceptions import AuthenticationError, NoPermissionError

from grader.broker.transport import ASIDE, transport_options
from tests.support.agents import request_for
from tests.support.idle_grader import PASSED_OVER, PLAYED
from tests.support.idle_grader import app as graders
from tests.support.processes import START_SECONDS, Program, wait_until, without_site
from tests.support.redis_server import RedisServer
from webapp.celery import app
from webapp.jobs import broker

pytestmark = pytest.mark.redis

USERS = Path(__file__).parents[2] / "deploy" / "redis" / "users.acl"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A Redis with the users of a deployment; what tests note, graders may write as well."""
    users = USERS.read_text().replace("SITE_PASSWORD", "s").replace("GRADER_PASSWORD", "g")
    notes = " ".join(f"~{name}" for name in (PLAYED, PASSED_OVER.replace(" ", "?")))
    users = users.replace("~graded ", f"{notes} ~graded ")
    with RedisServer(tmp_path_factory.mktemp("redis"), users).running() as server:
        yield server


@pytest.fixture
def _site(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The site signs in as itself."""
    monkeypatch.setattr(app.conf, "broker_url", f"redis://site:s@127.0.0.1:{server.port}/0")
    yield
    server.clear()


@pytest.fixture
def thief(server: RedisServer) -> Iterator[redis.Redis]:
    """A client with a grader's login."""
    with redis.Redis(
        port=server.port, username="grader", password="g", decode_responses=True
    ) as client:
        yield client


@pytest.mark.usefixtures("_site")
def test_site_and_graders_can_work_with_their_logins(server: RedisServer, tmp_path: Path) -> None:
    gone, wanted = (request_for([0], batch=name) for name in ("gone", "wanted"))
    with broker.producer() as producer:
        for request in (gone, wanted):
            broker.publish(request, queue="graded", producer=producer)
    broker.withdraw(["gone"])
    assert broker.waiting("graded") == 2
    environment = without_site() | {
        "FIREBOX_BROKER_URL": f"redis://grader:g@127.0.0.1:{server.port}/0"
    }
    queues = "live,smoke,graded,practice,audits,ladder"
    options = ["--pool", "solo", "--queues", queues, "--loglevel=INFO"]
    celery = [sys.executable, "-m", "celery", "--app", "tests.support.idle_grader", "worker"]
    grader = Program("grader", [*celery, *options], environment, tmp_path)
    grader.start()
    try:
        with server.client() as client:
            client.lpush("graded", "nonsense")
            wait_until(
                lambda: client.llen(ASIDE) == 1, seconds=START_SECONDS, why="it was not set aside"
            )
            assert client.lrange(PLAYED, 0, -1) == ["wanted"]
            assert client.lrange(PASSED_OVER, 0, -1) == ["gone"]
            done = lambda: not client.exists("graders.unacked")  # noqa: E731 - of this client
            wait_until(done, why="nothing was acknowledged")
    finally:
        grader.stop()
    assert [message.text for message in broker.aside()] == ["nonsense"]
    broker.trim_aside()
    assert [message.text for message in broker.aside()] == ["nonsense"]
    broker.forget_aside()
    assert broker.aside() == []


@pytest.mark.usefixtures("_site")
def test_a_grader_gives_a_message_back(server: RedisServer) -> None:
    request = request_for([0])
    with broker.producer() as producer:
        broker.publish(request, queue="graded", producer=producer)
    with server.client() as client:
        item = client.rpop("graded")
        client.hset("graders.unacked", "tag", f'[{item}, "", "graded"]')
        client.zadd("graders.unacked_index", {"tag": 1.0})
        address = f"redis://grader:g@127.0.0.1:{server.port}/0"
        with graders.connection_for_read(url=address) as connection:
            connection.default_channel.qos.restore_by_tag("tag")  # type: ignore[attr-defined]  # stubs
        assert client.llen("graded") == 1
        assert not client.exists("graders.unacked", "graders.unacked_index")


@pytest.mark.usefixtures("_site")
def test_a_grader_gives_back_what_was_taken_long_ago(server: RedisServer) -> None:
    with broker.producer() as producer:
        broker.publish(request_for([0]), queue="graded", producer=producer)
    address = f"redis://grader:g@127.0.0.1:{server.port}/0"
    with (
        server.client() as client,
        graders.connection_for_read(
            url=address, transport_options=transport_options("graders")
        ) as connection,
    ):
        client.hset("graders.unacked", "tag", f'[{client.rpop("graded")}, "", "graded"]')
        client.zadd("graders.unacked_index", {"tag": time.time() - 3599})
        client.set("graders.unacked_mutex", 1)
        qos = connection.default_channel.qos  # type: ignore[attr-defined]  # stubs
        qos.restore_visible(interval=1)
        client.zadd("graders.unacked_index", {"tag": 1.0})
        qos.restore_visible(interval=1)
        assert client.llen("graded") == 0
        client.delete("graders.unacked_mutex")
        qos.restore_visible(interval=1)
        assert client.llen("graded") == 1
        assert not client.exists("graders.unacked_mutex", "graders.unacked")


def test_a_grader_may_count_the_reports_that_wait(server: RedisServer) -> None:
    with redis.Redis.from_url(f"redis://grader:g@127.0.0.1:{server.port}/0") as client:
        assert client.llen("results") == 0
        with pytest.raises(redis.exceptions.NoPermissionError):
            client.lrange("results", 0, -1)


@pytest.mark.usefixtures("_site")
def test_a_key_of_another_type_is_a_broker_error(server: RedisServer) -> None:
    with server.client() as client:
        client.hset("graded", "x", "y")
    with pytest.raises(broker.BrokerError, match="WRONGTYPE"):
        broker.waiting("graded")


@pytest.mark.usefixtures("_site")
@pytest.mark.parametrize("entry", [b"[" * 100_000, b'{"queue": "\xff"}', b'{"x":' + b"[" * 9000])
def test_unreadable_messages_that_were_set_aside_are_skipped(
    server: RedisServer, entry: bytes
) -> None:
    with server.client() as client:
        client.lpush(ASIDE, entry)
    assert broker.aside() == []


@pytest.mark.parametrize(
    "change",
    [
        lambda item: f'[{item}, "", "results"]',
        lambda item: f'[{item}, "exchange", "graded"]',
        lambda _: "[" * 100_000,
        lambda item: item,
    ],
)
@pytest.mark.usefixtures("_site")
def test_a_grader_gives_back_no_changed_message(
    server: RedisServer, change: Callable[[str], str]
) -> None:
    with broker.producer() as producer:
        broker.publish(request_for([0]), queue="graded", producer=producer)
    with server.client() as client:
        client.hset("graders.unacked", "tag", change(client.rpop("graded")))
        client.zadd("graders.unacked_index", {"tag": 1.0})
        address = f"redis://grader:g@127.0.0.1:{server.port}/0"
        with graders.connection_for_read(url=address) as connection:
            connection.default_channel.qos.restore_by_tag("tag")  # type: ignore[attr-defined]  # stubs
        assert client.llen(ASIDE) == 1
        assert not client.exists("graders.unacked", "graders.unacked_index", "graded", "results")


FORBIDDEN = [
    "KEYS *",
    "SCAN 0",
    "LRANGE graded 0 -1",
    "LINDEX graded 0",
    "LRANGE results 0 -1",
    "BRPOP results 1",
    "RPOP results",
    "DEL results",
    "DEL graded",
    "LTRIM results 1 0",
    "HGETALL graders.unacked",
    "HVALS graders.unacked",
    "HKEYS graders.unacked",
    "HGET results.unacked tag",
    "HGETALL results.held",
    "LMOVE results results.held.x RIGHT LEFT",
    "LMOVE results graded RIGHT LEFT",
    "LRANGE results.held.x 0 -1",
    "SET results.alive.x 1",
    "SET firebox.withdrawn.batch 1",
    "DEL firebox.withdrawn.batch",
    "LRANGE firebox.aside 0 -1",
    "LTRIM firebox.aside 1 0",
    "RPUSH firebox.aside x",
    "PUBLISH /0.celery.pidbox nonsense",
    "SUBSCRIBE /0.celery.pidbox",
    "MONITOR",
    "FLUSHALL",
    "CONFIG GET *",
    "ACL LIST",
    "CLIENT LIST",
    "SHUTDOWN",
    "EVAL return 0",
    "SCRIPT LOAD return",
    "EVALSHA 0 0",
    "HSET graded x y",
    "SADD practice x",
    "LPUSH graders.unacked x",
    "RPUSH graders.unacked_index x",
    "HSET graders.unacked_mutex x y",
    "DUMP graded",
    "COPY graded practice",
    "SORT graded",
    "OBJECT ENCODING graded",
    "MIGRATE 127.0.0.1 1 graded 0 1",
]


@pytest.mark.parametrize("command", FORBIDDEN)
def test_a_graders_login_may_not_run_commands_beyond_its_work(
    command: str, thief: redis.Redis, server: RedisServer
) -> None:
    with pytest.raises(NoPermissionError):
        thief.execute_command(*command.split())  # type: ignore[no-untyped-call]  # stubs


@pytest.mark.parametrize("command", ["KEYS *", "ACL SETUSER x", "GET graded", "PING"])
def test_the_login_that_loads_users_may_not_run_other_commands(
    command: str, server: RedisServer
) -> None:
    with (
        redis.Redis(port=server.port, username="reload", password="RELOAD_PASSWORD") as client,
        pytest.raises(NoPermissionError),
    ):
        client.execute_command(*command.split())  # type: ignore[no-untyped-call]  # stubs


@pytest.mark.parametrize("command", ["KEYS *", "FLUSHALL", "CONFIG GET *", "MONITOR", "SHUTDOWN"])
def test_the_sites_login_may_not_run_administrative_commands(
    command: str, server: RedisServer
) -> None:
    with (
        redis.Redis(port=server.port, username="site", password="s") as client,
        pytest.raises(NoPermissionError),
    ):
        client.execute_command(*command.split())  # type: ignore[no-untyped-call]  # stubs


def test_a_client_without_a_login_is_refused(server: RedisServer) -> None:
    with redis.Redis(port=server.port) as client, pytest.raises(AuthenticationError):
        client.ping()
