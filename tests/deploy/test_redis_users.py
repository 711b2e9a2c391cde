"""Redis' users: what a grader's login may do, and what a thief of it may not."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from kombu import Message, Queue
from redis.exceptions import AuthenticationError, NoPermissionError

from grader.broker.transport import ASIDE
from tests.support.agents import request_for
from tests.support.every import every
from tests.support.idle_grader import PASSED_OVER, PLAYED
from tests.support.idle_grader import app as graders
from tests.support.processes import START_SECONDS, Program, wait_until, without_site
from tests.support.redis_server import RedisServer
from tests.support.site_redis import site_keys
from webapp.base.celery import app
from webapp.grading.jobs import broker

pytestmark = [pytest.mark.redis, pytest.mark.django_db]

USERS = Path(__file__).parents[2] / "deploy" / "redis" / "users.acl"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A Redis with the users of a deployment; what tests note, graders may write as well."""
    users = USERS.read_text().replace("SITE_PASSWORD", "s").replace("GRADER_PASSWORD", "g")
    notes = " ".join(f"~site-*:{name}" for name in (PLAYED, PASSED_OVER.replace(" ", "?")))
    users = users.replace("~site-*:graded ", f"{notes} ~site-*:graded ")
    with RedisServer(tmp_path_factory.mktemp("redis"), users).running() as server:
        yield server


