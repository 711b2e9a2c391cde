"""Statistics that authors learn from: computed once an evaluation has finished, and kept.

Replaying a thousand games takes seconds, so it is done in the background.
"""

import logging
from collections.abc import Iterator
from functools import partial
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import QuerySet

from grader.core.errors import RecordError, RulesError
from grader.results.insights import CountedGame, Insights, insights_of
from webapp.base.celery import COMPUTE_INSIGHTS
from webapp.grading.evaluations.models import STOPPED, Evaluation, Status
from webapp.grading.jobs import broker
from webapp.grading.jobs.failures import errors_logged

logger = logging.getLogger(__name__)

AT_ONCE = 5
_TRIED = 100
"""Evaluations that a call tries: some may fail each time."""


def request_insights(evaluation: Evaluation) -> None:
    """Have the statistics computed after the commit, or by ``compute_missing_insights``."""
    transaction.on_commit(partial(_request, str(evaluation.uuid)), robust=True)


def _request(uuid: str) -> None:
    try:
        broker.send_task(COMPUTE_INSIGHTS, uuid)
    except broker.BrokerError as error:
        logger.warning("the broker is away, statistics are computed later: %s", error)


def compute_insights(evaluation: Evaluation) -> None:
    """Compute and store the statistics; games by other rules than ours have none."""
    if evaluation.status != Status.FINISHED or evaluation.mean is None:
        return
    try:
        spec, rules = evaluation.parsed_spec, evaluation.assignment.rules
        insights = insights_of(spec, rules, list(_games(evaluation)))
    except (RecordError, RulesError) as error:
        logger.warning("evaluation %s has no statistics: %s", evaluation.uuid, error)
        insights = Insights(
            lost=0.0, causes=(), place="turn", places=(), cards=(), times=(), watch=None
        )
    evaluation.insights = msgspec.to_builtins(insights)
    Evaluation.objects.filter(pk=evaluation.pk).update(insights=evaluation.insights)


def compute_insights_of(uuid: str) -> None:
    """Compute those of the evaluation with this uuid, unless it was done."""
    for evaluation in _without().filter(uuid=UUID(uuid)):
        compute_insights(evaluation)


def compute_missing_insights() -> None:
    """Compute missing statistics, the newest first; one that fails does not keep others from it."""
    left = AT_ONCE
    for evaluation in _without().order_by("-finished_at")[:_TRIED]:
        with errors_logged("evaluation %s has no statistics", evaluation.uuid):
            compute_insights(evaluation)
            left -= 1
        if not left:
            break


def _without() -> QuerySet[Evaluation]:
    finished = Evaluation.objects.filter(status=Status.FINISHED, mean__isnull=False)
    return finished.filter(insights__isnull=True).select_related("assignment")


def _games(evaluation: Evaluation) -> Iterator[CountedGame]:
    for row in evaluation.results.defer("prints").iterator(chunk_size=200):
        record = None if row.ending == STOPPED else row.record
        yield CountedGame(row.index, row.score, record)
