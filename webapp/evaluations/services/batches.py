"""Rows for batches, and the sending of them. The rows come first: the queue is only a hint."""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu import Producer

from grader.core.records import BatchRequest
from grader.results.evaluation import (
    BATCH_SECONDS,
    SHORT_BATCH_SECONDS,
    batch_request,
    deals_between,
    plan_batches,
)
from webapp.evaluations.models import Batch, Evaluation, GameResult, Kind
from webapp.evaluations.services import askers
from webapp.jobs import broker

logger = logging.getLogger(__name__)

LONG_GAME_TURNS = 100
"""Bounds what a grader's figures can make of the time that a game takes."""
UNKNOWN_GAME_TURNS = 30
"""Full turns that one game may take before we worry, while nothing is known of the agent."""


def secret_of(evaluation: Evaluation) -> bytes:
    """Return what its deals come from: the assignment's secret if graded, else its public one."""
    assignment = evaluation.assignment
    graded = evaluation.kind == Kind.GRADED
    return bytes(assignment.secret if graded else assignment.practice_secret)


def missing(evaluation: Evaluation, indices: Iterable[int] | None = None) -> tuple[int, ...]:
    """Those of ``indices`` (default: all) that are needed and not recorded. One query."""
    wanted = range(evaluation.n_games) if indices is None else indices
    needed = {index for index in wanted if index < evaluation.games_needed}
    have = GameResult.objects.filter(evaluation=evaluation).values_list("index", flat=True)
    return tuple(sorted(needed.difference(have)))


def add_batches(
    evaluation: Evaluation,
    indices: Sequence[int],
    *,
    at: datetime,
    attempt: int = 1,
    send_after: datetime | None = None,
) -> None:
    """Rows for these games, sent as soon as the transaction is committed, or ``send_after``.

    A smoke test is one batch, so that the agent is compiled before any game and only once; and
    what is sent again was a batch, and need not be spread over all slots. Where precision may end
    it, batches are short, so that little is played for nothing.
    """
    spread = evaluation.kind != Kind.SMOKE and attempt == 1
    spec = evaluation.parsed_spec
    may_stop = spec.half_width is not None
    plan = plan_batches(
        indices,
        ms_per_game=evaluation.ms_per_game,
        slots=settings.SLOTS if spread else 1,
        target_seconds=SHORT_BATCH_SECONDS if may_stop else BATCH_SECONDS,
        deals_between=None if evaluation.kind == Kind.SMOKE else deals_between(spec),
    )
    Batch.objects.bulk_create(
        Batch(
            evaluation=evaluation,
            ranges=ranges_of(games),
            n_games=len(games),
            attempt=attempt,
            check_first=evaluation.kind == Kind.SMOKE,
            created_at=at,
            send_after=send_after,
        )
        for games in plan
    )
    transaction.on_commit(partial(send_unsent, evaluation_id=evaluation.pk), robust=True)


def ranges_of(indices: Sequence[int]) -> list[list[int]]:
    """Ascending indices as pairs of first and last: 0, 1, 2, 5 become [0, 2], [5, 5]."""
    edges = [k for k, (low, high) in enumerate(pairwise(indices), 1) if high != low + 1]
    return [[indices[low], indices[high - 1]] for low, high in pairwise([0, *edges, len(indices)])]


def lease(evaluation: Evaluation, batch: Batch) -> timedelta:
    """How long a batch may be silent: a fixed time and that of three games; twice as long with
    every attempt, so that a batch that is merely slow gets through in the end.
    """
    if evaluation.ms_per_game is None:
        slack = UNKNOWN_GAME_TURNS * evaluation.parsed_spec.limits.turn_seconds
    else:
        longest = LONG_GAME_TURNS * evaluation.parsed_spec.limits.turn_wall_seconds
        slack = min(3 * evaluation.ms_per_game / 1000, longest)
    return timedelta(seconds=(settings.LEASE_SECONDS + slack) * 2 ** (batch.attempt - 1))


def request_of(batch: Batch) -> BatchRequest:
    """What a grader is asked for; made anew each time, so no secret lies in the batch's row."""
    if asker := askers.of(batch):
        return asker.request_of(batch)
    evaluation = batch.asked_evaluation
    return batch_request(
        evaluation.parsed_spec,
        evaluation=str(evaluation.uuid),
        batch=str(batch.uuid),
        agents=evaluation.agents,
        secret=secret_of(evaluation),
        indices=batch.indices,
        check_first=batch.check_first,
    )


def send_unsent(
    *,
    evaluation_id: int | None = None,
    tournament_id: int | None = None,
    before: datetime | None = None,
    at: datetime | None = None,
) -> int:
    """Send what is due, of one evaluation or tournament, of all, or all made ``before``.

    Returns how many went out.
    Gives up at the first refusal of the broker, within seconds: the periodic task tries again.
    """
    batches = Batch.objects.due(at or timezone.now()).of_open()
    if evaluation_id is not None:
        batches = batches.filter(evaluation_id=evaluation_id)
    if tournament_id is not None:
        batches = batches.filter(tournament_id=tournament_id)
    if before is not None:
        batches = batches.filter(created_at__lte=before)
    waiting = list(batches.select_related("evaluation__assignment", "tournament").order_by("pk"))
    sent = 0
    try:
        with broker.producer() as producer:
            for batch in waiting:
                sent += _send(batch, producer)
    except broker.BrokerError as error:
        logger.warning("the broker takes no batches now, %d wait: %s", len(waiting) - sent, error)
    return sent


def _send(batch: Batch, producer: Producer) -> bool:
    """Claim the batch, publish it; whether it was us. The claim comes first and is given back if
    the broker refuses: a batch that was claimed and never sent is found missing from its queue.
    """
    mine = Batch.objects.filter(pk=batch.pk, sent_at__isnull=True)
    if not mine.update(sent_at=timezone.now()):
        return False
    try:
        broker.publish(request_of(batch), queue=batch.queue, producer=producer)
    except broker.BrokerError:
        Batch.objects.filter(pk=batch.pk).update(sent_at=None)
        raise
    return True
