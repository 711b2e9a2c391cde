"""Tells Python 2 from Python 3 by the code of a module that Python 3 can parse."""

import ast
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Set
from typing import Final

from . import strings
from .comprehension_scopes import reads_variables
from .old_modules import NAMES

_GONE: Final = {
    *("xrange", "unicode", "basestring", "raw_input", "long", "unichr"),
    *("reduce", "cmp", "execfile", "reload", "intern", "apply", "coerce", "file", "StandardError"),
}
"""Builtins that Python 3 no longer has."""
_GONE_IN_ITERTOOLS: Final = {"izip", "izip_longest", "imap", "ifilter", "ifilterfalse"}
_GONE_ATTRIBUTES: Final = _GONE_IN_ITERTOOLS | {
    *("iteritems", "iterkeys", "itervalues", "viewitems", "viewkeys", "viewvalues", "has_key"),
    "maxint",
}
_GONE_MODULES: Final = {
    *("Queue", "cPickle", "StringIO", "cStringIO", "ConfigParser", "urllib2", "__builtin__"),
}
"""Modules that have another name in Python 3."""
STRING: Final = "string"
"""The module that had the contents of our ``strings`` in Python 2."""
_NO_LISTS: Final = {"map", "filter", "zip"}
"""Functions that returned lists in Python 2, which have a length and items."""
_NO_LIST_METHODS: Final = {"keys", "values", "items"}
_METHODS: Final = {"__nonzero__": "__bool__", "__cmp__": "__lt__"}
"""Methods that Python 2 called, and those that Python 3 calls instead."""
_ABSENCES: Final = {"NameError", "ImportError", "ModuleNotFoundError"}
_PYTHON_3_NODES: Final = (
    ast.AnnAssign, ast.AsyncFunctionDef, ast.JoinedStr, ast.Match, ast.MatMult, ast.NamedExpr,
    ast.Nonlocal, ast.TryStar, ast.YieldFrom,
)  # fmt: skip
_VERSIONS: Final = {"version_info", "hexversion", "PY2", "PY3", "python_version"}
"""Names by which a module that runs in both versions finds out which one it is."""
_PYTHON_3: Final = re.compile(rb"#!.*python3|#\s*python\s?3\s*(\.|$)", re.IGNORECASE)


def looks_like_python_2(
    tree: ast.Module, methods: Set[str] = frozenset(), own: Set[str] = frozenset()
) -> bool:
    """Return whether a module has code that Python 3 can read, but only Python 2 can run.

    Not counted: calls of ``methods``, which the upload's own classes define; imports of ``own``,
    the upload's modules; and code that the module runs in Python 2 only.
    """
    bound, asked, modules = _bound(tree), _asked(tree), string_modules(tree)
    methods = methods | own_methods(tree)
    lost = NAMES - own
    return any(
        _is_python_2(node, bound, methods)
        or is_gone_of_string(node, modules)
        or _imports_any(node, lost)
        for node in _run_by_both(tree)
        if node not in asked
    )


def may_be_python_2(tree: ast.Module, methods: Set[str] = frozenset()) -> bool:
    """Return whether a module has code that has no effect, or fails, in Python 3.

    A module for Python 3 may have some by mistake: ask whether any has that syntax.
    """
    bound = _bound(tree)
    methods = methods | own_methods(tree)
    return reads_variables(tree) or any(
        _is_silent_in_python_3(node, bound, methods) for node in _run_by_both(tree)
    )


def _imports_any(node: ast.AST, modules: Set[str]) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name in modules for alias in node.names)
    return isinstance(node, ast.ImportFrom) and not node.level and node.module in modules


def has_syntax_of_python_3(tree: ast.Module) -> bool:
    """Return whether a module has syntax that Python 2 could not read."""
    prints = any(map(_imports_print, tree.body))  # which Python 2 can, too
    return any(_is_python_3(node) or (_is_print(node) and not prints) for node in ast.walk(tree))


def _imports_print(node: ast.stmt) -> bool:
    if not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
        return False
    return any(alias.name == "print_function" for alias in node.names)


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _calls(node, {"print"}) and bool(node.keywords)


def _is_python_3(node: ast.AST) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.returns is not None or bool(node.args.kwonlyargs)
    if isinstance(node, ast.arg):
        return node.annotation is not None
    if isinstance(node, ast.ClassDef):
        return bool(node.keywords)
    if isinstance(node, ast.Raise):
        return node.cause is not None
    return isinstance(node, _PYTHON_3_NODES)


def own_methods(tree: ast.Module) -> set[str]:
    """Return the names of the methods that a module's classes define."""
    return {
        method.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for method in node.body
        if isinstance(method, ast.FunctionDef)
    }


def says_python_3(source: bytes) -> bool:
    """Return whether one of the first two lines says ``# python3``, or starts that program."""
    lines = source.removeprefix(BOM_UTF8).split(b"\n", 2)[:2]
    return any(_PYTHON_3.match(line) for line in lines)


