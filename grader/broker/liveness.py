"""Touches a file while a worker lives, so that a liveness probe only reads the file's age."""

import os
from contextlib import suppress
from pathlib import Path

from celery.signals import worker_init


def touch_alive_file() -> None:
    """Touch the file that FIREBOX_ALIVE_FILE names; do nothing if it is not set."""
    if path := _file():
        with suppress(OSError):  # a full disk does not make the worker less alive
            path.touch()


def remove_alive_file(**_: object) -> None:
    """Remove the file when a worker starts.

    An earlier process may have left it. A worker without a file, such as one that still waits for
    the broker, counts as alive.
    """
    if path := _file():
        with suppress(OSError):
            path.unlink(missing_ok=True)


worker_init.connect(remove_alive_file)


def _file() -> Path | None:
    name = os.environ.get("FIREBOX_ALIVE_FILE")
    return Path(name) if name else None
