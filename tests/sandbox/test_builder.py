"""A builder: a sandbox that never plays, and whose build may start programs and write files."""

import json
import time
from pathlib import Path

import pytest

from sandbox.container import owned_containers
from sandbox.container_spec import BUILDER_PIDS, PIDS
from sandbox.control import Build
from sandbox.errors import SandboxLost
from sandbox.program import Purpose, Runtime
from tests.sandbox.stage import container_sandbox

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

BUILDER = {"runtime": Runtime(builder="cpp"), "purpose": Purpose.BUILD}


def built(step: str, sources: Path, *, seconds: float = 10.0) -> Build:
    with container_sandbox("echo", sources, how={**BUILDER, "build": step}) as opened:
        return opened.sandbox.build(seconds=seconds, output_bytes=1 << 20)


def test_a_builder_may_start_the_images_programs_and_write_scratch_and_nothing_else(
    tmp_path: Path,
) -> None:
    told = json.loads(built("attempts_at_work", tmp_path).output)
    assert {name for name, outcome in told.items() if outcome == "done"} == {"program", "scratch"}


def test_a_builders_processes_are_limited_and_none_is_left_behind(tmp_path: Path) -> None:
    before = owned_containers()
    began = time.monotonic()
    build = built("multiplies", tmp_path, seconds=3.0)  # its children hold the output open
    assert 0 < int(build.output) < PIDS + BUILDER_PIDS
    assert time.monotonic() - began < 60  # as long as its children would sleep
    assert owned_containers() == before


def test_a_builder_never_plays(tmp_path: Path) -> None:
    with container_sandbox("echo", tmp_path, how=BUILDER) as opened, pytest.raises(SandboxLost):
        opened.sandbox.start_process()


def test_machine_code_is_in_the_sandboxes_own_memory(tmp_path: Path) -> None:
    """And not where it was mounted from: that may be a place where nothing can be executed."""
    how = {"runtime": Runtime(builder="cpp"), "artefact": b"machine code"}
    with container_sandbox("where_it_lies", tmp_path, how=how) as opened:
        process = opened.sandbox.start_process()
        assert process.ask(b"?\n", start=True) == b"True machine code"
        process.finish(b"")
