"""A file that a worker touches while it lives, for a liveness probe that loads no program."""

import os
from contextlib import suppress
from pathlib import Path

from celery.signals import worker_init

__all__ = ["remove_alive_file", "touch_alive_file"]


def touch_alive_file() -> None:
    """Touch the file that FIREBOX_ALIVE_FILE names; without the setting do nothing."""
    if path := _file():
        with suppress(OSError):  # a full disk does not make the worker less alive
            path.touch()


def remove_alive_file(**_: object) -> None:
    """Remove the file when a worker starts.

    An earlier process may have left it. A worker that waits for the broker has none: it lives.
    """
    if path := _file():
        with suppress(OSError):
            path.unlink(missing_ok=True)


worker_init.connect(remove_alive_file)


def _file() -> Path | None:
    name = os.environ.get("FIREBOX_ALIVE_FILE")
    return Path(name) if name else None
