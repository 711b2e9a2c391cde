"""Statistics that authors learn from: computed once an evaluation has finished, and kept.

Replaying a thousand games takes seconds, so that nothing is locked meanwhile.
"""

import logging
from collections.abc import Iterator
from uuid import UUID

import msgspec
from django.db.models import QuerySet

from grader.core.errors import RecordError
from grader.results.insights import CountedGame, Insights, insights_of
from webapp.evaluations.models import STOPPED, Evaluation, Status

__all__ = ["compute_insights", "compute_insights_of", "compute_missing_insights"]

logger = logging.getLogger(__name__)

AT_ONCE = 5
"""Evaluations for which a periodic call computes what is missing."""


def compute_insights(evaluation: Evaluation) -> None:
    """Compute and keep what a finished evaluation's games tell; nothing if it has no figures.

    Games by other rules than ours tell nothing, and that is kept, too.
    """
    if evaluation.status != Status.FINISHED or evaluation.mean is None:
        return
    spec = evaluation.parsed_spec
    try:
        insights = insights_of(spec, evaluation.assignment.rules, list(_games(evaluation)))
    except RecordError as error:
        logger.warning("evaluation %s has no statistics: %s", evaluation.uuid, error)
        insights = Insights(
            lost=0.0, causes=(), place="turn", places=(), cards=(), times=(), watch=None
        )
    evaluation.insights = msgspec.to_builtins(insights)
    Evaluation.objects.filter(pk=evaluation.pk).update(insights=evaluation.insights)


def compute_insights_of(uuid: str) -> None:
    """The same for the evaluation that has just had a report, unless it was done."""
    for evaluation in _without().filter(uuid=UUID(uuid)):
        compute_insights(evaluation)


def compute_missing_insights() -> None:
    """Compute the statistics of other finished evaluations that lack them, the newest first."""
    for evaluation in _without().order_by("-finished_at")[:AT_ONCE]:
        compute_insights(evaluation)


def _without() -> QuerySet[Evaluation]:
    finished = Evaluation.objects.filter(status=Status.FINISHED, mean__isnull=False)
    return finished.filter(insights__isnull=True).select_related("assignment")


def _games(evaluation: Evaluation) -> Iterator[CountedGame]:
    for row in evaluation.results.defer("prints").iterator(chunk_size=200):
        record = None if row.ending == STOPPED else row.record
        yield CountedGame(row.index, row.score, record)
