"""Failed evaluations, sent again by an operator: the first at once, the others in the background.

Each request takes what has failed at that moment.
"""

from contextlib import suppress
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from webapp import pipeline
from webapp.accounts.models import User
from webapp.errors import NotAllowed, Refused
from webapp.evaluations.models import Evaluation
from webapp.operations.models import Resending

__all__ = ["AT_ONCE", "go_on_resending", "start_resending"]

AT_ONCE: Final = 10
"""Evaluations sent in one transaction: a fraction of a second, in which others wait for SQLite."""
_AT_A_TICK: Final = 10
"""The number of transactions before other tasks have their turn."""


def start_resending(*, by: User, at: datetime | None = None) -> Resending:
    """Begin to send the missing games of all failed evaluations again.

    The first are sent when it returns; ``go_on_resending`` does the others. Raises NotAllowed;
    Refused while an earlier request goes on. Of two requests at the same moment both go on: what
    one has sent, the other leaves alone.
    """
    if not by.is_superuser:
        raise NotAllowed("This is for operators.")
    if Resending.objects.under_way().exists():
        raise Refused("Failed evaluations are being sent again already.")
    failed = Evaluation.objects.failed().order_by("pk").values_list("pk", flat=True)
    resending = Resending.objects.create(
        requested_by=by, requested_at=at or timezone.now(), evaluations=list(failed)
    )
    return _send_some(resending.pk, at=resending.requested_at)


def go_on_resending(*, at: datetime) -> int:
    """Send the next evaluations of each request; return how many requests still go on."""
    for _ in range(_AT_A_TICK):
        under_way = list(Resending.objects.under_way())
        for resending in under_way:
            _send_some(resending.pk, at=at)
        if not under_way:
            return 0
    return Resending.objects.under_way().count()


@transaction.atomic
def _send_some(pk: int, *, at: datetime) -> Resending:
    """Send the next evaluations under the row's lock, so that two workers do not do the same.

    Leaves out those that a newer evaluation of the same agent has replaced, and those that somebody
    has decided about by now.
    """
    resending = Resending.objects.select_for_update().get(pk=pk)
    keys = resending.evaluations[resending.done : resending.done + AT_ONCE]
    for evaluation in Evaluation.objects.failed().filter(pk__in=keys).order_by("pk"):
        with suppress(Refused, NotAllowed), transaction.atomic():
            pipeline.requeue(evaluation=evaluation, by=resending.requested_by, at=at)
            resending.sent += 1
    resending.done += len(keys)
    if resending.done >= resending.total:
        resending.finished_at = at
    resending.save(update_fields=["done", "sent", "finished_at"])
    return resending
