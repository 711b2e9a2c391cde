"""The site offers assignments exactly the limits that the sandbox accepts."""

from dataclasses import asdict, fields

from grader.core.records import LIMIT_BOUNDS, AgentLimits
from sandbox.limits import BOUNDS, Limits


def test_site_and_sandbox_agree_on_the_bounds() -> None:
    assert LIMIT_BOUNDS == BOUNDS


def test_every_limit_has_bounds_and_a_default_within_them() -> None:
    assert {field.name for field in fields(AgentLimits)} == set(LIMIT_BOUNDS)
    assert Limits(**asdict(AgentLimits())).turn_seconds == 1.0
