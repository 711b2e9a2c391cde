"""A fixer for lib2to3: ``raise "text", value`` becomes ``raise "text"``, which Python 3 can read.

Such a line failed in later versions of Python 2 too, but only when it was reached, with the very
TypeError that it gives now. The class is made when it is asked for, as in ``fix_lambda_tuples``.
"""

from typing import Any, Final

_PATTERN: Final = "raise_stmt< 'raise' text=STRING ',' any* >"


def __getattr__(name: str) -> Any:
    if name != "FixRaiseText":
        raise AttributeError(name)
    from lib2to3.fixer_base import BaseFix

    return type(name, (BaseFix,), {"PATTERN": _PATTERN, "transform": _transform, "run_order": 1})


def _transform(fixer: Any, node: Any, results: Any) -> None:
    del fixer, results
    for child in node.children[2:]:
        child.remove()
