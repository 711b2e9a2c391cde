"""Settings for the sandboxes that a worker keeps open."""

import pytest

from grader.worker.sandbox_settings import sandbox_cache_from_environment


@pytest.mark.parametrize(("text", "seats"), [("", 128), ("0", 0), (" 256 ", 256)])
def test_the_number_of_open_sandboxes_is_a_setting(
    monkeypatch: pytest.MonkeyPatch, text: str, seats: int
) -> None:
    monkeypatch.setenv("FIREBOX_OPEN_SEATS", text)
    monkeypatch.setenv("FIREBOX_OPEN_SEAT_SECONDS", "60")
    cache = sandbox_cache_from_environment()
    assert (cache._max_open, cache._max_seconds) == (seats, 60)
    assert cache._new.maxlen == min(seats, 2)
    monkeypatch.setenv("FIREBOX_SPARE_SEATS", "5")
    assert sandbox_cache_from_environment()._new.maxlen == min(seats, 5)


@pytest.mark.parametrize("text", ["257", "-1", "many", "1.5", "²"])
def test_a_value_that_is_no_number_is_refused_with_advice(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("FIREBOX_OPEN_SEATS", text)
    with pytest.raises(ValueError, match="a whole number from 0 to 256"):
        sandbox_cache_from_environment()
