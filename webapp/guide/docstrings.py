"""The docstrings below the members of a class: what the guide's tables are made of.

Python keeps docstrings of classes and functions, not those written below a field or an enum's
member. They are read from the source, once.
"""

import ast
import inspect
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from textwrap import dedent

__all__ = ["members"]


@cache
def members(cls: type) -> Mapping[str, str]:
    """Name → docstring of every field or member of ``cls`` that has one, in order.

    Line breaks inside a docstring become spaces.
    """
    tree = ast.parse(dedent(inspect.getsource(cls)))
    body = tree.body[0]
    if not isinstance(body, ast.ClassDef):
        raise TypeError(f"{cls!r} is not a class")
    found: dict[str, str] = {}
    for statement, after in pairwise(body.body):
        name, text = _name(statement), _text(after)
        if name and text:
            found[name] = " ".join(text.split())
    return found


def _name(statement: ast.stmt) -> str | None:
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return None


def _text(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return None
