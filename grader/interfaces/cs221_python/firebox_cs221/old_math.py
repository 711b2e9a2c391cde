"""``math`` as in Python 2: ``floor`` and ``ceil`` return floats."""

import math
from math import *  # noqa: F403 - this module extends it
from typing import Any

__all__ = [name for name in vars(math) if not name.startswith("_")]


class _Whole(float):
    """A float that may also be an index of a list."""

    __slots__ = ()

    def __index__(self) -> int:
        return int(self)


def floor(number: Any) -> float:  # type: ignore[no-redef]  # replaces an imported one
    """Return the largest whole number that is at most ``number``, as a float."""
    value = float(number)
    return _Whole(math.floor(value)) if math.isfinite(value) else value


def ceil(number: Any) -> float:  # type: ignore[no-redef]
    """Return the smallest whole number that is at least ``number``, as a float."""
    value = float(number)
    return _Whole(math.ceil(value)) if math.isfinite(value) else value
