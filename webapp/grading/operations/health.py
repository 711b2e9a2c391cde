"""Checks of the parts of the site, each on its own and within seconds."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from grader.core.errors import SystemFault
from webapp.base.artefacts import store
from webapp.base.celery import RESULTS_QUEUE
from webapp.grading.jobs import broker
from webapp.grading.operations.models import Sign

logger = logging.getLogger(__name__)

_MISSED: Final = 6
"""Intervals without a sign after which a part counts as stopped: a minute by default."""
_RESULTS_SECONDS: Final = 10.0
_BACKGROUND_SECONDS: Final = 15.0
_STORE_SECONDS: Final = 2.0
"""The time that a probe waits for the store, as for the broker: Kubernetes waits 5 s for both."""
_STORE_CHECKS: Final = ThreadPoolExecutor(1, "store-check")


class HealthPart(StrEnum):
    """A part of the site."""

    DATABASE = "database"
    MIGRATIONS = "migrations"
    BROKER = "broker"
    STORE = "store"
    TICK = "tick"
    """Lost batches are looked for."""
    RESULTS = "results"
    """Reports of graders are recorded."""
    BACKGROUND = "background"


SIGNS: Final = (HealthPart.TICK, HealthPart.RESULTS, HealthPart.BACKGROUND)
_WORK: Final = {
    HealthPart.TICK: "Finds lost batches",
    HealthPart.RESULTS: "Records reports of graders",
    HealthPart.BACKGROUND: "Sends mail, computes statistics, deletes what expired",
}
_NEEDED: Final = (HealthPart.DATABASE, HealthPart.MIGRATIONS)
"""Without these no page can be served. Without the others uploads and pages are still there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFinding:
    part: HealthPart
    fault: str
    """Empty if it works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastSign:
    part: HealthPart
    at: datetime | None
    """``None`` if it has never left one."""
    since: datetime | None
    """The first sign after the last gap; ``None`` if it is not known."""
    is_silent: bool

    @property
    def work(self) -> str:
        return _WORK[self.part]

    @property
    def service(self) -> str:
        return "firebox-background" if self.part is HealthPart.BACKGROUND else "firebox-results"


def last_signs(at: datetime | None = None) -> list[LastSign]:
    """Return the last sign of each part that leaves them. One query."""
    now = at or timezone.now()
    seen = {sign.name: sign for sign in Sign.objects.all()}
    return [_last_sign(part, seen.get(part.value), now) for part in SIGNS]


def _last_sign(part: HealthPart, sign: Sign | None, now: datetime) -> LastSign:
    """A fast clock left a sign from the future at an unknown time: its distance counts."""
    if sign is None:
        return LastSign(part=part, at=None, since=None, is_silent=True)
    patience = timedelta(seconds=_MISSED * _seconds_between(part))
    is_silent = abs(now - sign.at) > patience
    return LastSign(part=part, at=sign.at, since=sign.since, is_silent=is_silent)


def _seconds_between(part: HealthPart) -> float:
    if part is HealthPart.TICK:
        return settings.TICK_SECONDS
    return _RESULTS_SECONDS if part is HealthPart.RESULTS else _BACKGROUND_SECONDS


def look() -> list[HealthFinding]:
    """Check every part. The database comes first: without it some cannot be checked."""
    return [HealthFinding(part=part, fault=_fault(check)) for part, check in _CHECKS.items()]


def is_ready(findings: list[HealthFinding]) -> bool:
    """Return whether pages can be served."""
    return not any(finding.fault for finding in findings if finding.part in _NEEDED)


def _fault(check: Callable[[], str]) -> str:
    try:
        return check()
    except (DatabaseError, SystemFault, broker.BrokerError) as error:
        return f"{type(error).__name__}: {error}"


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ""


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(plan)} are not applied" if plan else ""


def _broker() -> str:
    broker.waiting(RESULTS_QUEUE)
    return ""


def _store() -> str:
    """A bucket that hangs fails after minutes: the probe does not wait, and asks it once."""
    check = _STORE_CHECKS.submit(_write_into_store)
    try:
        check.result(_STORE_SECONDS)
    except TimeoutError:
        check.cancel()  # if it waits behind one that hangs
        return f"no answer within {_STORE_SECONDS:g} s"
    return ""


def _write_into_store() -> None:
    key = store().put(b"Firebox can write here.\n")
    # Remove it: the store does not write again what it has.
    store().remove(key, before=timezone.now() + timedelta(days=1))


def _silence(part: HealthPart) -> str:
    sign = next(sign for sign in last_signs() if sign.part is part)
    if sign.at is None:
        return "not seen yet"
    return f"silent since {sign.at}" if sign.is_silent else ""


_CHECKS: Final[dict[HealthPart, Callable[[], str]]] = {
    HealthPart.DATABASE: _database,
    HealthPart.MIGRATIONS: _migrations,
    HealthPart.BROKER: _broker,
    HealthPart.STORE: _store,
    HealthPart.TICK: lambda: _silence(HealthPart.TICK),
    HealthPart.RESULTS: lambda: _silence(HealthPart.RESULTS),
    HealthPart.BACKGROUND: lambda: _silence(HealthPart.BACKGROUND),
}
