"""A site moves from SQLite to PostgreSQL, as the runbook says."""

from pathlib import Path

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.utils import timezone

from tests.support import runbook
from tests.support.migrated import migrated_postgres
from tests.support.postgres_server import PostgresServer, as_default_database
from tests.support.rows import every_row
from tests.webapp import fakes
from webapp.grading.evaluations.models import Evaluation
from webapp.people.auditlog.chain import check, link_new_acts
from webapp.teaching.courses.models import Team

pytestmark = [pytest.mark.postgresql, pytest.mark.deep, pytest.mark.django_db(transaction=True)]


def number_content_types_as_an_upgraded_site() -> None:
    """One is of a model that is gone; another came later than in a new database."""
    moved = {"app_label": "account", "model": "emailaddress"}
    ContentType.objects.filter(**moved).update(model="gone")
    ContentType.objects.create(**moved)


def rows() -> dict[str, list[dict[str, object]]]:
    """Return every row but of what a migration makes in any database."""
    made = {"contenttypes.ContentType", "auth.Permission"}
    return {label: found for label, found in every_row().items() if label not in made}


def test_every_row_is_moved_to_postgresql(
    graded: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.play(graded)
    link_new_acts()
    number_content_types_as_an_upgraded_site()
    before = rows()
    commands = [line for line in runbook.block("dumpdata") if not line.startswith("#")]
    dump, _, load = (line.split()[3:] for line in commands)
    monkeypatch.chdir(tmp_path)
    call_command(*dump, verbosity=0)
    server = PostgresServer(migrated_postgres())
    try:
        with as_default_database(server.url):
            call_command(*load, verbosity=0)
            assert rows() == before
            assert check(at=timezone.now()).problems == ()
            known = graded.submission.team
            Team.objects.create(assignment=known.assignment, name="New", alias="New")
    finally:
        server.remove()
