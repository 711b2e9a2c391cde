"""Times and status codes of requests, by view, for Prometheus.

Each process adds its counts to a hash in Redis every few seconds, so that every process tells the
sums over all.
"""

import logging
import threading
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from django.http import HttpRequest, HttpResponse

from webapp.grading.jobs import broker

logger = logging.getLogger(__name__)

BUCKETS: Final = (0.1, 0.3, 1.0, 3.0, 10.0)
"""Upper bounds of the times that are told apart, in seconds."""
_PERIOD_SECONDS: Final = 5.0
_UNKNOWN: Final = "none"
_EXPECTED: Final = "readyz"
"""A view that answers 503 on purpose."""

_lock = threading.Lock()
_counts: Counter[str] = Counter()


def request_times(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Count each request by its view: its time, and its status code."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = time.monotonic()
        response = get_response(request)
        seconds = time.monotonic() - began
        view = request.resolver_match.view_name if request.resolver_match else _UNKNOWN
        with _lock:
            _counts[f"{view} bucket {bisect_left(BUCKETS, seconds)}"] += 1
            _counts[f"{view} status {response.status_code}"] += 1
            _counts[f"{view} microseconds"] += round(seconds * 1e6)
        return response

    return middleware


def add_counts() -> None:
    """Add what this process has counted to the sums in Redis. Raises BrokerError."""
    with _lock:
        added = Counter(_counts)
        _counts.clear()
    try:
        broker.add_counts(added)
    except broker.BrokerError:
        with _lock:
            _counts.update(added)
        raise


def keep_adding() -> None:
    """Add this process' counts every few seconds, from a thread that ends with it."""

    def add() -> None:
        while True:
            time.sleep(_PERIOD_SECONDS)
            try:
                add_counts()
            except broker.BrokerError as error:
                logger.info("the broker is away, requests are counted later: %s", error)

    threading.Thread(target=add, name="request counts", daemon=True).start()


@dataclass(slots=True)
class Requests:
    buckets: Counter[int] = field(default_factory=Counter)
    """Their number by the bucket of their time; the last bucket has no upper bound."""
    statuses: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def cumulative(self) -> Iterator[tuple[str, int]]:
        """Yield each bucket's upper bound, and how many requests took no longer."""
        total = 0
        for number, bound in enumerate((*map(str, BUCKETS), "+Inf")):
            total += self.buckets[number]
            yield bound, total


def requests() -> dict[str, Requests]:
    """Return all requests of the site by view. Raises BrokerError."""
    add_counts()
    views: defaultdict[str, Requests] = defaultdict(Requests)
    for name, count in broker.counts().items():
        match name.split(" "):
            case [view, "bucket", number]:
                views[view].buckets[int(number)] += count
            case [view, "status", status]:
                views[view].statuses[status] += count
            case [view, "microseconds"]:
                views[view].seconds += count / 1e6
    return views


def server_errors(views: dict[str, Requests]) -> int:
    """Return how many requests failed by an error of ours."""
    return sum(
        count
        for view, answered in views.items()
        for status, count in answered.statuses.items()
        if status.startswith("5") and view != _EXPECTED
    )
