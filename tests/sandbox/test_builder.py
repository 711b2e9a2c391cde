"""A builder: a seat whose build step may start programs and write files, and which never plays."""

import json
import time
from pathlib import Path

import pytest

from sandbox.container import owned_containers
from sandbox.container_spec import BUILDER_PIDS, PIDS
from sandbox.control import Build
from sandbox.errors import SandboxLost
from sandbox.program import Purpose, Runtime
from tests.sandbox.stage import container_seat

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

BUILDER = {"runtime": Runtime(builder="cpp"), "purpose": Purpose.BUILD}


def built(step: str, sources: Path, *, seconds: float = 10.0) -> Build:
    with container_seat("echo", sources, how={**BUILDER, "build": step}) as seat:
        return seat.sandbox.build(seconds=seconds, output_bytes=1 << 20)


def test_it_starts_the_images_programs_and_writes_scratch_and_nothing_else(tmp_path: Path) -> None:
    told = json.loads(built("attempts_at_work", tmp_path).output)
    assert {name for name, outcome in told.items() if outcome == "done"} == {"program", "scratch"}


def test_it_cannot_multiply_without_end_and_leaves_nobody_behind(tmp_path: Path) -> None:
    before = owned_containers()
    began = time.monotonic()
    build = built("multiplies", tmp_path, seconds=3.0)  # its children hold the output open
    assert 0 < int(build.output) < PIDS + BUILDER_PIDS
    assert time.monotonic() - began < 60  # as long as its children would sleep
    assert owned_containers() == before


def test_a_builder_never_plays(tmp_path: Path) -> None:
    with container_seat("echo", tmp_path, how=BUILDER) as seat, pytest.raises(SandboxLost):
        seat.sandbox.start_process()


def test_machine_code_is_in_the_seats_own_memory(tmp_path: Path) -> None:
    """And not where it was mounted from: that may be a place where nothing can be executed."""
    how = {"runtime": Runtime(builder="cpp"), "artefact": b"machine code"}
    with container_seat("where_it_lies", tmp_path, how=how) as seat:
        process = seat.sandbox.start_process()
        assert process.ask(b"?\n", start=True) == b"True machine code"
        process.finish(b"")
