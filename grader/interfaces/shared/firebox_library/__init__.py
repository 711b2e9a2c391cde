"""Functions of Python's library that agents of earlier years call. Standard library only."""

import collections
import collections.abc
import random
import time
from typing import Any, Final

__all__ = ["restore_removed_functions"]

_sample: Final = random.Random.sample


def restore_removed_functions() -> None:
    """Restore in this process's modules what Python 3 had once, and has no longer."""
    vars(time).setdefault("clock", time.process_time)
    for name in collections.abc.__all__:
        vars(collections).setdefault(name, getattr(collections.abc, name))
    random.Random.sample = _sample_of_any  # type: ignore[method-assign]
    random.sample = random._inst.sample


def _sample_of_any(self: random.Random, population: Any, k: int, **options: Any) -> list[Any]:
    """Return a sample; as before Python 3.11, ``population`` may be a set."""
    is_set = isinstance(population, set | frozenset)
    return _sample(self, tuple(population) if is_set else population, k, **options)
