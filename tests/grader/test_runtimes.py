"""A game under another OCI runtime is the same game."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import docker
import pytest

from grader.records import AgentRef, BatchPhase, BatchReport
from grader.runner import Slot, open_batch
from grader.store import ArtefactStore
from grader.worker import work_off
from sandbox.images import LABEL
from tests.support.agents import STEADY, packed, request_for
from tests.support.docker_daemon import DockerDaemon

pytestmark = [pytest.mark.docker, pytest.mark.slow]


@pytest.fixture
def crun(
    docker_engine: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DockerDaemon]:
    """A Docker that knows crun; everything in this test is played with it."""
    daemon = DockerDaemon(tmp_path, runtimes={"crun": Path("/usr/bin/crun")})
    daemon.start()
    try:
        daemon.load_image()
        for name, value in daemon.settings.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("FIREBOX_RUNTIME", "crun")
        yield daemon
    finally:
        daemon.remove()


def test_a_game_under_crun_is_the_same_game(crun: DockerDaemon) -> None:
    request = request_for(range(3))
    with open_batch(request, [packed(STEADY)], Slot(core=0)) as batch:
        boxed = [result.record.actions for result in batch.games()]
        with closing(docker.DockerClient(base_url=crun.url)) as engine:
            seats = engine.containers.list(filters={"label": f"{LABEL}=seat"})
            runtimes = {seat.attrs["HostConfig"]["Runtime"] for seat in seats}
    plain = Slot(core=None, sandboxed=False)
    with open_batch(request, [packed(STEADY)], plain) as batch:
        assert boxed == [result.record.actions for result in batch.games()]
    assert runtimes == {"crun"}


def test_the_runtime_is_part_of_a_reports_evidence(crun: DockerDaemon, tmp_path: Path) -> None:
    store = ArtefactStore(str(tmp_path / "store"))
    agent = AgentRef(interface="python", sha256=store.put(packed(STEADY)))
    sent: list[BatchReport] = []
    work_off(replace(request_for([0]), agents=(agent,)), store, Slot(core=1), sent.append)
    assert sent[-1].phase is BatchPhase.DONE
    assert ", crun, firebox " in sent[-1].worker
