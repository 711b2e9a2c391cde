"""A file that a worker touches while it lives, for a liveness probe that loads no program."""

import os
from pathlib import Path

__all__ = ["note_life"]


def note_life() -> None:
    """Touch the file that FIREBOX_ALIVE_FILE names; without the setting do nothing."""
    if path := os.environ.get("FIREBOX_ALIVE_FILE"):
        Path(path).touch()
