"""Checks of the parts of the site, each on its own and within seconds."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from grader.core.errors import SystemFault
from webapp.artefacts import store
from webapp.celery import RESULTS_QUEUE
from webapp.jobs import broker
from webapp.operations.models import Sign

__all__ = ["SIGNS", "Finding", "Part", "is_ready", "look"]

logger = logging.getLogger(__name__)

_MISSED: Final = 6
"""Intervals without a sign after which a part counts as stopped: a minute by default."""
_RESULTS_SECONDS: Final = 10.0
_BACKGROUND_SECONDS: Final = 15.0


class Part(StrEnum):
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
    """Mail is sent, and the other work that may wait is done."""


SIGNS: Final = (Part.TICK, Part.RESULTS, Part.BACKGROUND)
"""The parts that leave a sign again and again."""
_NEEDED: Final = (Part.DATABASE, Part.MIGRATIONS)
"""Without these no page can be served. Without the others uploads and pages are still there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of checking one part."""

    part: Part
    fault: str
    """Empty if it works."""


def look() -> list[Finding]:
    """Look at every part. The database comes first: without it some cannot be looked at."""
    return [Finding(part=part, fault=_fault(check)) for part, check in _CHECKS.items()]


def is_ready(findings: list[Finding]) -> bool:
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
    store().put(b"Firebox can write here.\n")  # the same bytes each time
    return ""


def _silence(part: Part, seconds: float) -> str:
    sign = Sign.objects.filter(name=part).first()
    if sign is None:
        return "not seen yet"
    silent = timezone.now() - sign.at
    return f"silent since {sign.at}" if silent > timedelta(seconds=_MISSED * seconds) else ""


_CHECKS: Final[dict[Part, Callable[[], str]]] = {
    Part.DATABASE: _database,
    Part.MIGRATIONS: _migrations,
    Part.BROKER: _broker,
    Part.STORE: _store,
    Part.TICK: lambda: _silence(Part.TICK, settings.TICK_SECONDS),
    Part.RESULTS: lambda: _silence(Part.RESULTS, _RESULTS_SECONDS),
    Part.BACKGROUND: lambda: _silence(Part.BACKGROUND, _BACKGROUND_SECONDS),
}
