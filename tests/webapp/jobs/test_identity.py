"""The site's name at the broker: one Redis is one site's."""

import json
from collections.abc import Iterator

import pytest
import redis
from django.core.management import CommandError, call_command
from pytest_django import Settings

from grader.broker.messages import read_message
from grader.broker.site_keys import SITE, NoSiteError, SiteRedis, find_site, prefix_of
from tests.support.agents import request_for
from tests.support.site_redis import site_redis
from tests.webapp.jobs.test_waiting_reports import send
from webapp.base.celery import app
from webapp.grading.jobs import broker, identity
from webapp.grading.jobs.models import SiteIdentity

pytestmark = [pytest.mark.redis, pytest.mark.django_db]


@pytest.fixture
def server(redis_url: str) -> Iterator[redis.Redis]:
    """Redis as it is, which is the site's broker."""
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        yield client


def test_a_site_has_one_name_for_good() -> None:
    name = SiteIdentity.objects.get().name
    assert (len(name), identity.site_name()) == (16, name)


def test_a_site_writes_its_name_and_all_its_keys_and_messages_have_it(server: redis.Redis) -> None:
    send("report")
    with broker.producer() as producer:
        broker.publish(request_for([0]), queue="graded", producer=producer)
    broker.admit(["key"])
    broker.withdraw(["batch"])
    broker.set_aside("results", "x", "why")
    broker.take_turns({"task": 60.0})
    name = identity.site_name()
    assert str(server.get(SITE)).split(" ")[0] == name
    assert [key for key in server.scan_iter() if not key.startswith(prefix_of(name))] == [SITE]
    for queue in ("results", "graded"):
        (item,) = server.lrange(prefix_of(name) + queue, 0, -1)
        assert json.loads(item)["headers"]["site"] == name


def test_a_redis_of_another_site_is_not_used(
    server: redis.Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    send("report")
    before = {key: server.dump(key) for key in server.scan_iter()}
    monkeypatch.setattr(identity, "site_name", lambda: "f" * 16)
    with pytest.raises(broker.BrokerError, match="belongs to another site"):
        broker.waiting("results")
    with pytest.raises(broker.BrokerError, match="belongs to another site"):
        broker.take_turns({"task": 60.0})
    assert {key: server.dump(key) for key in server.scan_iter()} == before


@pytest.mark.parametrize(
    ("first", "second", "is_used"),
    [
        ("https://a.example.edu", "https://b.example.edu", False),
        ("https://a.example.edu", "http://a.example.edu", True),
        ("https://a.example.edu", "http://127.0.0.1:8000", True),
        ("http://127.0.0.1:8000", "https://a.example.edu", True),
    ],
)
def test_a_copy_of_a_site_under_another_address_is_another_site(
    server: redis.Redis, settings: Settings, *, first: str, second: str, is_used: bool
) -> None:
    settings.SITE_URL = first
    assert broker.waiting("results") == 0
    settings.SITE_URL = second
    if is_used:
        assert broker.waiting("results") == 0
    else:
        with pytest.raises(broker.BrokerError, match=r"belongs to another site, a\.example\.edu"):
            broker.waiting("results")


def test_a_site_that_moved_claims_its_redis(server: redis.Redis, settings: Settings) -> None:
    settings.SITE_URL = "https://a.example.edu"
    send("report")
    settings.SITE_URL = "https://b.example.edu"
    settings.BROKER_URL = app.conf.broker_url
    with pytest.raises(CommandError, match="does not belong to the site x"):
        call_command("claim_broker", former="x")
    call_command("claim_broker", former=identity.site_name())
    assert broker.waiting("results") == 1


def test_a_message_of_another_site_is_set_aside(server: redis.Redis, redis_url: str) -> None:
    send("report")
    with site_redis(redis_url) as client:
        (item,) = client.lrange("results", 0, -1)
    assert read_message(item, "results", prefix_of(identity.site_name()))
    with pytest.raises(ValueError, match="a message of the site"):
        read_message(item, "results", prefix_of("f" * 16))


def test_a_grader_waits_for_a_site(server: redis.Redis) -> None:
    with pytest.raises(NoSiteError, match="start the site"):
        find_site(server)


def test_a_client_of_a_site_runs_no_command_whose_keys_it_does_not_know() -> None:
    with SiteRedis(prefix="site-x:") as client, pytest.raises(TypeError, match="FLUSHALL"):
        client.flushall()
