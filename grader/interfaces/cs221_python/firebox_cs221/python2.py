"""What translated modules need to behave as in Python 2; each of them imports all of it."""

import functools
import importlib
import sys
from typing import Any

__all__ = ["cmp", "cmp_to_key_", "divide_", "intern", "reduce", "reload"]

cmp_to_key_ = functools.cmp_to_key
intern = sys.intern
reduce = functools.reduce
reload = importlib.reload


def cmp(left: Any, right: Any) -> int:
    """-1, 0 or 1, as left is less than, equal to or greater than right."""
    return int(left > right) - int(left < right)


def divide_(left: Any, right: Any) -> Any:
    """``left / right``: of whole numbers rounded down."""
    if isinstance(left, int) and isinstance(right, int):
        return left // right
    try:
        return left / right
    except TypeError:
        if hasattr(left, "__div__"):
            return left.__div__(right)
        raise
