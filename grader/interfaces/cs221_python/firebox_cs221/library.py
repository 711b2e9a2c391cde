"""Functions of Python's library that versions after the simulator's have no more."""

import operator
import time

from .python2 import divide_

__all__ = ["put_back"]


def put_back() -> None:
    """Let this process's modules have them again."""
    vars(time).setdefault("clock", time.process_time)
    vars(operator).setdefault("div", divide_)
    vars(operator).setdefault("isCallable", callable)
