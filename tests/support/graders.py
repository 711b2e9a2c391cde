"""Reports of workers on themselves, made without any worker, and their keys."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from grader.broker import transport
from grader.broker.signing import Signer
from grader.core.health import CheckOutcome, GraderReport
from grader.core.records import to_json
from tests.support.site_redis import site_redis

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
    now = datetime.now(UTC)
    values: dict[str, Any] = {
        "name": "games@host",
        "version": "0.1.0",
        "cores": (0, 1),
        "slots": 2,
        "queues": ("graded", "practice", "audits", "ladder"),
        "image": "firebox-python:0123456789ab",
        "runtime": "crun",
        "checks": (PASSED, PASSED),
        "checked_at": now,
        "sent_at": now,
    }
    return GraderReport(**(values | changes))


def a_signer(number: int = 1) -> Signer:
    return Signer(Ed25519PrivateKey.from_private_bytes(bytes([number] * 32)))


GRADER_KEY: Final = a_signer().public_key


def signed(report: object, task: str, *, by: Signer | None = None) -> str:
    signer = by or a_signer()
    return to_json(signer.sign(f"webapp.{task}", to_json(report)))


def let_work(key_file: Path, broker_url: str) -> str:
    """Have the grader with this key take work from the broker; return its public key."""
    key = Signer.from_file(key_file).public_key
    with site_redis(broker_url) as client:
        transport.admit(client, [key])
    return key
