"""Queries about graders: their state, the waiting work, whether any is ready."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, Min
from django.utils import timezone

from grader.core.errors import RecordError
from grader.core.health import GraderReport
from grader.core.words import counted
from webapp.base.celery import RESULTS_QUEUE, SITE_QUEUES
from webapp.base.recent import recent
from webapp.grading.graders.models import IS_PAUSED
from webapp.grading.jobs import broker
from webapp.grading.jobs.lines import in_flight
from webapp.grading.jobs.models import Job
from webapp.grading.jobs.queues import BROKER_QUEUES, Queue, broker_queue
from webapp.grading.operations.models import IS_DRAINED, Grader, GraderQuerySet, Sign

WORST_SKEW_SECONDS: Final = 5.0
"""Clocks of hosts may differ by this much."""
SIGN_SECONDS: Final = 10.0
"""The results workers leave a sign this often."""
MAX_SLOTS: Final = 1024
"""The most that one worker is believed to have."""
QUEUES: Final = (*Queue, *SITE_QUEUES)
"""Every queue of a site; the last two are the site's own to serve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderRow:
    name: str
    seen_at: datetime
    stale: bool
    drained: bool
    skew_seconds: float | None
    """Seconds by which its clock is ahead of the broker's; ``None`` if not known."""
    report: GraderReport | None
    """``None``: another version of the site stored it; the next report replaces it."""

    @property
    def is_ready(self) -> bool:
        is_well = self.report is not None and self.report.is_healthy
        return is_well and not self.stale and not self.drained

    @property
    def wrong_clock(self) -> str:
        return "" if self.stale else skew_words(self.skew_seconds)

    @property
    def passed(self) -> int:
        return 0 if self.report is None else sum(check.ok for check in self.report.checks)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    name: str
    waiting: int | None
    """Messages; ``None`` if the broker does not answer."""
    graders: int
    ours: bool


def graders(*, at: datetime | None = None) -> list[GraderRow]:
    """All known graders by name; one query."""
    now = at or timezone.now()
    return [
        GraderRow(
            name=grader.name,
            seen_at=grader.seen_at,
            stale=grader.is_stale(now),
            skew_seconds=grader.skew_seconds,
            drained=grader.drained,  # type: ignore[attr-defined]  # annotated below
            report=_report(grader),
        )
        for grader in Grader.objects.annotate(drained=IS_DRAINED)
    ]


def skew_words(seconds: float | None) -> str:
    """Return by how much a clock is wrong; empty if that makes no difference."""
    if seconds is None or abs(seconds) <= WORST_SKEW_SECONDS:
        return ""
    return f"{counted(round(abs(seconds)), 'second')} {'fast' if seconds > 0 else 'slow'}"


def site_skew() -> str:
    """Return by how much the clock of the last results worker's host is wrong, likewise."""
    signs = Sign.objects.filter(name=RESULTS_QUEUE).values_list("skew_seconds", flat=True)
    return skew_words(next(iter(signs), None))


def recording_lag(at: datetime) -> float | None:
    """Return the seconds that reports wait to be recorded; ``None`` if no sign says so.

    The wait of the last sign of the results workers, or the time for which the next is overdue.
    """
    sign = Sign.objects.filter(name=RESULTS_QUEUE).first()
    if sign is None:
        return None
    return max(sign.lag_seconds, (at - sign.at).total_seconds() - SIGN_SECONDS)


def ready_queues(at: datetime) -> frozenset[str]:
    """Return the queues that some ready grader takes from, none during a pause; one query."""
    reports = _reports(Grader.objects.ready(at).filter(~IS_PAUSED))
    return frozenset(queue for report in reports for queue in report.queues)


def ready_slots(at: datetime) -> Counter[str]:
    """Return how many games ready graders play at a time, by the queue they take; one query."""
    slots: Counter[str] = Counter()
    for report in _reports(Grader.objects.ready(at)):
        most = min(max(report.slots, 0), MAX_SLOTS)
        slots.update(dict.fromkeys(report.queues, most))
    return slots


