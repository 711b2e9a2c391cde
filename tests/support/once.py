"""Data that one process of a test run makes for all of them."""

import fcntl
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from tests.support.slots import WORLDS_VARIABLE


def once(name: str, make: Callable[[], bytes]) -> bytes:
    """Return what ``make`` makes once a test run, charged to no test; others wait."""
    from tests.support import budget  # a plugin of pytest's, which is to import it first

    file = Path(os.environ[WORLDS_VARIABLE], hashlib.sha256(name.encode()).hexdigest())
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            with budget.shared():
                data = make()
            file.write_bytes(data)
    return file.read_bytes()
