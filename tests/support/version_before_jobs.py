"""Takes the place of ``this_version`` in a version that has no ``webapp.jobs``, such as 0e6421c.

It is run with that version's modules, which are imported by name: they are not in this checkout.
"""

import sys
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from importlib import import_module
from typing import Any, Final

from django.apps import apps

UNACKNOWLEDGED: Final = "unacked_index"
"""Redis' set of the messages that a results worker has taken."""


def course_fields(teams: int) -> dict[str, Any]:
    """Return nothing: a course had no number of places."""
    del teams
    return {}


def grade_fields(points: Decimal) -> dict[str, Any]:
    """Return nothing: nobody lost points by being late."""
    del points
    return {}


def make_jobs(evaluations: Sequence[Any], *, kind: str, status: str, at: datetime) -> None:
    """Send each evaluation in one piece."""
    del kind
    batch = apps.get_model("evaluations.Batch")
    batch._base_manager.bulk_create(
        batch(
            evaluation=evaluation,
            ranges=[[0, evaluation.n_games - 1]],
            n_games=evaluation.n_games,
            status=status,
            created_at=at,
            sent_at=at,
        )
        for evaluation in evaluations
    )


def add_staff_work(crowd: object) -> None:
    """Add nothing: regrade requests, similar sources, platforms and the log came later."""
    del crowd


def admit_grader(at: datetime) -> None:
    """Do nothing: graders had no keys."""
    del at


def report_on(evaluation: Any, first: int, size: int) -> str:
    """Return a grader's report of ``size`` games, from game ``first``."""
    records, world = import_module("grader.records"), import_module("tests.support.world")
    report = records.BatchReport(
        evaluation=str(evaluation.uuid),
        batch=str(evaluation.batches.get().uuid),
        phase=records.BatchPhase.PLAYING,
        results=tuple(
            world.game_result(evaluation, index, "iggi", ()) for index in range(first, first + size)
        ),
        worker="bench",
    )
    text: str = records.to_json(report)
    return text


def site_command(port: int, connections: int) -> list[str]:
    """Return the command that serves the site in one process, with the threads it was run with."""
    del connections
    options = ["--workers=1", "--threads=4", "--no-control-socket", f"--bind=127.0.0.1:{port}"]
    return [sys.executable, "-m", "gunicorn", "webapp.wsgi", *options]
