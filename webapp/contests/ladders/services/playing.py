"""The periodic task of ladders: every one is brought up to date, and asks for its next tables."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from webapp.contests.ladders.models import Ladder
from webapp.contests.ladders.services.entering import enter_versions
from webapp.contests.ladders.services.scheduling import schedule_next, sum_up_now_and_then
from webapp.grading.jobs.failures import errors_logged
from webapp.grading.jobs.owners import locked


def play_all(*, at: datetime | None = None) -> None:
    """Let versions enter and leave, sum up, ask for tables.

    The ladder that waited longest is first, in case there are more ladders than cores.
    """
    waiting = Ladder.objects.playing().annotate(asked=Max("jobs__pk", default=0))
    for key, uuid in list(waiting.order_by("asked").values_list("pk", "uuid")):
        with errors_logged("ladder %s cannot go on", uuid):
            _play(key, at or timezone.now())


def _play(key: int, at: datetime) -> None:
    # Ratings of a long ladder take seconds: nothing is locked meanwhile.
    ladder = Ladder.objects.select_related("assignment").get(pk=key)
    sum_up_now_and_then(ladder, at=at)
    with transaction.atomic():
        ladder = locked(ladder, "assignment")
        if ladder.is_open and ladder.paused_at is None:
            enter_versions(ladder, at=at)
            schedule_next(ladder, at=at)
