"""The benchmark's slots: a measurement ends, also where one of them does not come to its end."""

import os

import pytest

from grader.bench import measure as measuring
from grader.bench.contenders import Arrangement, light
from grader.bench.measure import measure
from grader.core.errors import SystemFault
from sandbox.errors import HostError
from tests.support.slots import own_core

pytestmark = pytest.mark.slow


def test_games_are_shared_out_and_measured() -> None:
    found = measure(light(), Arrangement.DIRECT, 2, 3, [own_core()])
    assert found.games == 3
    assert found.turns > 3 * 20
    assert found.runner_seconds > 0


def test_a_slot_that_fails_ends_the_measurement_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise HostError("Docker does not answer")

    monkeypatch.setattr(measuring.SeatPool, "open", fails)
    with pytest.raises(SystemFault, match="a slot failed: HostError: Docker does not answer"):
        measure(light(), Arrangement.SANDBOXED, 2, 2, [own_core()])


def test_a_slot_that_dies_ends_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "play_locally", lambda *_: os._exit(9))
    with pytest.raises(SystemFault, match="a slot ended with status 9"):
        measure(light(), Arrangement.DIRECT, 2, 2, [own_core(), own_core()])
