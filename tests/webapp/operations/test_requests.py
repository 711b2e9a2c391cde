"""Requests are counted by view over all processes of the web server."""

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from tests.support.site_redis import site_redis
from webapp.base.celery import app
from webapp.flow.metrics import exposition
from webapp.grading.jobs import broker
from webapp.grading.operations import requests

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture(autouse=True)
def _broker(redis_url: str, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setattr(requests, "_counts", type(requests._counts)())
    settings.QUEUE_CACHE_SECONDS = 0


def figures() -> dict[tuple[str, ...], float]:
    return {
        (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(exposition().decode())
        for sample in family.samples
    }


def test_requests_have_times_and_status_codes_by_view(client: Client) -> None:
    for address in ("/healthz", "/healthz", "/no-such-page/"):
        client.get(address)
    found = figures()
    assert found["firebox_responses_total", "200", "healthz"] == 2
    assert found["firebox_responses_total", "404", "none"] == 1
    assert found["firebox_request_seconds_count", "healthz"] == 2
    assert found["firebox_request_seconds_bucket", "+Inf", "healthz"] == 2
    assert found["firebox_request_seconds_bucket", "10.0", "healthz"] == 2
    assert 0 < found["firebox_request_seconds_sum", "healthz"] < 20
    assert found[("firebox_server_errors_total",)] == 0


def test_what_several_processes_have_counted_is_added(redis_url: str) -> None:
    with site_redis(redis_url) as client:
        client.hset("firebox.requests", mapping={"home bucket 4": 3, "home status 200": 3})
    with requests._lock:
        requests._counts.update({"home bucket 0": 1, "home bucket 5": 1, "home status 502": 1})
    found = figures()
    assert found["firebox_request_seconds_bucket", "0.1", "home"] == 1
    assert found["firebox_request_seconds_bucket", "10.0", "home"] == 4
    assert found["firebox_request_seconds_bucket", "+Inf", "home"] == 5
    assert found[("firebox_server_errors_total",)] == 1


def test_a_site_that_is_not_ready_has_made_no_error() -> None:
    with requests._lock:
        requests._counts.update({"readyz status 503": 9})
    assert figures()[("firebox_server_errors_total",)] == 0


def test_errors_of_ours_are_counted() -> None:
    answer = requests.request_times(lambda _: HttpResponse(status=500))
    answer(RequestFactory().get("/"))
    assert figures()[("firebox_server_errors_total",)] == 1


def test_counts_wait_while_the_broker_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = requests.request_times(lambda _: HttpResponse(status=500))
    answer(RequestFactory().get("/"))
    with monkeypatch.context() as away:
        away.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
        with pytest.raises(broker.BrokerError):
            requests.add_counts()
        assert ("firebox_server_errors_total",) not in figures()
    assert figures()[("firebox_server_errors_total",)] == 1
