"""A site of the version whose migrations were squashed goes on in this one.

``site_before_squashing.json`` was written at revision daef59bf. It has evaluations, tournaments, a
ladder and audits under way, and the digest of every request that graders were to be sent.
"""

import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from grader.audit import AuditReport
from grader.core.records import digest
from tests.support import tables, world
from tests.support.jobs import audit_request, audited_seats, request_of
from tests.support.migrated import migrated_database, migrated_postgres
from tests.support.migrating import as_python
from tests.support.postgres_server import PostgresServer, as_default_database
from tests.support.trusted import record_audit
from webapp.contests.tournaments.models import Tournament, TournamentAudit
from webapp.grading.evaluations.models import Audit, Evaluation
from webapp.grading.jobs.models import Job
from webapp.grading.jobs.queues import Queue
from webapp.people.auditlog.chain import check

SITE = Path(__file__).with_name("site_before_squashing.json")

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@cache
def site() -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(SITE.read_text())
    return facts


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def upgraded(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """The default database is that of the site, with this version's migrations."""
    if request.param == "sqlite":
        file = shutil.copyfile(migrated_database(SITE), tmp_path / "site.sqlite3")
        with as_default_database(f"sqlite:///{file}"):
            yield
        return
    server = PostgresServer(migrated_postgres(SITE))
    try:
        with as_default_database(server.url):
            yield
    finally:
        server.remove()


def test_an_upgraded_site_has_all_its_rows_and_ends_what_was_under_way(upgraded: None) -> None:
    for label, table in site()["rows"].items():
        model = apps.get_model(label)
        rows = model._base_manager.order_by("pk").values(*table["columns"])
        assert [plain(row) for row in rows] == [plain(row) for row in as_python(model, table)]
    assert check(at=timezone.now()).problems == ()
    jobs = Job.objects.open().exclude(queue=Queue.AUDITS).with_owners()
    audits = [each for model in (Audit, TournamentAudit) for each in waiting(model)]
    requests = [audit_request(audit) for audit in audits]
    if connection.vendor == "sqlite":  # in PostgreSQL the names in JSON have another order
        assert {str(job.uuid): digest(request_of(job)) for job in jobs} == site()["requests"]
        assert {request.audit: request.digest() for request in requests} == site()["audits"]

    for request in requests:
        record_audit(AuditReport(audit=request.audit, seats=audited_seats(request)))
    assert not any(waiting(model) for model in (Audit, TournamentAudit))
    for evaluation in Evaluation.objects.open():
        world.play(evaluation)
    for tournament in Tournament.objects.all():
        tables.play(tournament)
    assert set(Tournament.objects.values_list("status", flat=True)) == {"finished"}
    assert not Evaluation.objects.open().exists()
    queues = set(Job.objects.open().values_list("queue", flat=True))
    assert queues == {Queue.LADDER, Queue.AUDITS}  # audits of what has just been played


def plain(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: bytes(value) if isinstance(value, memoryview) else value
        for name, value in row.items()
    }


def waiting(model: type[Audit] | type[TournamentAudit]) -> list[Any]:
    return list(model._default_manager.filter(status="queued"))


def test_a_database_that_is_too_old_is_told_which_revision_to_upgrade_to_first() -> None:
    old = MigrationRecorder.Migration.objects.filter(app="jobs")
    old.exclude(name__startswith="000").delete()
    with pytest.raises(CommandError, match=r"(?s)lacks .* jobs\.0010_sent_index .* daef59bf"):
        call_command("migrate", skip_checks=False)
