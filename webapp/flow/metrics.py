"""Figures for Prometheus, counted from the database and the broker: the same in every process."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import chain
from math import inf
from typing import Final, TypeAlias

from django.db import connection
from django.db.models import (
    Case,
    CharField,
    Count,
    Max,
    Min,
    OuterRef,
    Q,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from webapp.base.recent import recent
from webapp.contests.ladders.models import LadderGame
from webapp.contests.tournaments.models import TournamentGame
from webapp.grading.evaluations.models import Evaluation, GameResult, Kind
from webapp.grading.graders.models import Pause
from webapp.grading.jobs import broker
from webapp.grading.jobs.models import OPEN, OWNERS, Job, JobStatus
from webapp.grading.jobs.queues import Queue
from webapp.grading.jobs.runs import OPEN as OPEN_RUNS
from webapp.grading.operations.health import SIGNS
from webapp.grading.operations.models import Grader, Sign
from webapp.grading.operations.requests import requests, server_errors
from webapp.grading.operations.selectors import aside, graders, queues, recording_lag
from webapp.teaching.courses.models import Course

_LATENCY_WINDOW: Final = timedelta(minutes=10)
_Numbers: TypeAlias = Iterator[tuple[tuple[str, ...], float]]
_KIND: Final = Case(
    *(When(**{f"{owner}__isnull": False}, then=Value(owner)) for owner in OWNERS),
    output_field=CharField(),
)
_COURSE: Final = Coalesce("course__slug", Value(""))
"""The course of a job; empty if it is deleted."""


@recent
def exposition() -> bytes:
    """Return all figures in Prometheus' text format, some seconds old at most."""
    registry = CollectorRegistry()
    registry.register(_Collector())
    return generate_latest(registry)


class _Collector:
    def collect(self) -> Iterator[Metric]:
        for name, help_text, labels, numbers in _GAUGES:
            gauge = GaugeMetricFamily(f"firebox_{name}", help_text, labels=labels)
            for values, number in numbers():
                gauge.add_metric(values, number)
            yield gauge
        for name, help_text, count in _COUNTERS:
            counter = CounterMetricFamily(f"firebox_{name}", help_text)
            if (total := count()) is not None:
                counter.add_metric((), total)
            yield counter
        yield from _requests()


def _requests() -> Iterator[Metric]:
    times = HistogramMetricFamily("firebox_request_seconds", "Times of requests.", labels=("view",))
    labels = ("view", "status")
    responses = CounterMetricFamily(
        "firebox_responses", "Requests that were answered.", labels=labels
    )
    errors = CounterMetricFamily("firebox_server_errors", "Requests that an error of ours ended.")
    with suppress(broker.BrokerError):
        views = requests()
        errors.add_metric((), server_errors(views))
        for view, answered in sorted(views.items()):
            times.add_metric((view,), list(answered.cumulative()), answered.seconds)
            for status, count in sorted(answered.statuses.items()):
                responses.add_metric((view, status), count)
    yield from (times, responses, errors)


def _waiting() -> _Numbers:
    for row in queues(graders()):
        if row.waiting is not None:
            yield (row.name,), row.waiting


def _oldest() -> _Numbers:
    """Yield the age of the oldest batch of each course and queue, with its kind.

    An index leads to the oldest that the site has not sent; few are sent and not begun.
    """
    queued = Job.objects.filter(status=JobStatus.QUEUED)
    unsent = queued.filter(sent_at__isnull=True, course=OuterRef("pk")).order_by("created_at")
    firsts = (Subquery(unsent.filter(queue=queue).values("pk")[:1]) for queue in Queue)
    keys = set(chain.from_iterable(Course.objects.order_by().values_list(*firsts))) - {None}
    oldest: dict[tuple[str, str], tuple[datetime, str]] = {}
    for jobs in (
        Job.objects.filter(pk__in=keys),
        queued.filter(sent_at__isnull=False),
        queued.filter(queue__in=list(Queue), sent_at__isnull=True, course__isnull=True),
    ):
        rows = jobs.order_by().values_list("queue", _COURSE, _KIND)
        for queue, course, kind, since in rows.annotate(since=Min("created_at")):
            oldest[queue, course] = min((since, kind), oldest.get((queue, course), (since, kind)))
    now = timezone.now()
    for (queue, course), (since, kind) in oldest.items():
        yield (queue, kind, course), (now - since).total_seconds()


def _jobs() -> _Numbers:
    rows = Job.objects.filter(status__in=OPEN).order_by().values_list("queue", "status", _COURSE)
    for *labels, count in rows.annotate(count=Count("pk")):
        yield tuple(labels), count


def _evaluations() -> _Numbers:
    failed = Q(pk__in=Evaluation.objects.failed().values("pk"))
    unfinished = Evaluation.objects.filter(Q(status__in=OPEN_RUNS) | failed)
    for status, count in unfinished.order_by().values_list("status").annotate(count=Count("pk")):
        yield (str(status),), count


