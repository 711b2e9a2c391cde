"""A grader's report about itself, sent to the site at its start and a few times a minute. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from grader.core.records import FORMAT

REPORT_SECONDS: Final = 15.0
"""A worker without news repeats its report after this time."""
RETRY_SECONDS: Final = 10.0
"""Time between two checks of a host that failed one."""

Moment: TypeAlias = Annotated[datetime, msgspec.Meta(tz=True)]
"""A time with its zone: two hosts compare theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """The outcome of one probe of ``firebox check``."""

    name: str
    tried: str
    expected: str
    happened: str
    ok: bool
    fix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderReport:
    """One worker: the argument of the task ``webapp.record_grader``."""

    v: int = FORMAT
    name: str
    """Unique among the workers of a site: Celery's node name, such as ``games@host``."""
    version: str
    cores: tuple[int, ...]
    """Processors of its host that play games."""
    slots: int
    """Games that it plays at one time."""
    queues: tuple[str, ...]
    """Its queues, in the order of serving."""
    image: str
    runtime: str
    """The OCI runtime that starts its sandboxes."""
    checks: tuple[CheckOutcome, ...]
    checked_at: Moment
    sent_at: Moment
    """By the grader's own clock."""
    broker_at: float | None = None
    """The same moment by the broker's clock, in seconds since 1970; ``None`` if it did not say."""
    is_leaving: bool = False
    """The worker ends, and nobody need look for it."""
    missing_images: tuple[str, ...] | UnsetType = UNSET
    """Runtimes whose sandbox images its host does not have yet; omitted if it has all."""
    games: dict[str, str] | UnsetType = UNSET
    """Versions of the games that its packages bring, by name; omitted if there are none."""

    @property
    def is_healthy(self) -> bool:
        """True if it was checked and every probe passed: only then does it take work."""
        return bool(self.checks) and all(check.ok for check in self.checks)

    @property
    def failed(self) -> tuple[CheckOutcome, ...]:
        """The probes that did not pass."""
        return tuple(check for check in self.checks if not check.ok)
