"""A site of the version before jobs had a table of their own: nothing is lost, and all goes on.

``site_before_jobs.json`` was written by that version, with finished and running evaluations,
tournaments and audits, and with the digest of every request that graders had been sent.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.postgres_server import PostgresServer

ROOT = Path(__file__).parents[3]
SITE = Path(__file__).with_name("site_before_jobs.json")
BEFORE = json.loads(SITE.read_text())
UPGRADE = """
import sys, django
django.setup()
from tests.support.upgraded_site import main
main(sys.argv[1])
"""
SAME = (
    *("uuid", "evaluation", "tournament", "n_games", "attempt", "status", "created_at"),
    *("send_after", "sent_at", "lease_until", "system_fault", "worker", "claimed_by"),
)
"""Columns of a batch that its job has as well."""

pytestmark = pytest.mark.slow


def upgraded(var: Path, **environment: str) -> dict[str, Any]:
    """The facts about the site, upgraded in a database of its own."""
    result = subprocess.run(
        [sys.executable, "-c", UPGRADE, str(SITE)],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "webapp.settings",
            "FIREBOX_VAR_DIR": str(var),
            "FIREBOX_BROKER_URL": "redis://127.0.0.1:1/0",
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    facts: dict[str, Any] = json.loads(result.stdout)
    return facts


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What became of it on SQLite."""
    return upgraded(tmp_path_factory.mktemp("var"))


def jobs_of(after: dict[str, Any], owner: str) -> dict[int, dict[str, Any]]:
    jobs = {row["pk"]: row["fields"] for row in after["jobs"]}
    return {pk: job for pk, job in jobs.items() if job[owner] is not None}


def test_every_batch_is_a_job_with_the_same_key_and_columns(after: dict[str, Any]) -> None:
    jobs = jobs_of(after, "evaluation") | jobs_of(after, "tournament")
    rows = BEFORE["rows"]["evaluations.batch"]
    assert sorted(jobs) == [row["id"] for row in rows]
    for row in rows:
        assert {name: jobs[row["id"]][name] for name in SAME} == {name: row[name] for name in SAME}


def test_it_waits_in_the_same_queue_and_asks_for_the_same_games(after: dict[str, Any]) -> None:
    kinds = {row["id"]: row["kind"] for row in BEFORE["rows"]["evaluations.evaluation"]}
    jobs = jobs_of(after, "evaluation") | jobs_of(after, "tournament")
    for row in BEFORE["rows"]["evaluations.batch"]:
        games = {"ranges": row["ranges"], "check_first": row["check_first"]}
        job = jobs[row["id"]]
        assert job["queue"] == kinds.get(row["evaluation"], "graded")
        assert job["payload"] == (games if row["table"] is None else row["table"])


def test_graders_are_asked_for_the_same_to_the_byte(after: dict[str, Any]) -> None:
    assert after["requests"] == BEFORE["requests"]
    assert after["audits"] == BEFORE["audits"]


def test_an_audit_has_its_latest_attempt_as_a_job(after: dict[str, Any]) -> None:
    jobs = {job["audit"]: job for job in jobs_of(after, "audit").values()}
    names = ("n_games", "attempt", "status", "send_after", "sent_at", "claimed_by")
    for row in BEFORE["rows"]["evaluations.audit"]:
        job = jobs[row["id"]]
        assert {name: job[name] for name in names} == {name: row[name] for name in names}
        assert job["queue"] == "audits"


def test_only_what_lay_in_a_queue_is_looked_for_there(after: dict[str, Any]) -> None:
    assert after["waiting"] == {"smoke": 0, "practice": 1, "graded": 4, "audits": 1}


def test_a_claim_outlasts_the_upgrade(after: dict[str, Any]) -> None:
    assert after["refused"].endswith("is played by another grader")


def test_what_was_lost_meanwhile_is_sent_again(after: dict[str, Any]) -> None:
    assert after["lost"] == 7


def test_everything_that_was_under_way_ends(after: dict[str, Any]) -> None:
    assert after["open"] == 0
    ended = {name: (status, whole) for name, status, whole in after["evaluations"]}
    assert ended.pop("practice of Ben Okri #1")[0] == "failed"
    assert ended.pop("practice of Dan #1")[0] == "cancelled"
    assert set(ended.values()) == {("finished", True)}
    assert set(map(tuple, after["tournaments"].values())) == {("finished", True)}


def test_audits_are_answered_also_at_an_attempt_before_the_upgrade(after: dict[str, Any]) -> None:
    assert after["answered"][:4] == ["finished", "finished", "failed", "finished"]


def games_of(after: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for row in after["jobs"] if row["fields"]["audit"] is None]


@pytest.mark.postgresql
def test_on_postgresql_the_same_becomes_of_it(after: dict[str, Any], tmp_path: Path) -> None:
    server = PostgresServer()
    try:
        there = upgraded(tmp_path, DATABASE_URL=server.url)
    finally:
        server.remove()
    assert games_of(there) == games_of(after)
    assert there["audits"] == after["audits"]
    for fact in ("waiting", "refused", "lost", "evaluations", "tournaments", "answered", "open"):
        assert there[fact] == after[fact]