def _verdict_seconds() -> _Numbers:
    since = timezone.now() - _LATENCY_WINDOW
    ended = Evaluation.objects.filter(kind=Kind.SMOKE, finished_at__gte=since)
    times = ended.values_list("requested_at", "finished_at")
    took = sorted((end - begin).total_seconds() for begin, end in times if end is not None)
    for quantile in (0.5, 0.95, 1.0):
        if took:
            yield (str(quantile),), took[round(quantile * (len(took) - 1))]


def _grader_states() -> _Numbers:
    rows = graders()
    yield ("ready",), sum(row.is_ready for row in rows)
    yield ("silent",), sum(row.stale for row in rows)
    yield ("drained",), sum(row.drained and not row.stale for row in rows)
    yield ("unfit",), sum(not (row.is_ready or row.stale or row.drained) for row in rows)


def _paused() -> _Numbers:
    yield (), Pause.objects.count()


def _grader_ages() -> _Numbers:
    """Silence is what exceeds the wait of reports: a grader is not to blame for that."""
    now = timezone.now()
    lag = timedelta(seconds=recording_lag(now) or 0.0)
    for name, seen_at in Grader.objects.values_list("name", "seen_at"):
        yield (name,), max(0.0, (abs(now - seen_at) - lag).total_seconds())


def _skews() -> _Numbers:
    for row in graders():
        if row.skew_seconds is not None and not row.stale:
            yield (row.name,), abs(row.skew_seconds)
    for skew in Sign.objects.filter(name="results").values_list("skew_seconds", flat=True):
        if skew is not None:
            yield ("results worker",), abs(skew)


def _sign_ages() -> _Numbers:
    """A part that never left a sign is silent for ever, so that its alert is raised, too."""
    now = timezone.now()
    seen = dict(Sign.objects.values_list("name", "at"))
    for part in SIGNS:
        age = abs(now - seen[part]).total_seconds() if part in seen else inf
        yield (part.value,), age


def _recording_lag() -> _Numbers:
    lag = recording_lag(timezone.now())
    if lag is not None:
        yield (), lag


def _rejected() -> _Numbers:
    kept = aside()
    if kept is not None:
        yield (), len(kept)


def _database_bytes() -> _Numbers:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
            yield (), cursor.fetchone()[0]
            return
        cursor.execute("PRAGMA page_count")
        pages = cursor.fetchone()[0]
        cursor.execute("PRAGMA page_size")
        yield (), pages * cursor.fetchone()[0]


def _games() -> float:
    """The highest keys tell without counting."""
    tables = (GameResult, TournamentGame, LadderGame)
    return sum(model._default_manager.aggregate(last=Max("pk"))["last"] or 0 for model in tables)


def _rejections() -> float | None:
    try:
        return broker.count_rejected()
    except broker.BrokerError:
        return None


def _second_plays() -> _Numbers:
    """A gauge, for it falls when a course is deleted."""
    yield (), Evaluation.objects.aggregate(plays=Sum("second_plays"))["plays"] or 0


def _system_faults() -> _Numbers:
    """A gauge, for it falls when old jobs are deleted."""
    yield (), Job.objects.filter(status=JobStatus.FAILED).count()


_GAUGES: Final[tuple[tuple[str, str, tuple[str, ...], Callable[[], _Numbers]], ...]] = (
    ("queue_messages", "Messages that wait at the broker.", ("queue",), _waiting),
    ("queue_oldest_seconds", "Age of the oldest batch that no grader has begun.",
     ("queue", "kind", "course"), _oldest),
    ("jobs", "Batches that are queued or played.", ("queue", "status", "course"), _jobs),
    ("evaluations", "Evaluations that have not finished.", ("status",), _evaluations),
    ("verdict_seconds", "From upload to smoke verdict, in the last ten minutes.",
     ("quantile",), _verdict_seconds),
    ("graders", "Graders by state.", ("state",), _grader_states),
    ("paused", "1 while all graders are paused.", (), _paused),
    ("grader_silence_seconds", "Time since a grader's last report.", ("grader",), _grader_ages),
    ("clock_skew_seconds", "How wrong a host's clock is, by the broker's.",
     ("host",), _skews),
    ("sign_age_seconds", "Time since the last sign of life of a part.", ("part",), _sign_ages),
    ("recording_lag_seconds", "How long reports wait to be recorded.", (), _recording_lag),
    ("rejected_messages", "The newest unusable messages, which are kept.", (), _rejected),
    ("database_bytes", "Size of the database.", (), _database_bytes),
    ("second_plays", "Games that were played twice because a host lost time.", (), _second_plays),
    ("system_faults", "Batches that failed on our side or were lost.", (), _system_faults),
)  # fmt: skip
_COUNTERS: Final[tuple[tuple[str, str, Callable[[], float | None]], ...]] = (
    ("games_recorded", "Games that were recorded.", _games),
    ("rejections", "Messages that were set aside as unusable.", _rejections),
)
