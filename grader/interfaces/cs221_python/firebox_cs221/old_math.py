"""Python's ``math``, whose ``floor`` and ``ceil`` gave floats until Python 2."""

import math
from math import *  # noqa: F403 - all of it is what this is
from typing import Any

__all__ = [name for name in vars(math) if not name.startswith("_")]


class _Whole(float):
    """A float that can still be the position of an item."""

    __slots__ = ()

    def __index__(self) -> int:
        return int(self)


def floor(number: Any) -> float:  # type: ignore[no-redef]  # of the star
    """The largest whole number that is not above, as a float."""
    value = float(number)
    return _Whole(math.floor(value)) if math.isfinite(value) else value


def ceil(number: Any) -> float:  # type: ignore[no-redef]
    """The smallest whole number that is not below, as a float."""
    value = float(number)
    return _Whole(math.ceil(value)) if math.isfinite(value) else value