def _run_by_both(tree: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if not (isinstance(node, ast.If | ast.IfExp) and _asks_version(node.test)):
            yield node
            waiting += ast.iter_child_nodes(node)


def _asks_version(test: ast.expr) -> bool:
    return any(
        (isinstance(node, ast.Attribute) and node.attr in _VERSIONS)
        or (isinstance(node, ast.Name) and node.id in _VERSIONS)
        for node in ast.walk(test)
    )


def _asked(tree: ast.Module) -> set[ast.AST]:
    """Return names and imports in a ``try`` and its handler that expects they may be missing."""
    tries = [node for node in ast.walk(tree) if isinstance(node, ast.Try)]
    tried = [node for node in tries if any(map(_expects_absence, node.handlers))]
    bodies = [each for node in tried for each in node.body]
    instead = [handler for node in tried for handler in node.handlers if _expects_absence(handler)]
    imports = _inside(instead, ast.Import, ast.ImportFrom)
    return {
        *_inside(bodies, ast.Name, ast.Import, ast.ImportFrom),
        *(node for node in imports if _imports_any(node, NAMES)),
    }


def _inside(nodes: Iterable[ast.AST], *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    return (inner for node in nodes for inner in ast.walk(node) if isinstance(inner, kinds))


def _expects_absence(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in _ABSENCES for kind in kinds)


def _is_python_2(node: ast.AST, bound: set[str], methods: Set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _GONE - bound and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Attribute):
        return node.attr in _GONE_ATTRIBUTES - methods
    if isinstance(node, ast.Import):
        return any(alias.name in _GONE_MODULES for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        names = {alias.name for alias in node.names} if node.module == "itertools" else set()
        return node.module in _GONE_MODULES or not names.isdisjoint(_GONE_IN_ITERTOOLS)
    if isinstance(node, ast.Subscript):
        return _was_list(node.value, bound, _NO_LIST_METHODS - methods) or _divides(node.slice)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return any(
            _was_list(side, bound, _NO_LIST_METHODS - methods) or _calls(side, {"range"} - bound)
            for side in (node.left, node.right)
        )
    if isinstance(node, ast.Expr):  # map(seen.append, cards), for its effect: lazy in Python 3
        return _calls(node.value, {"map"} - bound)
    return isinstance(node, ast.Call) and _is_old_call(node, bound, methods)


def _is_silent_in_python_3(node: ast.AST, bound: set[str], methods: Set[str]) -> bool:
    if isinstance(node, ast.ClassDef):
        return _is_old_class(node)
    return isinstance(node, ast.Compare) and _compares_lists(node, bound, methods)


def _is_old_class(node: ast.ClassDef) -> bool:
    names = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
    names |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return any(old in names and new not in names for old, new in _METHODS.items())


def _compares_lists(node: ast.Compare, bound: set[str], methods: Set[str]) -> bool:
    if not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return False
    sides = [node.left, node.comparators[0]]
    lists = [
        isinstance(side, ast.List | ast.ListComp) or _calls(side, {"sorted", "list"} - bound)
        for side in sides
    ]
    once = [
        _was_list(side, bound, _NO_LIST_METHODS - methods) or _calls(side, {"range"} - bound)
        for side in sides
    ]
    return any(lists) and any(once)


def _is_old_call(node: ast.Call, bound: set[str], methods: Set[str]) -> bool:
    """Return whether a call needs a lost length, a whole quotient, or to sort by ``cmp``."""
    if _calls(node, {"len"}):
        return any(_was_list(argument, bound, frozenset()) for argument in node.args)
    if _calls(node, {"range"} - bound):
        return any(map(_divides, node.args))
    names = {keyword.arg for keyword in node.keywords}
    if _calls(node, {"sorted"} - bound):
        return len(node.args) > 1 or "cmp" in names
    function = node.func
    if isinstance(function, ast.Attribute):
        is_sort = function.attr == "sort" and "sort" not in methods
        return is_sort and isinstance(function.value, ast.Name | ast.Attribute) and "cmp" in names
    return False


def string_modules(tree: ast.Module) -> set[str]:
    """Return the names under which a module imports Python's ``string``."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == STRING
    }


def is_gone_of_string(node: ast.AST, modules: Set[str]) -> bool:
    """Return whether it is ``string.letters``, or imports that, and the like."""
    if isinstance(node, ast.ImportFrom):
        is_string = node.module == STRING and not node.level
        return is_string and any(alias.name in strings.__all__ for alias in node.names)
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
        return False
    return node.value.id in modules and node.attr in strings.__all__


def _calls(node: ast.expr, names: Set[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _divides(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)


def _was_list(node: ast.expr, bound: set[str], methods: Set[str]) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in _NO_LISTS - bound
    if isinstance(node.func, ast.Attribute) and not node.args:
        return node.func.attr in methods
    return False


def _bound(tree: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.arg):
            names.add(node.arg)
    return names
