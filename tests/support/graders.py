"""What workers report of themselves, without any worker."""

from datetime import UTC, datetime
from typing import Any, Final

from grader.health import CheckOutcome, GraderReport

PASSED: Final = CheckOutcome(
    name="root",
    tried="write to /",
    expected="it is refused",
    happened="EROFS",
    ok=True,
    fix="use a runtime that mounts the root read-only",
)
FAILED: Final = CheckOutcome(
    name="internet",
    tried="open an IPv4 socket",
    expected="it is refused",
    happened="<b>it worked</b> \x1b[1m",
    ok=False,
    fix="start Docker with a runtime that applies seccomp profiles",
)


def a_report(**changes: Any) -> GraderReport:
    """A worker that is well, seen now."""
    now = datetime.now(UTC)
    values: dict[str, Any] = {
        "name": "games@host",
        "version": "0.1.0",
        "cores": (0, 1),
        "slots": 2,
        "queues": ("graded", "practice", "audits"),
        "image": "firebox-python:0123456789ab",
        "runtime": "crun",
        "checks": (PASSED, PASSED),
        "checked_at": now,
        "sent_at": now,
    }
    return GraderReport(**(values | changes))
