"""The parts of benchmarks that may differ between the versions of the site they compare."""

import sys
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tests.support.crowd import Crowd
    from webapp.evaluations.models import Evaluation, Kind, Status

UNACKNOWLEDGED: Final = "results.unacked_index"
"""Redis' set of the messages that a results worker has taken."""


def course_fields(teams: int) -> dict[str, Any]:
    """Return the fields of a course that has room for ``teams`` teams."""
    return {"places": teams + 10}


def grade_fields(points: Decimal) -> dict[str, Any]:
    """Return the fields of a grade that was given in time."""
    return {"full_points": points}


def make_jobs(
    evaluations: "Sequence[Evaluation]", *, kind: "Kind", status: "Status", at: datetime
) -> None:
    """Send each evaluation in one piece."""
    from webapp.jobs.models import Job

    Job.objects.bulk_create(
        Job(
            evaluation=evaluation,
            queue=kind,
            payload={"ranges": [[0, evaluation.n_games - 1]], "check_first": False},
            n_games=evaluation.n_games,
            status=status,
            created_at=at,
            sent_at=at,
        )
        for evaluation in evaluations
    )


def add_staff_work(crowd: "Crowd") -> None:
    """Add what else the staff's pages show."""
    from tests.support.staff_work import add_staff_work

    add_staff_work(crowd, acts=20)


def admit_grader(at: datetime) -> None:
    """Have the site believe the reports of ``report_on``."""
    from tests.support.graders import GRADER_KEY
    from webapp.graders.services import admit_key

    admit_key(public_key=GRADER_KEY, name="bench", at=at)


def report_on(evaluation: "Evaluation", first: int, size: int) -> str:
    """Return a grader's report of ``size`` games, from game ``first``."""
    from grader.core.records import BatchPhase, BatchReport
    from tests.support.graders import signed
    from tests.support.jobs import request_of
    from tests.support.world import game_result

    job = evaluation.jobs.get()
    report = BatchReport(
        evaluation=str(evaluation.uuid),
        batch=str(job.uuid),
        phase=BatchPhase.PLAYING,
        results=tuple(
            game_result(evaluation, index, "iggi", ()) for index in range(first, first + size)
        ),
        worker="bench",
        request=request_of(job).digest(),
    )
    return signed(report, "record_batch")


def site_command(port: int, connections: int) -> list[str]:
    """Return the command that serves the site in one process."""
    options = ["--processes=1", f"--connections={connections + 50}", f"--bind=127.0.0.1:{port}"]
    return [sys.executable, "-m", "webapp.serve", *options]
