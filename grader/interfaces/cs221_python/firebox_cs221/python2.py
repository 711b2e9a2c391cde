"""What translated modules need to behave as in Python 2; each of them imports all of it."""

import builtins
import functools
import importlib
import operator
import sys
from collections.abc import Callable
from typing import Any, Final

__all__ = [
    "cmp",
    "cmp_to_key_",
    "compare_",
    "divide_",
    "intern",
    "max",
    "min",
    "reduce",
    "reload",
    "sorted",
]

cmp_to_key_ = functools.cmp_to_key
intern = sys.intern
reduce = functools.reduce
reload = importlib.reload

_TESTS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}


def cmp(left: Any, right: Any) -> int:
    """-1, 0 or 1, as left is less than, equal to or greater than right.

    Everything could be compared: None came first, then numbers, then the rest by type.
    """
    if left == right:
        return 0
    try:
        return 1 if left > right else -1
    except TypeError:
        pass
    if type(left) is type(right) and isinstance(left, tuple | list):
        parts = (cmp(one, other) for one, other in zip(left, right, strict=False))
        return next(filter(None, parts), cmp(len(left), len(right)))
    return 1 if _rank(left) > _rank(right) else -1


def _rank(value: Any) -> tuple[int, str]:
    if value is None:
        return 0, ""
    return (1, "") if isinstance(value, int | float) else (2, type(value).__name__)


def compare_(test: str, left: Any, right: Any) -> Any:
    """``left < right`` and its like, by the name of the operator's class in ``ast``."""
    try:
        return _TESTS[test](left, right)
    except TypeError:
        return _TESTS[test](cmp(left, right), 0)


_key: Final = functools.cmp_to_key(cmp)


def _by(key: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    return _key if key is None else lambda value: _key(key(value))


def sorted(values: Any, *, key: Any = None, reverse: bool = False) -> list[Any]:  # noqa: A001
    """Sorted, whatever the values are."""
    return builtins.sorted(values, key=_by(key), reverse=reverse)


def max(*values: Any, key: Any = None) -> Any:  # noqa: A001
    """The largest, whatever the values are."""
    return builtins.max(*values, key=_by(key))


def min(*values: Any, key: Any = None) -> Any:  # noqa: A001
    """The smallest, whatever the values are."""
    return builtins.min(*values, key=_by(key))


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
