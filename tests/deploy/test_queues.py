"""The queues that workers serve, in every file that starts them."""

import re
from pathlib import Path
from typing import Final

import pytest
from celery import Celery

from grader.worker.tasks import app as grader
from webapp.base.celery import SITE_QUEUES
from webapp.base.celery import app as site

ROOT: Final = Path(__file__).parents[2]
LANE: Final = re.compile(r"graded,practice[a-z,]*")
SITES_WORKER: Final = re.compile(r'webapp(?:,? worker,?)? --queues,? "?([a-z,]+)')
"""The queues of a worker of the site, in a shell's words or in a list of YAML."""


def lanes() -> dict[str, str]:
    files = [path for path in (ROOT / "deploy").rglob("*") if path.is_file()]
    files += [ROOT / "grader/worker/tasks.py"]
    texts = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8", errors="ignore")
        for path in files
    }
    return {name: lane for name, text in texts.items() for lane in LANE.findall(text)}


def test_ladders_are_served_last_everywhere() -> None:
    found = lanes()
    assert len(found) >= 6
    assert {lane.split(",")[-1] for lane in found.values()} == {"ladder"}, found


def served(*files: str) -> list[str]:
    texts = [(ROOT / "deploy" / file).read_text() for file in files]
    return [queues.rstrip(",") for text in texts for queues in SITES_WORKER.findall(text)]


def test_in_every_deployment_all_queues_of_the_site_are_served() -> None:
    apart = ["verdicts,results", "background"]
    assert served("compose.yaml") == apart
    assert served("kubernetes/site.yaml") == apart
    units = [f"systemd/firebox-{name}.service" for name in ("results", "background")]
    assert served(*units) == apart
    assert served("dev/site.sh") == [",".join(SITE_QUEUES)]


def test_systemd_starts_the_background_worker_with_the_results_worker() -> None:
    """An upgrade that only restarts what ran before starts it, too."""
    unit = (ROOT / "deploy/systemd/firebox-results.service").read_text()
    assert re.search(r"^Wants=.*\bfirebox-background\.service\b", unit, re.MULTILINE)


@pytest.mark.parametrize("app", [site, grader], ids=["site", "grader"])
def test_no_worker_can_be_controlled_through_the_broker(app: Celery) -> None:
    assert app.conf.worker_enable_remote_control is False
