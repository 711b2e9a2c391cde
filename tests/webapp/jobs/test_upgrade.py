"""Sites of earlier versions, brought to this one: nothing is lost, and all goes on.

Each ``site_before_….json`` was written by a version before graders had keys to claim batches with,
or just before jobs had a table of their own. It has finished and running evaluations, tournaments
and audits; the later one also the digest of every request that graders had been sent.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.utils.dateparse import parse_datetime

from grader.core.deals import PRACTICE_SECRET, REFERENCE_SECRET
from tests.support.depth import deeper
from tests.support.migrated import migrated_database, migrated_postgres
from tests.support.once import once
from tests.support.postgres_server import PostgresServer

ROOT = Path(__file__).parents[3]
EARLIER, LATER = "site_before_claims.json", "site_before_jobs.json"
GO_ON = """
import django
django.setup()
from tests.support.upgraded_site import main
main()
"""
SAME = (
    *("uuid", "evaluation", "tournament", "n_games", "attempt", "status", "created_at"),
    *("send_after", "sent_at", "lease_until", "system_fault", "worker", "claimed_by"),
)
"""Columns of a batch that its job has as well."""
TIMES = {"created_at", "send_after", "sent_at", "lease_until"}

pytestmark = pytest.mark.slow


Facts = dict[str, Any]


def rows_before(site: str, table: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read(site)["rows"][table]
    return rows


@cache
def read(site: str) -> Facts:
    facts: Facts = json.loads(Path(__file__).with_name(site).read_text())
    return facts


@cache
def upgraded(site: str) -> Facts:
    """The facts about a site, upgraded in an SQLite database."""
    sites: dict[str, Facts] = json.loads(once("upgraded sites", upgrade_both))
    return sites[site]


def upgrade_both() -> bytes:
    """Return the facts about both sites, by their files, as JSON."""
    sites = (EARLIER, LATER)
    return json.dumps(dict(zip(sites, go_on(*map(sqlite_of, sites)), strict=True))).encode()


def sqlite_of(site: str) -> Path:
    """The upgraded site as an SQLite file, which is not to be written to."""
    return migrated_database(Path(__file__).with_name(site))


def go_on(*databases: Path | str) -> list[Facts]:
    """Go on with copies of these SQLite files, and with the databases at these addresses.

    One process serves all: its start takes longer than what it does with a site.
    """
    with TemporaryDirectory() as var:
        addresses = [
            f"sqlite:///{shutil.copyfile(each, Path(var, f'{number}.sqlite3'))}"
            if isinstance(each, Path)
            else each
            for number, each in enumerate(databases)
        ]
        result = subprocess.run(
            [sys.executable, "-c", GO_ON, *addresses],
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "DJANGO_SETTINGS_MODULE": "webapp.settings",
                "FIREBOX_VAR_DIR": var,
                "FIREBOX_BROKER_URL": "redis://127.0.0.1:1/0",
            },
            capture_output=True,
            check=False,
            timeout=600,
        )
    assert result.returncode == 0, result.stderr.decode()
    facts: list[Facts] = json.loads(result.stdout)
    return facts


@pytest.fixture(params=[EARLIER, LATER])
def site(request: pytest.FixtureRequest) -> str:
    """The file of one of the sites."""
    return str(request.param)


def jobs_of(after: Facts, owner: str) -> dict[int, dict[str, Any]]:
    jobs = {row["pk"]: row["fields"] for row in after["jobs"]}
    return {pk: job for pk, job in jobs.items() if job[owner] is not None}


def values(row: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Columns by name, times as such: dumps have written them in two ways."""
    texts = {name: row.get(name, "") for name in names}
    return {
        name: parse_datetime(text) if name in TIMES and text else text
        for name, text in texts.items()
    }


def test_every_batch_is_a_job_with_the_same_key_and_columns(site: str) -> None:
    after = upgraded(site)
    jobs = jobs_of(after, "evaluation") | jobs_of(after, "tournament")
    rows = rows_before(site, "evaluations.batch")
    assert sorted(jobs) == [row["id"] for row in rows]
    for row in rows:
        job = jobs[row["id"]]
        assert values(job, SAME) == values(row, SAME)