def missing_images(at: datetime) -> frozenset[str]:
    """Return the runtimes whose images no ready grader has, if any is ready; one query."""
    reports = _reports(Grader.objects.ready(at))
    missing = [set(report.missing_images or ()) for report in reports]
    return frozenset(set.intersection(*missing) if missing else ())


def ready_games(at: datetime) -> frozenset[tuple[str, str]] | None:
    """Return name and version of packaged games that some ready grader has; one query.

    ``None`` without a ready grader.
    """
    if not (reports := _reports(Grader.objects.ready(at))):
        return None
    return frozenset(game for report in reports for game in (report.games or {}).items())


@recent
def images_awaited() -> frozenset[str]:
    """Return the cached result of ``missing_images``."""
    return missing_images(timezone.now())


def ready_keys(queue: str, at: datetime) -> frozenset[str]:
    """Return the public keys of the machines where a ready grader takes from this queue."""
    rows = [(row.public_key, _report(row)) for row in Grader.objects.ready(at)]
    return frozenset(key for key, report in rows if report is not None and queue in report.queues)


@recent
def served_queues() -> frozenset[str]:
    """Return the cached result of ``ready_queues``."""
    return ready_queues(timezone.now())


def queues(rows: list[GraderRow]) -> list[QueueRow]:
    """Every queue, with how many of these graders serve it. Asks the broker."""
    reports = [row.report for row in rows if row.is_ready and row.report is not None]
    waiting = _waiting()
    return [
        QueueRow(
            name=name,
            waiting=waiting.get(name),
            graders=sum(name in report.queues for report in reports),
            ours=name in SITE_QUEUES,
        )
        for name in QUEUES
    ]


_BY_URGENCY: Final = [queue for queues in BROKER_QUEUES.values() for queue in queues]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRow:
    queue: str
    course: str
    waiting: int
    in_flight: int
    oldest_at: datetime | None
    why: str


def lines(rows: list[GraderRow], *, at: datetime | None = None) -> list[LineRow]:
    """Return the waiting work, the most urgent queue first. Two queries, which count everything."""
    due = Job.objects.due(at or timezone.now()).order_by("queue", "course")
    grouped = due.values("queue", "course", "course__title")
    waiting = list(
        grouped.annotate(count=Count("pk"), turn=Min("turn_at"), since=Min("created_at"))
    )
    waiting.sort(key=lambda line: (_BY_URGENCY.index(Queue(line["queue"])), line["turn"]))
    flying = in_flight(Queue)
    served = {queue for row in rows if row.is_ready and row.report for queue in row.report.queues}
    queues = Counter(Queue(line["queue"]) for line in waiting)
    return [
        LineRow(
            queue=line["queue"],
            course=line["course__title"] or "–",
            waiting=line["count"],
            in_flight=flying[Queue(line["queue"]), line["course"]],
            oldest_at=line["since"],
            why=_why(Queue(line["queue"]), queues, served),
        )
        for line in waiting
    ]


def _why(queue: Queue, lines_of: Counter[Queue], served: set[str]) -> str:
    """``lines_of``: how many courses wait in each queue."""
    if broker_queue(queue) not in served:
        return "No ready grader serves this queue."
    others = lines_of[queue] - 1
    if queue == Queue.PRACTICE and lines_of[Queue.GRADED]:
        return "Graded games go first; practice keeps a fifth of the graders."
    if queue in (Queue.AUDITS, Queue.LADDER) and set(lines_of) - {Queue.AUDITS, Queue.LADDER}:
        return "Served when nothing else waits."
    if others:
        return f"Shares the graders equally with {counted(others, 'other course')}."
    return "All slots are busy, or about to be filled."


def aside() -> list[broker.Aside] | None:
    """Messages that could not be used, newest first; ``None`` while the broker is away."""
    try:
        return broker.aside()
    except broker.BrokerError:
        return None


def _waiting() -> dict[str, int]:
    try:
        return {name: broker.waiting(name) for name in QUEUES}
    except broker.BrokerError:
        return {}


def _reports(graders: GraderQuerySet) -> list[GraderReport]:
    return [each for grader in graders.only("report_json") if (each := _report(grader)) is not None]


def _report(grader: Grader) -> GraderReport | None:
    try:
        return grader.report
    except RecordError:
        return None
