"""The docstrings below the members of a class or module, for the guide's tables.

Python keeps docstrings of classes and functions, not those written below a field, an enum's member
or a constant. They are read from the source, once.
"""

import ast
import inspect
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from textwrap import dedent
from types import ModuleType


@cache
def members(thing: type | ModuleType) -> Mapping[str, str]:
    """Name → docstring of every field, member or constant of ``thing`` that has one, in order.

    Line breaks inside a docstring become spaces.
    """
    body = ast.parse(dedent(inspect.getsource(thing))).body
    if isinstance(thing, type) and isinstance(body[0], ast.ClassDef):
        body = body[0].body
    docstrings: dict[str, str] = {}
    for statement, after in pairwise(body):
        name, text = _name(statement), _text(after)
        if name and text:
            docstrings[name] = " ".join(text.split())
    return docstrings


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