def test_a_waiting_batch_keeps_its_queue_and_its_games(site: str) -> None:
    after = upgraded(site)
    kinds = {row["id"]: row["kind"] for row in rows_before(site, "evaluations.evaluation")}
    jobs = jobs_of(after, "evaluation") | jobs_of(after, "tournament")
    for row in rows_before(site, "evaluations.batch"):
        games = {"ranges": row["ranges"], "check_first": row["check_first"]}
        job = jobs[row["id"]]
        assert job["queue"] == kinds.get(row["evaluation"], "graded")
        assert job["payload"] == (games if row["table"] is None else row["table"])


def test_requests_to_graders_are_the_same_to_the_byte() -> None:
    before, after = read(LATER), upgraded(LATER)
    assert after["requests"] == before["requests"]
    assert after["audits"] == before["audits"]


def test_an_audit_has_its_latest_attempt_as_a_job(site: str) -> None:
    jobs = {job["audit"]: job for job in jobs_of(upgraded(site), "audit").values()}
    names = ("n_games", "attempt", "status", "send_after", "sent_at", "claimed_by")
    for row in rows_before(site, "evaluations.audit"):
        job = jobs[row["id"]]
        assert values(job, names) == values(row, names)
        assert job["queue"] == "audits"


def test_only_what_lay_in_a_queue_is_looked_for_there(site: str) -> None:
    waiting = upgraded(site)["waiting"]
    assert {queue: count for queue, count in waiting.items() if count} == {
        "practice": 1,
        "graded": 4,
        "audits": 1,
    }


def test_a_claim_outlasts_the_upgrade() -> None:
    assert upgraded(LATER)["refused"].endswith("is played by another grader")


def test_jobs_lost_during_the_upgrade_are_sent_again(site: str) -> None:
    assert upgraded(site)["lost"] == 7


def test_everything_that_was_under_way_ends(site: str) -> None:
    after = upgraded(site)
    assert after["open"] == 0
    ended = {name: (status, whole) for name, status, whole in after["evaluations"]}
    assert ended.pop("practice of Ben Okri #1")[0] == "failed"
    assert ended.pop("practice of Dan #1")[0] == "cancelled"
    assert set(ended.values()) == {("finished", True)}
    assert set(map(tuple, after["tournaments"].values())) == {("finished", True)}


def test_audits_are_answered_also_at_an_attempt_before_the_upgrade(site: str) -> None:
    assert upgraded(site)["answered"][:4] == ["finished", "finished", "failed", "finished"]


def test_extensions_are_of_the_teams_assignment_and_points_have_no_penalty(site: str) -> None:
    after = upgraded(site)
    assert after["extensions"] == [[1, 6, None]]
    before = [row["points"] for row in rows_before(site, "gradebook.grade")]
    assert after["points"][: len(before)] == [[points, points, "0.00"] for points in before]


def test_assignments_keep_their_practice_deals_and_later_ones_have_those_of_today() -> None:
    assert not any("practice_secret" in row for row in rows_before(EARLIER, "courses.assignment"))
    *earlier, later = upgraded(EARLIER)["practice"]
    assert earlier == [REFERENCE_SECRET.hex()] * len(rows_before(EARLIER, "courses.assignment"))
    assert later == PRACTICE_SECRET.hex()


def games_of(after: Facts) -> list[dict[str, Any]]:
    return [row for row in after["jobs"] if row["fields"]["audit"] is None]


@pytest.mark.postgresql
@pytest.mark.long
@pytest.mark.parametrize("site", deeper([EARLIER], deep=[EARLIER, LATER]))
def test_an_upgrade_on_postgresql_has_the_same_outcome(site: str) -> None:
    server = PostgresServer(migrated_postgres(Path(__file__).with_name(site)))
    try:
        there, after = go_on(server.url, sqlite_of(site))
    finally:
        server.remove()
    assert games_of(there) == games_of(after)
    assert there["audits"] == after["audits"]
    for fact in (
        "extensions",
        "points",
        "waiting",
        "refused",
        "lost",
        "evaluations",
        "tournaments",
        "answered",
        "open",
    ):
        assert there[fact] == after[fact]
