"""Sends failed evaluations again for an operator: some at once, the others in the background."""

from contextlib import suppress
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import NotAllowed, Refused
from webapp.flow import pipeline
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.jobs.failures import errors_logged
from webapp.grading.operations.models import Resending
from webapp.people.accounts.models import User

AT_ONCE: Final = 10
_AT_A_TICK: Final = 100


def start_resending(*, by: User, at: datetime | None = None) -> Resending:
    """Begin to send the missing games of all failed evaluations again.

    The first are sent when it returns. Raises NotAllowed; Refused while an earlier request goes on.
    """
    if not by.is_superuser:
        raise NotAllowed("This is for operators.")
    if Resending.objects.under_way().exists():
        raise Refused("Failed evaluations are being sent again already.")
    failed = Evaluation.objects.failed().order_by("pk").values_list("pk", flat=True)
    resending = Resending.objects.create(
        requested_by=by, requested_at=at or timezone.now(), evaluations=list(failed)
    )
    _send_some(resending.pk, most=AT_ONCE, at=resending.requested_at)
    resending.refresh_from_db()
    return resending


def go_on_resending(*, at: datetime) -> int:
    """Send the next evaluations of each request; return how many requests still go on."""
    for resending in Resending.objects.under_way():
        _send_some(resending.pk, most=_AT_A_TICK, at=at)
    return Resending.objects.under_way().count()


def _send_some(pk: int, *, most: int, at: datetime) -> None:
    for _ in range(most):
        if _send_next(pk, at=at):
            return


@transaction.atomic
def _send_next(pk: int, *, at: datetime) -> bool:
    """Send the next evaluation of a request; return whether the request is done.

    Each has a transaction of its own, which locks its assignment, and perhaps its course.
    """
    resending = Resending.objects.select_for_update().get(pk=pk)
    if resending.done < resending.total:
        resending.sent += _is_sent(resending.evaluations[resending.done], resending, at)
        resending.done += 1
    if resending.done >= resending.total:
        resending.finished_at = resending.finished_at or at
    resending.save(update_fields=["done", "sent", "finished_at"])
    return resending.finished_at is not None


def _is_sent(key: int, resending: Resending, at: datetime) -> bool:
    """Send a failed evaluation again; return whether that could be done.

    A busy database raises OperationalError: the next tick tries again.
    """
    for evaluation in Evaluation.objects.failed().filter(pk=key):
        with (
            errors_logged("evaluation %s could not be sent again", evaluation.uuid),
            suppress(Refused, NotAllowed),
            transaction.atomic(),
        ):
            pipeline.requeue(evaluation=evaluation, by=resending.requested_by, at=at)
            return True
    return False
