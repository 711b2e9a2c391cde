"""E-mail to operators: evaluations that failed by our fault, and workers that fell silent.

The background worker sends it, so it cannot report that worker's own silence.
"""

import time
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count
from django.urls import reverse

from grader.core.words import counted
from webapp.accounts.models import User
from webapp.courses.models import Assignment
from webapp.evaluations.models import Evaluation
from webapp.notifications.models import Topic
from webapp.notifications.services import notify
from webapp.operations.health import Part, last_signs
from webapp.operations.models import STALE_AFTER, Grader, Sign

__all__ = ["tell_operators"]

_FORGOTTEN_AFTER: Final = timedelta(days=1)
"""A grader that is silent for longer was already reported, or has been retired."""
_LATE_SECONDS: Final = 30.0
"""If reports wait longer than this to be recorded, silence does not mean that graders stopped."""
_START_SECONDS: Final = 120.0
"""The time that results workers get to start or to connect again: until then their last signs are
old."""


class _Patience:
    """The monotonic time since which this process has seen the site at work."""

    since = time.monotonic()


def tell_operators(*, at: datetime) -> int:
    """Queue e-mails about new failures; return how many."""
    return _tell_of_failures(at) + _tell_of_silence(at) + _tell_of_results_workers(at)


def _tell_of_failures(at: datetime) -> int:
    """Report each assignment that has failed evaluations, once an hour."""
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
    """Report all silent graders whenever another one falls silent."""
    if Sign.objects.filter(name="results", lag_seconds__gt=_LATE_SECONDS).exists():
        return 0
    silent = Grader.objects.filter(
        seen_at__lte=at - STALE_AFTER, seen_at__gt=at - _FORGOTTEN_AFTER
    ).order_by("seen_at")
    if not (names := dict(silent.values_list("name", "seen_at"))):
        return 0
    lines = [f"{name}: nothing heard since {seen:%H:%M:%S UTC}" for name, seen in names.items()]
    return _tell(
        f"silent-{max(names.values()):%Y%m%d%H%M%S}",
        f"{counted(len(names), 'grader')} silent",
        "\n".join(lines),
        reverse("operations:graders"),
        at,
    )


def _tell_of_results_workers(at: datetime) -> int:
    """Report that the results workers stopped while this worker ran, once an hour."""
    signs = {sign.part: sign for sign in last_signs(at)}
    if signs[Part.BACKGROUND].is_silent:  # this worker was away, too, and perhaps the broker
        _Patience.since = time.monotonic()
    results = signs[Part.RESULTS]
    waited = time.monotonic() - _Patience.since
    if waited < _START_SECONDS or not results.is_silent or results.at is None:
        return 0
    return _tell(
        f"stopped-{results.service}-{at:%Y%m%d%H}",
        f"{results.service} is silent",
        f"No sign since {results.at:%H:%M:%S UTC}. Its work: {results.work.lower()}.",
        reverse("operations:graders"),
        at,
    )


def _tell(key: str, subject: str, text: str, path: str, at: datetime) -> int:
    operators = User.objects.filter(is_superuser=True, is_active=True)
    context = {"what": subject, "text": text, "path": path}
    return notify(operators, topic=Topic.OPERATIONS, key=key, context=context, at=at)
