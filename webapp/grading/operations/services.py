"""Records what graders report about themselves. Their machines run hostile code."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from grader.core.errors import RecordError
from grader.core.health import GraderReport
from grader.core.records import to_json
from webapp.base.storable import storable
from webapp.grading.graders import services as graders
from webapp.grading.graders.models import GraderKey
from webapp.grading.jobs import broker
from webapp.grading.operations.models import Grader, Sign

MAX_REPORT_CHARACTERS: Final = 64 << 10
"""About three times the size of a report in which all probes failed."""
MAX_GRADERS: Final = 1000
FORGET_AFTER: Final = timedelta(days=30)
GONE_AFTER: Final = timedelta(days=1)
"""After a longer silence a row gives way to a new grader's: names may change with each start."""
_LONGEST_WAIT: Final = FORGET_AFTER.total_seconds()
LONGEST_GAP: Final = timedelta(minutes=1)
"""After a longer time without a sign, the part has begun anew."""


def hear(report: GraderReport, *, key: str) -> None:
    """Record a worker's report of itself; of a grader that is not admitted, only its key and host.

    Raises RecordError.
    """
    host = report.name.partition("@")[2] or report.name
    known = graders.register_key(public_key=key, name=host, at=timezone.now())
    if known.admitted_at is not None:
        record_grader(report, key=key, waited_seconds=_waited(report))


def _waited(report: GraderReport) -> float | None:
    if report.broker_at is None:
        return None
    try:
        return broker.now() - report.broker_at
    except broker.BrokerError:
        return None


@transaction.atomic
def record_grader(
    report: GraderReport,
    *,
    key: str,
    at: datetime | None = None,
    waited_seconds: float | None = None,
) -> None:
    """Keep the latest report of a worker of the machine with this public key.

    ``waited_seconds`` is its age by the broker's clock; without it the grader's is believed. An
    older report changes nothing; a worker that ends is forgotten. Raises RecordError for one that
    is too large, for an impossible name, and for another machine's.
    """
    now = at or timezone.now()
    text = to_json(report)
    _require_fit(report, text)
    Grader.objects.filter(seen_at__lt=now - FORGET_AFTER).delete()
    name = storable(report.name, characters=200)
    known = Grader.objects.select_for_update().filter(name=name).first()
    if known is None and report.is_leaving:
        return
    if known is None and Grader.objects.count() >= MAX_GRADERS:
        _make_room(now)
    if known is not None and not _may_replace(known, key):
        raise RecordError("a report in the name of another grader's worker")
    seen_at, skew_seconds = _sent(report, now, waited_seconds)
    if known is not None and seen_at <= known.seen_at <= now:  # else our clock has been fast
        return
    if known is not None and report.is_leaving:
        known.delete()
        return
    values = {
        "public_key": key,
        "seen_at": seen_at,
        "skew_seconds": skew_seconds,
        "is_healthy": report.is_healthy,
        "report_json": text,
    }
    Grader.objects.update_or_create(name=name, defaults=values)


def _require_fit(report: GraderReport, text: str) -> None:
    if len(text) > MAX_REPORT_CHARACTERS or not 0 < len(report.name) <= 200:
        raise RecordError(f"a grader's report of {len(text)} characters, or without a fit name")
    if not all(2000 <= moment.year < 2100 for moment in (report.sent_at, report.checked_at)):
        raise RecordError(f"a grader's report of {report.sent_at}, checked {report.checked_at}")


def _sent(
    report: GraderReport, now: datetime, waited_seconds: float | None
) -> tuple[datetime, float | None]:
    """Return when a report was sent, by our clock, and how fast the grader's clock is."""
    if waited_seconds is None:
        return min(report.sent_at, now), None
    seen_at = now - timedelta(seconds=min(max(waited_seconds, 0.0), _LONGEST_WAIT))
    return seen_at, (report.sent_at - seen_at).total_seconds()


def _make_room(now: datetime) -> None:
    """Forget the grader that has been gone for longest. Raises RecordError if none has."""
    gone = Grader.objects.filter(seen_at__lt=now - GONE_AFTER).order_by("seen_at").first()
    if gone is None:
        raise RecordError(f"there are {MAX_GRADERS} graders already")
    gone.delete()


def _may_replace(known: Grader, key: str) -> bool:
    """Return whether a report signed with this key may replace a row.

    A machine that was set up again has another key: it takes its rows over when an operator
    dismisses the old key.
    """
    if known.public_key in ("", key):
        return True
    return not GraderKey.objects.admitted().filter(public_key=known.public_key).exists()


def leave_sign(name: str, *, sent_at: float | None = None, broker_at: float | None = None) -> None:
    """Note that a part of the site works now.

    ``sent_at``: when its task was sent, and ``broker_at`` the present time, both by the broker's
    clock, in seconds since 1970.
    """
    now = timezone.now()
    here = now.timestamp()
    lag = 0.0 if sent_at is None else max(0.0, (here if broker_at is None else broker_at) - sent_at)
    values: dict[str, object] = {"at": now, "lag_seconds": lag}
    if broker_at is not None:
        values["skew_seconds"] = here - broker_at
    near = (now - LONGEST_GAP, now + LONGEST_GAP)
    goes_on = Sign.objects.filter(name=name, at__range=near, since__isnull=False)
    if not goes_on.update(**values):
        Sign.objects.update_or_create(name=name, defaults={**values, "since": now})
