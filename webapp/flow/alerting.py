"""E-mail to operators: evaluations that failed by our fault, and workers that fell silent.

The results workers report the silence of the background worker, which sends the others.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count
from django.urls import reverse

from grader.core.words import counted
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.operations.health import HealthPart, LastSign, last_signs
from webapp.grading.operations.models import STALE_AFTER, Grader
from webapp.grading.operations.selectors import recording_lag
from webapp.people.accounts.models import User
from webapp.people.notifications.models import Notification, Topic
from webapp.people.notifications.sending import send_due
from webapp.people.notifications.services import notify
from webapp.teaching.courses.models import Assignment

_FORGOTTEN_AFTER: Final = timedelta(days=1)
"""A grader that is silent for longer was already reported, or has been retired."""
_BUNDLED: Final = timedelta(minutes=15)
"""The least time between two e-mails about silent graders."""
_SILENT: Final = "silent-"
_LATE_SECONDS: Final = 30.0
"""If reports wait longer than this to be recorded, silence does not mean that graders stopped."""
_START_TIME: Final = timedelta(minutes=2)
"""The time that workers get to start or to connect again: until then their last signs are old."""
_BUSY: Final = timedelta(minutes=10)
"""The longest that one task, such as sending many e-mails, keeps the background worker busy."""


def tell_operators(*, at: datetime) -> int:
    """Queue e-mails about new failures; return how many."""
    results = _tell_of_stopped(
        HealthPart.RESULTS, at, witness=HealthPart.BACKGROUND, patience=STALE_AFTER
    )
    return _tell_of_failures(at) + _tell_of_silence(at) + results


def tell_of_background_worker(*, at: datetime) -> int:
    """E-mail operators if the background worker stopped; return how many e-mails were accepted.

    Results workers try the mail server once an hour: they have reports to record.
    """
    if not _tell_of_stopped(HealthPart.BACKGROUND, at, witness=HealthPart.TICK, patience=_BUSY):
        return 0
    return send_due(at=at, topic=Topic.OPERATIONS)


def _tell_of_failures(at: datetime) -> int:
    failed = Evaluation.objects.failed().order_by().values_list("assignment_id")
    counts = dict(failed.annotate(count=Count("pk")))
    return sum(
        _tell(
            f"failed-{assignment.pk}-{at:%Y%m%d%H}",
            f"{counted(counts[assignment.pk], 'evaluation')} failed: {assignment}",
            "Our machines failed. Fix the cause, then send the missing games again.",
            reverse("evaluations:staff", args=[assignment.course.slug, assignment.slug]),
            at,
        )
        for assignment in Assignment.objects.filter(pk__in=counts).select_related("course")
    )


def _tell_of_silence(at: datetime) -> int:
    """Report all silent graders if another one fell silent, and none was reported lately."""
    lag = timedelta(seconds=recording_lag(at) or 0.0)
    if lag.total_seconds() > _LATE_SECONDS or _is_told_lately(at):
        return 0
    silent = Grader.objects.filter(
        seen_at__lte=at - STALE_AFTER - lag, seen_at__gt=at - _FORGOTTEN_AFTER
    ).order_by("seen_at")
    if not (names := dict(silent.values_list("name", "seen_at"))):
        return 0
    lines = [f"{name}: last report at {seen:%H:%M:%S UTC}" for name, seen in names.items()]
    lines.append("Check that each machine is running and can reach the broker.")
    return _tell(
        f"{_SILENT}{max(names.values()):%Y%m%d%H%M%S}",
        f"{counted(len(names), 'grader')} silent",
        "\n".join(lines),
        reverse("operations:graders"),
        at,
    )


def _tell_of_stopped(
    part: HealthPart, at: datetime, *, witness: HealthPart, patience: timedelta
) -> int:
    """Report, once an hour, that a part has been silent while another one, the witness, worked."""
    signs = {sign.part: sign for sign in last_signs(at)}
    stopped = signs[part]
    if not _works(signs[witness], at) or not stopped.is_silent or stopped.at is None:
        return 0
    key = f"stopped-{stopped.service}-{at:%Y%m%d%H}"
    if abs(at - stopped.at) < patience or _is_told(key):
        return 0
    return _tell(
        key,
        f"{stopped.service} is silent",
        f"Its last sign of life was at {stopped.at:%H:%M:%S UTC}. Its work: {stopped.work.lower()}."
        " Read the service's log, then restart the service.",
        reverse("operations:graders"),
        at,
    )


def _works(witness: LastSign, at: datetime) -> bool:
    if witness.is_silent or witness.since is None:
        return False
    return at - witness.since >= _START_TIME


def _is_told_lately(at: datetime) -> bool:
    told = Notification.objects.filter(topic=Topic.OPERATIONS, key__startswith=_SILENT)
    return told.filter(created_at__gt=at - _BUNDLED).exists()


def _is_told(key: str) -> bool:
    return Notification.objects.filter(topic=Topic.OPERATIONS, key=key).exists()


def _tell(key: str, subject: str, text: str, path: str, at: datetime) -> int:
    operators = User.objects.filter(is_superuser=True, is_active=True)
    context = {"what": subject, "text": text, "path": path}
    return notify(operators, topic=Topic.OPERATIONS, key=key, context=context, at=at)
