"""Limits are accepted within their bounds only."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.core.records import LIMIT_BOUNDS, AgentLimits
from grader.interfaces import INTERFACES
from grader.play.building import BatchAgent
from sandbox.errors import LimitError
from sandbox.limits import BOUNDS, Limits
from tests.support.agents import request_for
from tests.support.every import every
from tests.support.slots import UNCONFINED

FINE: dict[str, Any] = {
    "turn_seconds": 1.0,
    "turn_wall_seconds": 3.0,
    "start_seconds": 5.0,
    "memory_mib": 256,
    "reply_bytes": 4096,
    "stdout_bytes": 1 << 20,
    "stderr_bytes": 1 << 16,
}


def test_the_defaults_of_an_assignment_are_within_the_bounds() -> None:
    assert Limits(**FINE).memory_mib == 256


@every("name", sorted(BOUNDS))
@every("end", [0, 1])
def test_a_value_out_of_bounds_is_refused_by_name(name: str, end: int) -> None:
    beyond = BOUNDS[name][end] * (2 if end else 0.5)
    with pytest.raises(LimitError, match=name):
        Limits(**{**FINE, name: beyond})


@every("name", sorted(set(BOUNDS) - {"turn_seconds", "turn_wall_seconds"}))
@every("end", [0, 1])
def test_the_bounds_themselves_are_allowed(name: str, end: int) -> None:
    assert getattr(Limits(**{**FINE, name: BOUNDS[name][end]}), name) == BOUNDS[name][end]


def test_not_a_number_is_out_of_bounds() -> None:
    with pytest.raises(LimitError):
        Limits(**{**FINE, "turn_seconds": float("nan")})


def test_the_wall_limit_is_not_below_the_turn_limit() -> None:
    with pytest.raises(LimitError, match="turn_wall_seconds"):
        Limits(**{**FINE, "turn_seconds": 2.0, "turn_wall_seconds": 1.0})


@every("name", sorted(INTERFACES))
def test_an_assignments_highest_limits_leave_room_for_each_runtime(name: str) -> None:
    highest = AgentLimits(**{limit: high for limit, (_, high) in LIMIT_BOUNDS.items()})  # type: ignore[arg-type]
    ref = replace(request_for([0]).agents[0], interface=name)
    limits = BatchAgent(ref, highest, b"", Path(), UNCONFINED, reusable=False).limits
    allowance = INTERFACES[name].allowance
    assert limits.memory_mib == highest.memory_mib + allowance.memory_mib
    assert limits.start_seconds == highest.start_seconds + allowance.start_seconds
