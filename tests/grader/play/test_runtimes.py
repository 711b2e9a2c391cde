"""A game under another OCI runtime is the same game; what is compiled is kept for later batches."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import docker
import pytest

from grader.core.records import AgentRef, BatchPhase, BatchReport
from grader.play.batch import open_batch
from grader.play.build_cache import BuildCache
from grader.play.slot import Slot
from grader.uploads.store import ArtefactStore
from grader.worker.requests import play_request
from sandbox.images import LABEL, image_reference
from sandbox.scratch import owner
from tests.grader.interfaces.gcc_cpp import uploads
from tests.support.agents import STEADY, packed, request_for
from tests.support.docker_daemon import DockerDaemon, running_docker
from tests.support.slots import UNCONFINED, own_core

pytestmark = [pytest.mark.docker, pytest.mark.slow]

CRUN = Path("/usr/bin/crun")


@pytest.fixture(scope="module")
def daemon(
    docker_engine: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DockerDaemon]:
    with running_docker(tmp_path_factory.mktemp("crun"), runtimes={"crun": CRUN}) as daemon:
        yield daemon


@pytest.fixture
def crun(daemon: DockerDaemon, monkeypatch: pytest.MonkeyPatch) -> DockerDaemon:
    for name, value in daemon.settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("FIREBOX_RUNTIME", "crun")
    return daemon


def test_a_game_under_crun_is_the_same_game(crun: DockerDaemon) -> None:
    request = request_for(range(3))
    with open_batch(request, [packed(STEADY)], Slot(core=own_core())) as batch:
        boxed = [result.record.actions for result in batch.games()]
        with closing(docker.DockerClient(base_url=crun.url)) as engine:
            seats = engine.containers.list(filters={"label": f"{LABEL}=seat"})
            runtimes = {seat.attrs["HostConfig"]["Runtime"] for seat in seats}
    with open_batch(request, [packed(STEADY)], UNCONFINED) as batch:
        assert boxed == [result.record.actions for result in batch.games()]
    assert runtimes == {"crun"}


def test_the_runtime_is_part_of_a_reports_evidence(crun: DockerDaemon, tmp_path: Path) -> None:
    store = ArtefactStore(str(tmp_path / "store"))
    agent = AgentRef(interface="python", sha256=store.put(packed(STEADY)))
    sent: list[BatchReport] = []
    play_request(
        replace(request_for([0]), agents=(agent,)), store, Slot(core=own_core()), sent.append
    )
    assert sent[-1].phase is BatchPhase.DONE
    assert ", crun, firebox " in sent[-1].worker


@pytest.fixture
def opened(docker_engine: docker.DockerClient) -> Callable[[], list[str]]:
    """The images of the containers that this test has started so far, in their order."""
    began = time.time_ns()

    def images() -> list[str]:
        wanted = {"type": "container", "event": "start", "label": f"{LABEL}.owner={owner()}"}
        now = time.time()
        events = docker_engine.events(
            since=int(began / 1e9), until=int(now) + 1, filters=wanted, decode=True
        )
        return [event["from"] for event in events if event["timeNano"] > began]

    return images


def test_a_second_batch_needs_no_builder(opened: Callable[[], list[str]], tmp_path: Path) -> None:
    slot = Slot(core=own_core(), builds=BuildCache(tmp_path))
    request, upload = uploads.request_for([0]), uploads.folder("cautious")
    records = []
    for _ in range(2):
        with open_batch(request, [upload], slot) as batch:
            records += [result.record for result in batch.games()]
    seats = [image_reference("python")] * 2
    assert opened() == [image_reference("cpp"), *seats, *seats]
    assert records[0].actions == records[1].actions


def test_a_batch_of_other_sources_has_a_builder_of_its_own(
    opened: Callable[[], list[str]], tmp_path: Path
) -> None:
    slot = Slot(core=own_core(), builds=BuildCache(tmp_path))
    for upload in (uploads.player(), uploads.player("turn += 0;")):
        with open_batch(uploads.request_for([0]), [upload], slot) as batch:
            assert batch.playable
    assert opened().count(image_reference("cpp")) == 2


def test_a_debugging_build_is_kept_beside_the_usual_one(
    tmp_path: Path,
) -> None:
    for debug in (True, True, False):
        slot = Slot(core=own_core(), builds=BuildCache(tmp_path), debug=debug)
        with open_batch(uploads.request_for([0]), [uploads.player()], slot) as batch:
            assert batch.playable
    usual, checked = sorted(file.stat().st_size for file in tmp_path.iterdir())
    assert usual < checked
