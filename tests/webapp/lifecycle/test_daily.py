"""Daily deletion of unneeded data, in batches; commands write, check and import course files."""

import json
import os
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from grader.cli.main import main
from tests.support.world import World
from tests.webapp.lifecycle.test_pruning import keys
from webapp.flow.lifecycle import batches
from webapp.flow.lifecycle.batches import BatchDeadline, in_batches, raw_delete
from webapp.flow.lifecycle.clearing import JOBS_KEPT, clear_away
from webapp.flow.lifecycle.services.archiving import unarchive_course
from webapp.flow.lifecycle.services.retention import set_retention
from webapp.flow.tasks import prune
from webapp.grading.jobs.models import Job
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import FormAttempt
from webapp.people.notifications.models import Notification
from webapp.teaching.courses.models import Course

pytestmark = pytest.mark.django_db


def test_expired_sessions_and_lockouts_are_removed(db: None) -> None:
    now = timezone.now()
    for hours, key in ((-1, "over"), (1, "open")):
        at = now + timedelta(hours=hours)
        Session.objects.create(session_key=key, session_data="x", expire_date=at)
    for hours in (3, 0):
        attempt = AccessAttempt.objects.create(username=f"ada{hours}", failures_since_start=1)
        AccessAttempt.objects.filter(pk=attempt.pk).update(
            attempt_time=now - timedelta(hours=hours)
        )
        FormAttempt.objects.create(kind="sign_in", network="n", at=now - timedelta(hours=hours))
    clear_away(BatchDeadline(None), at=now)
    assert list(Session.objects.values_list("session_key", flat=True)) == ["open"]
    assert list(AccessAttempt.objects.values_list("username", flat=True)) == ["ada0"]
    assert FormAttempt.objects.count() == 1


def test_jobs_are_removed_a_month_after_they_were_closed(over: World) -> None:
    n_jobs = Job.objects.count()
    n_open = Job.objects.open().count()
    assert n_jobs > n_open + 3
    clear_away(BatchDeadline(None), at=timezone.now() + JOBS_KEPT - timedelta(hours=1))
    assert Job.objects.count() == n_jobs
    clear_away(BatchDeadline(None), at=timezone.now() + JOBS_KEPT + timedelta(hours=1))
    assert Job.objects.count() == n_open


def test_work_is_done_in_batches_and_stops_at_its_deadline(over: World) -> None:
    sizes = []
    jobs = Job.objects.all()
    done = in_batches(jobs, lambda rows: sizes.append(rows.count()), BatchDeadline(None), size=2)
    assert (max(sizes), sum(sizes)) == (2, done) == (2, Job.objects.count())
    assert in_batches(jobs, raw_delete, BatchDeadline(0)) == 0
    assert batches.ROWS_AT_ONCE <= 1000


def test_the_clocks_task_deletes_what_is_due(over: World) -> None:
    set_retention(course=over.course, by=over.ida, prints_days=0)
    Notification.objects.update(created_at=timezone.now() - timedelta(days=100))
    prune.apply(throw=True)
    assert not Notification.objects.exists()


def test_a_program_that_was_given_up_leaves_the_store(over: World, settings: Settings) -> None:
    uploads = keys()
    set_retention(course=over.course, by=over.ida, sources_days=0)
    said = StringIO()
    call_command("prune", "--dry-run", stdout=said)
    assert "uploaded programs of Cooperative agents (Autumn 2026) would be removed" in str(
        said.getvalue()
    )
    assert keys() == uploads
    call_command("prune", stdout=StringIO())
    for path in Path(settings.STORE_URL).rglob("*"):
        path.touch()
    old(settings)
    call_command("prune", stdout=StringIO())
    assert keys() < uploads


def old(settings: Settings) -> None:
    """Have everything in the store be two days old."""
    for path in Path(settings.STORE_URL).rglob("*"):
        os.utime(path, (0, 0))


def test_commands_write_check_and_take_in_a_course(
    over: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "coop.zip"
    call_command("archive", "coop", "--output", str(path), stdout=StringIO())
    assert path.stat().st_mode & 0o077 == 0
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".partial"] == []
    assert main(["verify", str(path)]) == 0
    assert "The file is consistent." in capsys.readouterr().out
    assert main(["verify", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["grades"] == 2
    said = StringIO()
    with pytest.raises(CommandError, match="nobody has confirmed the address"):
        call_command("import_course", str(path), "again", "--instructor", over.ida.email)
    confirm_address(over.ida)
    call_command("import_course", str(path), "again", "--instructor", over.ida.email, stdout=said)
    assert "2 grades derived again" in said.getvalue()
    assert Course.objects.filter(slug="again").exists()


def test_commands_explain_what_is_wrong(over: World, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no course has the short name"):
        call_command("archive", "x")
    with pytest.raises(CommandError, match="no account has the address"):
        call_command("import_course", "x", "y", "--instructor", "x@example.org")
    (tmp_path / "file").touch()
    long = "a" * 300
    for directory in ("none", "file", long):
        with pytest.raises(CommandError, match=directory):
            call_command("archive", "coop", f"--output={tmp_path / directory / 'x.zip'}")
    unarchive_course(course=over.course, by=over.ida)
    with pytest.raises(CommandError, match="Archive the course first"):
        call_command("archive", "coop", "--output", str(tmp_path / "x.zip"))
    assert list(tmp_path.glob("*.zip")) == []
