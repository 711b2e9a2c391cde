"""The purpose of a sandbox decides its image and the readable paths."""

import json
from pathlib import Path
from typing import Any

import pytest

from sandbox.directory import configuration
from sandbox.limits import Limits
from sandbox.program import Adapter, Program, Purpose, Runtime
from tests.sandbox.stage import limits

COMPILED = Runtime(builder="cpp")
PATHS = {name: f"/{name}" for name in ("control", "adapter", "agent", "build")}


def program(purpose: Purpose, runtime: Runtime = COMPILED, *, readable: bool = False) -> Program:
    adapter = Adapter(paths=(), play="a:play", build="a:build", preload=(), readable=readable)
    return Program(runtime=runtime, adapter=adapter, purpose=purpose, sources=Path())


def told(program: Program, allowed: Limits) -> dict[str, Any]:
    """The instructions to its supervisor."""
    read: dict[str, Any] = json.loads(configuration(program, allowed, PATHS, confine=True))
    return read


@pytest.mark.parametrize(
    ("purpose", "image"),
    [(Purpose.PLAY, "python"), (Purpose.BUILD, "cpp"), (Purpose.DEBUG, "cpp")],
)
def test_only_games_that_count_are_played_without_the_compilers_image(
    purpose: Purpose, image: str
) -> None:
    assert program(purpose).image == image


def test_machine_code_is_made_by_builders_whose_programs_only_builds_execute() -> None:
    assert program(Purpose.PLAY).native
    assert not program(Purpose.PLAY, Runtime()).native
    programs = {each: told(program(each), limits())["programs"] for each in Purpose}
    assert programs == {Purpose.PLAY: [], Purpose.BUILD: ["/usr"], Purpose.DEBUG: []}


def test_adapters_are_readable_where_they_are_compiled_with_an_agent() -> None:
    def readable(program: Program) -> bool:
        return "/adapter" in told(program, limits())["readable"]

    assert readable(program(Purpose.BUILD))
    assert readable(program(Purpose.PLAY, readable=True))
    assert not readable(program(Purpose.PLAY))
    assert not readable(program(Purpose.DEBUG))


def test_checks_of_memory_reserve_more_than_an_address_space_may_have() -> None:
    limited = {each: told(program(each), limits())["address_space"] for each in Purpose}
    assert limited == {Purpose.PLAY: True, Purpose.BUILD: True, Purpose.DEBUG: False}
