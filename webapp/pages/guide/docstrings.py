"""Docstrings below fields, enum members and constants, which Python drops: read from the source."""

import ast
import inspect
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from textwrap import dedent
from types import ModuleType


@cache
def members(thing: type | ModuleType) -> Mapping[str, str]:
    """Name → docstring on one line of every field, member or constant that has one, in order."""
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
