"""The queue at the site that a grader's report goes to, and a broker that does not take it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from kombu.exceptions import OperationalError

from grader.core.records import BatchPhase, BatchReport
from grader.worker import reporting, tasks
from tests.support.graders import a_signer
from tests.support.redis_server import RedisServer
from tests.support.site_redis import found_site, site_keys, site_redis

pytestmark = pytest.mark.redis

REPORT = BatchReport(evaluation="e", batch="b", phase=BatchPhase.DONE, worker="w")
RULES_BEFORE = "~graded ~smoke resetchannels -@all +ping +llen +lpush (-@all +lpush %W~verdicts)"
"""Permissions of a login from before the site had a name."""


def talk_to(address: str, patch: pytest.MonkeyPatch) -> None:
    """Have the grader's app, with a key, use this broker."""
    patch.setattr(tasks, "_signer", a_signer(), raising=False)
    for name in ("broker_url", "broker_read_url", "broker_write_url"):
        patch.setattr(tasks.app.conf, name, address)
    patch.setattr(tasks.app, "_pool", None)
    patch.setattr(tasks.app.amqp, "_producer_pool", None)


def send(*, taken_from: str) -> None:
    """Report as a task does whose request was in that queue."""
    tasks.play_batch.push_request(delivery_info={"routing_key": taken_from})
    try:
        tasks._sender(tasks.play_batch)(REPORT)
    finally:
        tasks.play_batch.pop_request()


@pytest.mark.parametrize(("taken_from", "queue"), [("smoke", "verdicts"), ("graded", "results")])
def test_only_what_an_upload_waits_for_goes_ahead(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch, taken_from: str, queue: str
) -> None:
    talk_to(redis_server.url, monkeypatch)
    found_site(redis_server.url)
    send(taken_from=taken_from)
    with site_redis(redis_server.url) as client:
        lengths = {name: client.llen(name) for name in ("verdicts", "results")}
    assert lengths == {"verdicts": 0, "results": 0} | {queue: 1}


def test_a_login_of_the_version_before_is_told_which_rules_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RedisServer(tmp_path, f"user grader on >g {RULES_BEFORE}").running() as server:
        talk_to(f"redis://grader:g@127.0.0.1:{server.port}/0", monkeypatch)
        monkeypatch.setattr(reporting, "_REPORT_SECONDS", 0.0)
        with pytest.raises(OperationalError, match=r"copy those of deploy/redis/users\.acl"):
            send(taken_from="smoke")


def test_a_broker_that_takes_no_report_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    talk_to("redis://127.0.0.1:1/0", monkeypatch)
    monkeypatch.setattr(reporting, "_REPORT_SECONDS", 0.0)
    with pytest.raises(OperationalError):
        send(taken_from="smoke")


class Pauses:
    """Stands in for sleeping; repairs the broker in the third pause."""

    def __init__(self, repair: Callable[[], object]) -> None:
        self._left, self._repair = 3, repair

    def __call__(self, seconds: float) -> None:
        self._left -= 1
        if self._left == 0:
            self._repair()


def test_a_report_waits_for_a_broker_that_takes_no_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RedisServer(tmp_path).running() as server, server.client() as client:
        talk_to(server.url, monkeypatch)
        found_site(server.url)
        client.config_set("maxmemory", 1)
        monkeypatch.setattr(
            reporting.time, "sleep", Pauses(lambda: client.config_set("maxmemory", 0))
        )
        send(taken_from="graded")
        assert site_keys(client).llen("results") == 1


@pytest.mark.slow
def test_a_report_waits_for_a_broker_that_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RedisServer(tmp_path).running() as server:
        talk_to(server.url, monkeypatch)
        found_site(server.url)
        send(taken_from="graded")
        server.kill()
        monkeypatch.setattr(reporting.time, "sleep", Pauses(server.start))
        send(taken_from="graded")
        with site_redis(server.url) as client:
            assert client.llen("results") == 2


def test_the_state_of_a_worker_waits_for_no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    talk_to("redis://127.0.0.1:1/0", monkeypatch)
    monkeypatch.setattr(reporting.time, "sleep", lambda _: pytest.fail("it waits"))
    with pytest.raises(OperationalError):
        tasks._report(tasks.GRADER_TASK, REPORT, once=True)
