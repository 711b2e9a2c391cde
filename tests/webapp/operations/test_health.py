"""The health of the site's parts, as probes see it."""

import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from grader.uploads.store import ArtefactStore, StoreUnavailable
from tests.support.processes import PATIENCE_SECONDS, wait_until
from webapp.grading.operations import health
from webapp.grading.operations.health import SIGNS, HealthPart, is_ready, look
from webapp.grading.operations.models import Sign
from webapp.grading.operations.services import leave_sign

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything but what a test breaks; the test database of a fast run has no migrations."""
    for part in (HealthPart.BROKER, HealthPart.MIGRATIONS):
        monkeypatch.setitem(health._CHECKS, part, lambda: "")
    for part in SIGNS:
        leave_sign(part)


def faults() -> dict[HealthPart, str]:
    return {finding.part: finding.fault for finding in look() if finding.fault}


def test_a_site_that_works_has_no_fault() -> None:
    assert faults() == {}


@pytest.mark.parametrize(("part", "seconds"), [("tick", 60), ("results", 60), ("background", 90)])
def test_a_process_that_missed_six_signs_is_reported(part: str, seconds: int) -> None:
    Sign.objects.filter(name=part).update(at=timezone.now() - timedelta(seconds=seconds + 1))
    assert list(faults()) == [part]


@pytest.mark.parametrize(("seconds", "goes_on"), [(55, True), (65, False), (-65, False)])
def test_a_part_begins_anew_after_a_minute_without_a_sign(seconds: int, *, goes_on: bool) -> None:
    began, last = timezone.now() - timedelta(hours=1), timezone.now() - timedelta(seconds=seconds)
    Sign.objects.filter(name=HealthPart.TICK).update(at=last, since=began)
    leave_sign(HealthPart.TICK)
    assert (Sign.objects.get(name=HealthPart.TICK).since == began) is goes_on


def test_a_sign_from_before_beginnings_were_noted_gets_one() -> None:
    Sign.objects.filter(name=HealthPart.TICK).update(since=None)
    leave_sign(HealthPart.TICK)
    assert Sign.objects.get(name=HealthPart.TICK).since is not None


def test_a_sign_of_a_clock_that_was_fast_hides_no_silence() -> None:
    Sign.objects.filter(name=HealthPart.TICK).update(at=timezone.now() + timedelta(hours=1))
    assert list(faults()) == [HealthPart.TICK]


def test_the_store_is_written_at_each_look(settings: Settings, tmp_path: Path) -> None:
    """The store keeps what it has as it is, so a full disk could go unseen."""
    settings.STORE_URL = str(tmp_path)
    for _ in range(2):
        assert faults() == {}
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_unwritable_store_is_reported(settings: Settings) -> None:
    settings.STORE_URL = "/proc/no/store"
    assert list(faults()) == [HealthPart.STORE]


def test_a_store_that_hangs_keeps_no_probe_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kubernetes takes a probe without an answer for a site that cannot serve pages."""
    goes_on, calls = threading.Event(), []

    def hang(_: ArtefactStore, data: bytes) -> str:
        calls.append(data)
        goes_on.wait(PATIENCE_SECONDS)
        raise StoreUnavailable("cannot write: timed out")

    monkeypatch.setattr(health, "_STORE_SECONDS", 0.05, raising=False)
    with monkeypatch.context() as hanging:
        hanging.setattr(ArtefactStore, "put", hang)
        began = time.monotonic()
        for _ in range(3):
            assert faults() == {HealthPart.STORE: "no answer within 0.05 s"}
        assert time.monotonic() - began < PATIENCE_SECONDS
        assert len(calls) == 1
        goes_on.set()
    wait_until(lambda: faults() == {}, why="a store that works again is not seen")


def test_without_its_database_the_site_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> str:
        raise OperationalError("connection refused")

    monkeypatch.setitem(health._CHECKS, HealthPart.DATABASE, away)
    assert not is_ready(look())
    assert Client().get("/readyz").status_code == 503


def test_without_results_pages_are_served_anyway(settings: Settings) -> None:
    Sign.objects.all().delete()
    response = Client().get("/readyz")
    assert response.status_code == 200
    assert response.json()["parts"]["results"] == "fault"
    settings.METRICS_TOKEN = "token"
    told = Client().get("/readyz", headers={"Authorization": "Bearer token"}).json()
    assert told["parts"]["results"] == "not seen yet"


def test_a_process_that_answers_is_alive() -> None:
    response = Client().get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
