"""What PostgreSQL reads at the start of a batch, with sixty thousand batches waiting."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support import world as worlds
from tests.support.backlogs import COURSES, a_backlog
from tests.support.postgres_server import PostgresServer
from tests.webapp.conftest import NOW
from tests.webapp.jobs.test_lines import QUEUES, looks
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.jobs import policy
from webapp.grading.jobs.lines import ENOUGH, lines

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

WAITING: Final = 60_000
MOST: Final = 3 * ENOUGH * COURSES * len(QUEUES) + 500
"""Rows: three looks at the beginning of each line, and some for what is in flight."""


@pytest.fixture(scope="module", autouse=True)
def server(site_on_postgres: PostgresServer) -> PostgresServer:
    return site_on_postgres


def scans(plan: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield each reading of jobs in a plan: its kind, and the rows that it read."""
    if plan.get("Relation Name") == "jobs_job" or plan["Node Type"] == "Bitmap Index Scan":
        removed = ("Rows Removed by Filter", "Rows Removed by Index Recheck")
        rows = plan["Actual Rows"] + sum(plan.get(name, 0) for name in removed)
        yield plan["Node Type"], rows * plan["Actual Loops"]
    for part in plan.get("Plans", ()):
        yield from scans(part)


def explained(sql: str) -> list[tuple[str, float]]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
        ((plan,),) = (cursor.fetchone()[0],)
    return list(scans(plan["Plan"]))


@pytest.mark.parametrize("known", [True, False], ids=["analysed", "just come"])
def test_plans_read_as_few_rows_however_much_waits(known: bool) -> None:  # noqa: FBT001
    """A backlog may have come since PostgreSQL has last counted rows."""
    world = worlds.make()
    worlds.submit_and_practise(world, world.ada)
    a_backlog(Evaluation.objects.latest("pk"), WAITING, at=NOW)
    if known:
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE jobs_job")
    chosen = policy.choose(lines(QUEUES, at=NOW), 20)
    assert len(chosen) == 20
    for name, look in looks(chosen).items():
        with CaptureQueriesContext(connection) as queries:
            look()
        read = [scan for query in queries for scan in explained(query["sql"])]
        assert sum(rows for _, rows in read) <= MOST, (name, read)
