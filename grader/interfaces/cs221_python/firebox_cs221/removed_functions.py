"""Restores functions that Python's library had in the simulator's time, and has no longer."""

import operator
import sys

import firebox_library

from .python2 import divide_


def restore_removed_functions() -> None:
    """Restore those of Python 3 and of Python 2 in this process's modules."""
    firebox_library.restore_removed_functions()
    vars(operator).setdefault("div", divide_)
    vars(operator).setdefault("isCallable", callable)
    vars(sys).setdefault("setdefaultencoding", lambda _: None)
