"""The benchmark's slots: a measurement ends, also where one of them does not come to its end."""

import os

import pytest

from grader.bench import measure as measuring
from grader.bench.contenders import Arrangement, light
from grader.bench.measure import measure, request_for
from grader.core.errors import SystemFault
from grader.core.games import game_from_options
from grader.play.players import play_locally
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

    monkeypatch.setattr("grader.play.games.BatchGames.build", fails)
    with pytest.raises(SystemFault, match="a slot failed: HostError: Docker does not answer"):
        measure(light(), Arrangement.SANDBOXED, 2, 2, [own_core()])


def test_a_slot_that_dies_ends_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "play_locally", lambda *_: os._exit(9))
    with pytest.raises(SystemFault, match="a slot ended with status 9"):
        measure(light(), Arrangement.DIRECT, 2, 2, [own_core(), own_core()])


def test_the_light_agent_comes_to_an_end_where_cards_can_be_swapped() -> None:
    options = {"variant": "standard", "players": 2, "swaps": True}
    request = request_for(2, [0])
    (record,) = play_locally(
        game_from_options("hanabi", options), request.games, [light().agent_class()] * 2
    )
    assert record.fault is None
    assert len(record.actions.split()) < 200
