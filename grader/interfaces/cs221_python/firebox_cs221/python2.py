"""Names that translated modules need to behave as in Python 2; each of them imports all."""

import builtins
import functools
import importlib
import math
import operator
import sys
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any, Final

from . import strings

__all__ = [
    "all_of_",
    "apply",
    "cmp",
    "cmp_to_key_",
    "coerce",
    "compare_",
    "divide_",
    "exec_",
    "file",
    "filter",
    "hasattr",
    "intern",
    "items_",
    "map",
    "max",
    "message_",
    "min",
    "of_star_",
    "of_string_",
    "old_class_",
    "raw_input",
    "reduce",
    "reload",
    "round",
    "sort_",
    "sorted",
    "translate_",
]

intern = sys.intern
reduce = functools.reduce
reload = importlib.reload

file = open
raw_input = input

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
        return next(builtins.filter(None, parts), cmp(len(left), len(right)))
    return 1 if _rank(left) > _rank(right) else -1


def _rank(value: Any) -> tuple[int, str]:
    if value is None:
        return 0, ""
    return (1, "") if isinstance(value, int | float) else (2, type(value).__name__)


def cmp_to_key_(order: Any, key: Any = None) -> Any:
    """The key that sorts as a function of two values does, of what another key gives."""
    if order is None:
        return key
    ordered = functools.cmp_to_key(order)
    return ordered if key is None else lambda value: ordered(key(value))


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


def sort_(values: Any, **options: Any) -> None:
    """Sort a list, whatever is in it; let anything else sort itself."""
    if isinstance(values, list):
        values[:] = sorted(values, **options)
    else:
        values.sort(**options)


def max(*values: Any, key: Any = None) -> Any:  # noqa: A001
    """The largest, whatever the values are."""
    return builtins.max(*values, key=_by(key))


def min(*values: Any, key: Any = None) -> Any:  # noqa: A001
    """The smallest, whatever the values are."""
    return builtins.min(*values, key=_by(key))


def exec_(code: Any, space: dict[str, Any], names: dict[str, Any]) -> None:
    """Run what a text says, with the names of a function; new ones are the module's then."""
    if names is space:
        exec(code, space)  # noqa: S102 - the student's own, as it was
        return
    seen = dict(names)
    exec(code, space, seen)  # noqa: S102 - likewise
    space.update({name: value for name, value in seen.items() if name not in names})


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


def apply(function: Any, values: Any = (), named: Any = None) -> Any:
    """Return ``function(*values, **named)``."""
    return function(*values, **(named or {}))


def coerce(left: Any, right: Any) -> tuple[Any, Any]:
    """Two numbers as numbers of the same type."""
    kind = type(left + right)
    return kind(left), kind(right)


def message_(error: Any) -> Any:
    """``error.message``; of an exception without one its only argument."""
    if hasattr(error, "message") or not isinstance(error, BaseException):
        return error.message
    return error.args[0] if len(error.args) == 1 else ""


def items_(value: Any) -> Any:
    """An exception's arguments; any other value as it is."""
    is_error = isinstance(value, BaseException) and not hasattr(value, "__getitem__")
    return value.args if is_error else value


def of_string_(module: Any, name: str) -> Any:
    """A name of the module ``string``, as it was; the upload's own module may have it."""
    return getattr(module, name) if hasattr(module, name) else getattr(strings, name)


def of_star_(module: Any, name: str, space: dict[str, Any]) -> Any:
    """Return a name's value in a function with ``from module import *``. Raises NameError."""
    for names in (all_of_(module), space, vars(builtins)):
        if name in names:
            return names[name]
    raise NameError(f"name {name!r} is not defined")


def all_of_(module: Any) -> dict[str, Any]:
    """Return the names that ``from module import *`` imports, and their values."""
    public = [name for name in vars(module) if not name.startswith("_")]
    return {name: getattr(module, name) for name in getattr(module, "__all__", public)}


def translate_(text: Any, *arguments: Any) -> Any:
    """``text.translate(table, deleted)``; let anything else translate itself."""
    if not isinstance(text, str):
        return text.translate(*arguments)
    return strings.translate(text, *arguments)


def map(function: Any, *values: Iterable[Any]) -> list[Any]:  # noqa: A001
    """Return a list. Shorter ``values`` are padded with ``None``; no function means tuples."""
    if len(values) == 1:
        return list(values[0] if function is None else builtins.map(function, *values))
    rows = zip_longest(*values)
    return list(rows) if function is None else [function(*row) for row in rows]


def filter(function: Any, values: Iterable[Any]) -> Any:  # noqa: A001
    """Return a text for a text, a tuple for a tuple, and a list for anything else."""
    kept = builtins.filter(function, values)
    if isinstance(values, str):
        return "".join(kept)
    return tuple(kept) if isinstance(values, tuple) else list(kept)


def hasattr(value: Any, name: str) -> bool:  # noqa: A001
    """Return ``False`` for ``__iter__`` of a text: agents tell texts from lists by it."""
    is_text = name == "__iter__" and isinstance(value, str)
    return not is_text and builtins.hasattr(value, name)


def round(number: Any, digits: int = 0) -> float:  # noqa: A001
    """Return a float; halves are rounded away from zero."""
    value = float(number)
    if not math.isfinite(value):
        return value
    above, below = value.as_integer_ratio()
    up, down = 10 ** builtins.max(digits, 0), 10 ** builtins.max(-digits, 0)
    whole = (2 * abs(above) * up + below * down) // (2 * below * down)
    return math.copysign(whole * down / up, value)


def old_class_(kind: Any) -> Any:
    """A class with ``__cmp__`` can be compared; one with ``__eq__`` still has a hash."""
    members = dict(vars(kind))
    for name, test in (("__eq__", operator.eq), ("__ne__", operator.ne), *_COMPARED):
        if "__cmp__" in members and name not in members:
            setattr(kind, name, _by_cmp(test))
    if members.get("__hash__", kind) is None:
        kind.__hash__ = object.__hash__
    return kind


_COMPARED: Final = tuple((f"__{test.__name__}__", test) for test in _TESTS.values())


def _by_cmp(test: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: test(self.__cmp__(other), 0)
