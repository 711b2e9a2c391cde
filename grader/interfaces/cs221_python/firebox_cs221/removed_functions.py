"""Restores functions that Python's library had in the simulator's time, and has no longer."""

import collections
import collections.abc
import operator
import random
import sys
import time
from typing import Any, Final

from .python2 import divide_

__all__ = ["restore_removed_functions"]

_sample: Final = random.Random.sample


def restore_removed_functions() -> None:
    """Restore the functions in this process's modules."""
    vars(time).setdefault("clock", time.process_time)
    vars(operator).setdefault("div", divide_)
    vars(operator).setdefault("isCallable", callable)
    vars(sys).setdefault("setdefaultencoding", lambda _: None)
    for name in collections.abc.__all__:
        vars(collections).setdefault(name, getattr(collections.abc, name))
    random.Random.sample = _sample_of_any  # type: ignore[method-assign]
    random.sample = random._inst.sample


def _sample_of_any(self: random.Random, population: Any, k: int, **options: Any) -> list[Any]:
    """Return a sample; as before Python 3.11, ``population`` may be a set."""
    is_set = isinstance(population, set | frozenset)
    return _sample(self, tuple(population) if is_set else population, k, **options)
