"""Pruning of the store: unreferenced files are removed, all others stay."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from grader.core.errors import SystemFault
from grader.uploads.store import ArtefactStore
from webapp.base.artefacts import store, stored_house_agent
from webapp.base.celery import PRUNE, app
from webapp.flow import tasks
from webapp.flow.lifecycle.pruning import prune
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def put(data: bytes, settings: Settings, *, hours: float = 48) -> str:
    key = store().put(data)
    path = Path(settings.STORE_URL) / key[:2] / key
    written = path.stat().st_mtime - 3600 * hours
    os.utime(path, (written, written))
    return key


def keys() -> set[str]:
    return {key for key, _ in store().artefacts()}


def test_an_unreferenced_file_is_removed(settings: Settings) -> None:
    put(b"useless", settings)
    pruned = prune(older_than=DAY)
    assert (pruned.kept, pruned.removed) == (0, 1)
    assert pruned.bytes > 0
    assert keys() == set()


def test_a_young_file_stays(settings: Settings) -> None:
    key = put(b"under way", settings, hours=1)
    assert prune(older_than=DAY).removed == 0
    assert keys() == {key}


def test_a_file_that_is_stored_again_counts_as_young(settings: Settings) -> None:
    key = put(b"again", settings)
    store().put(b"again")
    assert prune(older_than=DAY).removed == 0
    assert keys() == {key}


def test_a_referenced_file_stays(graded: Evaluation, settings: Settings) -> None:
    needed = [put(name, settings) for name in (b"uploaded", b"evaluated", b"opponent", b"useless")]
    Submission.objects.update(sha256=needed[0])
    house = stored_house_agent("iggi")
    agent = {"interface": "python", "sha256": needed[2], "options": []}
    Evaluation.objects.update(sha256=needed[1], opponents=[agent])
    assert prune(older_than=DAY).removed == 1
    assert keys() > {*needed[:3], house.sha256}
    assert needed[3] not in keys()


def test_a_dry_run_removes_nothing(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    key = put(b"useless", settings)
    call_command("prune", "--dry-run")
    assert capsys.readouterr().out == "0 artefacts kept, 1 would be removed\n"
    assert keys() == {key}
    call_command("prune")
    assert "1 removed" in capsys.readouterr().out
    assert keys() == set()


@pytest.mark.parametrize("hours", ["0", "nan", "inf", "1e12"])
def test_uploads_under_way_cannot_be_removed_by_mistake(hours: str) -> None:
    with pytest.raises(CommandError, match="at least 1"):
        call_command("prune", "--older-than", hours)


def test_the_daily_task_prunes_the_store_and_continues_later(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = put(b"young", settings, hours=1)
    for data in (b"one", b"two"):
        put(data, settings)
    sent: list[str] = []
    monkeypatch.setattr(app, "send_task", lambda name, **_: sent.append(name))
    tasks.prune.apply(throw=True)
    assert (keys(), sent) == ({needed}, [])
    put(b"three", settings)
    assert prune(older_than=DAY, seconds=0).left == 1
    monkeypatch.setattr(tasks, "PRUNE_SECONDS", 0)
    tasks.prune.apply(throw=True)
    assert (len(keys()), sent) == (2, [PRUNE])


def test_a_store_that_fails_is_left_for_another_day(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: ArtefactStore) -> None:
        raise SystemFault("cannot list the artefact store")

    monkeypatch.setattr(ArtefactStore, "artefacts", fail)
    tasks.prune.apply(throw=True)
    assert "not pruned today: cannot list" in caplog.text
