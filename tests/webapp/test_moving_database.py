"""A site moves from SQLite to PostgreSQL, as the runbook says."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from tests.support import runbook
from tests.support.migrated import migrated_postgres
from tests.support.postgres_server import PostgresServer, as_default_database
from tests.support.rows import every_row
from tests.webapp import fakes
from webapp.auditlog.chain import check, link_new_acts
from webapp.courses.models import Team
from webapp.evaluations.models import Evaluation

pytestmark = [pytest.mark.postgresql, pytest.mark.deep, pytest.mark.django_db(transaction=True)]


def test_every_row_is_moved_to_postgresql(
    graded: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.play(graded)
    link_new_acts()
    before = every_row()
    dump, _, load = (line.split()[3:] for line in runbook.block("dumpdata"))
    monkeypatch.chdir(tmp_path)
    call_command(*dump[:3], verbosity=0)
    server = PostgresServer(migrated_postgres())
    try:
        with as_default_database(server.url):
            call_command(*load, verbosity=0)
            assert every_row() == before
            assert check(at=timezone.now()).problems == ()
            known = graded.submission.team
            Team.objects.create(assignment=known.assignment, name="New", alias="New")
    finally:
        server.remove()
