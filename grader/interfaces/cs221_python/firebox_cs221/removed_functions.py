"""Restores functions that Python's library had in the simulator's time, and has no longer."""

import operator
import time

from .python2 import divide_

__all__ = ["restore_removed_functions"]


def restore_removed_functions() -> None:
    """Give them back to the modules of this process."""
    vars(time).setdefault("clock", time.process_time)
    vars(operator).setdefault("div", divide_)
    vars(operator).setdefault("isCallable", callable)