@pytest.fixture
def _site(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(app.conf, "broker_url", f"redis://site:s@127.0.0.1:{server.port}/0")
    yield
    server.clear()


@pytest.fixture
def thief(server: RedisServer) -> Iterator[redis.Redis]:
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
        with site_keys(server.client()) as client:
            client.lpush("graded", "nonsense")
            wait_until(
                lambda: client.llen(ASIDE) == 1, seconds=START_SECONDS, why="it was not set aside"
            )
            assert client.lrange(PLAYED, 0, -1) == ["wanted"]
            assert client.lrange(PASSED_OVER, 0, -1) == ["gone"]
    finally:
        grader.stop()
    assert [message.text for message in broker.aside()] == ["nonsense"]
    broker.trim_aside()
    assert [message.text for message in broker.aside()] == ["nonsense"]
    broker.forget_aside()
    assert broker.aside() == []


@pytest.mark.usefixtures("_site")
def test_what_a_grader_has_taken_is_nowhere_in_redis_until_it_gives_it_back(
    server: RedisServer,
) -> None:
    with broker.producer() as producer:
        for name in ("first", "second"):
            broker.publish(request_for([0], batch=name), queue="graded", producer=producer)
    taken: list[Message] = []
    address = f"redis://grader:g@127.0.0.1:{server.port}/0"
    with (
        server.client() as client,
        graders.connection_for_read(url=address) as connection,
        connection.Consumer(
            [Queue("graded")], callbacks=[lambda _, message: taken.append(message)]
        ),
    ):
        connection.drain_events(timeout=START_SECONDS)
        (message,) = taken
        item = message.body if isinstance(message.body, str) else message.body.decode()
        assert not [key for key in client.scan_iter() if "unacked" in key]
        (waiting,) = site_keys(client).lrange("graded", 0, -1)
        assert item not in waiting
        message.reject(requeue=True)
    with site_keys(server.client()) as client:
        assert client.llen("graded") == 2


@pytest.mark.usefixtures("_site")
def test_a_grader_may_count_the_reports_that_wait(server: RedisServer) -> None:
    assert broker.waiting("results") == 0  # Redis is the site's from now on
    with redis.Redis.from_url(f"redis://grader:g@127.0.0.1:{server.port}/0") as client:
        keys = site_keys(client)
        assert keys.llen("results") == 0
        with pytest.raises(redis.exceptions.NoPermissionError):
            keys.lrange("results", 0, -1)


@pytest.mark.usefixtures("_site")
def test_a_key_of_another_type_is_a_broker_error(server: RedisServer) -> None:
    with site_keys(server.client()) as client:
        client.hset("graded", "x", "y")
    with pytest.raises(broker.BrokerError, match="WRONGTYPE"):
        broker.waiting("graded")


@pytest.mark.usefixtures("_site")
@pytest.mark.parametrize("entry", [b"[" * 100_000, b'{"queue": "\xff"}', b'{"x":' + b"[" * 9000])
def test_unreadable_messages_that_were_set_aside_are_skipped(
    server: RedisServer, entry: bytes
) -> None:
    with site_keys(server.client()) as client:
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
def test_no_changed_message_is_given_back(
    server: RedisServer, change: Callable[[str], str]
) -> None:
    with broker.producer() as producer:
        broker.publish(request_for([0]), queue="graded", producer=producer)
    with site_keys(server.client()) as client:
        client.hset("results.unacked", "tag", change(client.rpop("graded")))
        client.zadd("results.unacked_index", {"tag": 1.0})
        with broker.connected() as connection:
            connection.default_channel.qos.restore_by_tag("tag")  # type: ignore[attr-defined]  # stubs
        assert client.llen(ASIDE) == 1
        assert not client.exists("results.unacked", "results.unacked_index", "graded", "results")


FORBIDDEN = [
    "KEYS *",
    "BRPOP graded 1",
    "LPUSH results x",
    "SET firebox.site x",
    "DEL firebox.site",
    "HGETALL graders.unacked",
    "HGET site-x:graders.unacked tag",
    "ZRANGE site-x:graders.unacked_index 0 -1",
    "WATCH site-x:graded",
    "HSET site-x:graded x y",
    "SCAN 0",
    "LRANGE site-x:graded 0 -1",
    "LINDEX site-x:graded 0",
    "LRANGE site-x:results 0 -1",
    "BRPOP site-x:results 1",
    "RPOP site-x:results",
    "DEL site-x:results",
    "DEL site-x:graded",
    "LTRIM site-x:results 1 0",
    "HGET site-x:results.unacked tag",
    "HGETALL site-x:results.held",
    "LMOVE site-x:results site-x:results.held.x RIGHT LEFT",
    "LMOVE site-x:results site-x:graded RIGHT LEFT",
    "LRANGE site-x:results.held.x 0 -1",
    "SET site-x:results.alive.x 1",
    "SET site-x:firebox.withdrawn.batch 1",
    "DEL site-x:firebox.withdrawn.batch",
    "LRANGE site-x:firebox.aside 0 -1",
    "LTRIM site-x:firebox.aside 1 0",
    "RPUSH site-x:firebox.aside x",
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
    "SADD site-x:practice x",
    "DUMP site-x:graded",
    "COPY site-x:graded site-x:practice",
    "SORT site-x:graded",
    "OBJECT ENCODING site-x:graded",
    "MIGRATE 127.0.0.1 1 site-x:graded 0 1",
]


@every("command", FORBIDDEN)
def test_a_graders_login_may_not_run_commands_beyond_its_work(
    command: str, thief: redis.Redis, server: RedisServer
) -> None:
    with pytest.raises(NoPermissionError):
        thief.execute_command(*command.split())  # type: ignore[no-untyped-call]  # stubs


@every(
    ("user", "password", "command"),
    [
        *(("reload", "RELOAD_PASSWORD", each) for each in ("ACL SETUSER x", "GET graded", "PING")),
        *(("site", "s", each) for each in ("FLUSHALL", "CONFIG GET *", "MONITOR", "SHUTDOWN")),
        ("reload", "RELOAD_PASSWORD", "KEYS *"),
        ("site", "s", "KEYS *"),
    ],
)
def test_neither_the_login_that_loads_users_nor_the_sites_may_run_other_commands(
    user: str, password: str, command: str, server: RedisServer
) -> None:
    with (
        redis.Redis(port=server.port, username=user, password=password) as client,
        pytest.raises(NoPermissionError),
    ):
        client.execute_command(*command.split())  # type: ignore[no-untyped-call]  # stubs


def test_a_client_without_a_login_is_refused(server: RedisServer) -> None:
    with redis.Redis(port=server.port) as client, pytest.raises(AuthenticationError):
        client.ping()
