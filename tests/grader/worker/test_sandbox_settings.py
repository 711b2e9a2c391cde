"""Settings of a worker: for the sandboxes that it keeps open, and for the store."""

import pytest

from grader.worker.sandbox_settings import sandbox_cache_from_environment
from webapp.grading.jobs.queues import Queue


@pytest.mark.parametrize(("text", "number"), [("", 200), ("0", 0), (" 100 ", 100)])
def test_the_number_of_open_sandboxes_is_a_setting(
    monkeypatch: pytest.MonkeyPatch, text: str, number: int
) -> None:
    monkeypatch.setenv("FIREBOX_OPEN_SANDBOXES", text)
    monkeypatch.setenv("FIREBOX_OPEN_SANDBOX_SECONDS", "60")
    cache = sandbox_cache_from_environment()
    assert (cache._max_open, cache._max_seconds) == (number, 60)
    assert sandbox_cache_from_environment(few=True)._max_open == min(number, 16)
    assert cache._new.maxlen == min(number, 2)
    monkeypatch.setenv("FIREBOX_SPARE_SANDBOXES", "5")
    assert sandbox_cache_from_environment()._new.maxlen == min(number, 5)


def test_every_queue_but_those_that_people_wait_for_has_batches() -> None:
    from grader.worker import tasks

    assert {*Queue} - tasks._BATCHES == {Queue.SMOKE, Queue.LIVE}


@pytest.mark.parametrize("text", ["201", "-1", "many", "1.5", "²"])
def test_a_value_that_is_no_number_is_refused_with_advice(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("FIREBOX_OPEN_SANDBOXES", text)
    with pytest.raises(ValueError, match="a whole number from 0 to 200"):
        sandbox_cache_from_environment()


def test_a_worker_does_not_start_with_a_store_that_nothing_can_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from grader.worker import tasks

    monkeypatch.setenv("FIREBOX_STORE_URL", "s4://bucket")
    with pytest.raises(SystemExit, match=r"FIREBOX_STORE_URL: cannot open .* Protocol not known"):
        tasks._read_settings()


def test_settings_are_read_by_their_former_names_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIREBOX_OPEN_SEATS", "4")
    monkeypatch.setenv("FIREBOX_OPEN_SEAT_SECONDS", "60")
    monkeypatch.setenv("FIREBOX_SPARE_SEATS", "1")
    cache = sandbox_cache_from_environment()
    assert (cache._max_open, cache._max_seconds, cache._new.maxlen) == (4, 60, 1)
    monkeypatch.setenv("FIREBOX_OPEN_SANDBOXES", "5")
    assert sandbox_cache_from_environment()._max_open == 5
