"""Python 2 into Python 3: lib2to3 for the syntax, and a few changes for what it leaves.

lib2to3 is a part of Python up to 3.12; the sandbox has 3.11. Its fixers that add lines are left
out, so that lines keep their numbers: ``python2`` has what they would import.
"""

import ast
import io
import re
import tokenize
import warnings
from codecs import BOM_UTF8
from collections.abc import Iterator, Set
from functools import cache
from typing import Any, Final, TypeGuard

from . import fix_lambda_tuples, fix_raise_text, python2

__all__ = [
    "Untranslatable",
    "adapted",
    "has_syntax_of_python_3",
    "looks_like_python_2",
    "own_methods",
    "says_python_3",
    "translated",
]

_FIXERS: Final = (
    *("apply", "asserts", "basestring", "dict", "except", "exec", "execfile", "exitfunc", "filter"),
    *("funcattrs", "getcwdu", "has_key", "imports", "imports2", "input", "isinstance", "itertools"),
    *("itertools_imports", "long", "map", "metaclass", "methodattrs", "ne", "next", "nonzero"),
    *("numliterals", "paren", "print", "raise", "raw_input", "renames", "repr", "standarderror"),
    *("sys_exc", "throw", "tuple_params", "types", "unicode", "urllib", "xrange", "xreadlines"),
    "zip",
)

_NEITHER: Final = "nor is it Python 2"
_TOO_DEEP: Final = "nested too deeply to be translated from Python 2"

_GONE: Final = {
    *("xrange", "unicode", "basestring", "raw_input", "long", "unichr"),
    *("reduce", "cmp", "execfile", "reload", "intern", "apply", "StandardError"),
}
"""Built in until Python 2."""
_GONE_IN_ITERTOOLS: Final = {"izip", "izip_longest", "imap", "ifilter", "ifilterfalse"}
_GONE_ATTRIBUTES: Final = _GONE_IN_ITERTOOLS | {
    *("iteritems", "iterkeys", "itervalues", "viewitems", "viewkeys", "viewvalues", "has_key"),
    "maxint",
}
_GONE_MODULES: Final = {
    *("Queue", "cPickle", "StringIO", "cStringIO", "ConfigParser", "urllib2", "__builtin__"),
}
_NO_LISTS: Final = {"map", "filter", "zip"}
"""Gave lists until Python 2, which have a length and items."""
_NO_LIST_METHODS: Final = {"keys", "values", "items"}
_ABSENCES: Final = {"NameError", "ImportError", "ModuleNotFoundError"}
_PYTHON_3_NODES: Final = (
    ast.AnnAssign, ast.AsyncFunctionDef, ast.JoinedStr, ast.Match, ast.MatMult, ast.NamedExpr,
    ast.Nonlocal, ast.TryStar, ast.YieldFrom,
)  # fmt: skip
_VERSIONS: Final = {"version_info", "hexversion", "PY2", "PY3", "python_version"}
"""Names by which a module that runs in both versions finds out which one it is."""
_PYTHON_3: Final = re.compile(rb"#!.*python3|#\s*python\s?3\s*(\.|$)", re.IGNORECASE)


class Untranslatable(Exception):  # noqa: N818 - the student's doing, not an error of ours
    """It is no Python 2 either, or there is no lib2to3; the text may be added to a message."""

    def __init__(self, text: str, line: int = 0, column: int = 0) -> None:
        """``line`` and ``column`` count from 1: where Python 2 stops; 0 where nobody knows."""
        super().__init__(text)
        self.line = line
        self.column = column


def looks_like_python_2(tree: ast.Module, methods: Set[str] = frozenset()) -> bool:
    """Return whether a module has code that Python 3 can read, but only Python 2 can run.

    ``methods`` are those of the upload's own classes: what they give is for them to say. Nor does
    it count what a module does in case that it runs in Python 2.
    """
    bound, asked = _bound(tree), _asked(tree)
    methods = methods | own_methods(tree)
    return any(
        _is_python_2(node, bound, methods) for node in _run_by_both(tree) if node not in asked
    )


def has_syntax_of_python_3(tree: ast.Module) -> bool:
    """Return whether a module has syntax that Python 2 could not read."""
    return any(map(_is_python_3, ast.walk(tree)))


def _is_python_3(node: ast.AST) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.returns is not None or bool(node.args.kwonlyargs)
    if isinstance(node, ast.arg):
        return node.annotation is not None
    if isinstance(node, ast.ClassDef):
        return bool(node.keywords)
    if isinstance(node, ast.Call):  # print("a", end="")
        is_print = isinstance(node.func, ast.Name) and node.func.id == "print"
        return is_print and bool(node.keywords)
    if isinstance(node, ast.Raise):
        return node.cause is not None
    return isinstance(node, _PYTHON_3_NODES)


def own_methods(tree: ast.Module) -> set[str]:
    """Names of the methods that a module's classes have."""
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
    """All nodes but those that a check of Python's version chooses from."""
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
    """Names and imports that are tried, with something else to do where they are not there."""
    return {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and any(map(_expects_absence, node.handlers))
        for statement in node.body
        for inner in ast.walk(statement)
        if isinstance(inner, ast.Name | ast.Import | ast.ImportFrom)
    }


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
    if isinstance(node, ast.Call):
        return _is_old_call(node, bound, methods)
    if isinstance(node, ast.Expr):  # map(seen.append, cards), for its effect: lazy in Python 3
        return _calls(node.value, {"map"} - bound)
    return False


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


def _calls(node: ast.expr, names: Set[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _divides(node: ast.expr) -> bool:
    """Return whether a number that must be whole is a quotient."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)


def _was_list(node: ast.expr, bound: set[str], methods: Set[str]) -> bool:
    """Return whether an expression is no list any more, although its items are used."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in _NO_LISTS - bound
    if isinstance(node.func, ast.Attribute) and not node.args:
        return node.func.attr in methods
    return False


def _bound(tree: ast.Module) -> set[str]:
    """Names that the module gives a meaning, anywhere."""
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


def translated(source: bytes) -> str:
    """The text in Python 3, as many lines. Raises Untranslatable."""
    text = _decoded(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _refactored(text)
        except RecursionError:
            raise Untranslatable(_TOO_DEEP) from None


def _decoded(source: bytes) -> str:
    """Line ends as ``\\n``, and in front only spaces: Python 2 took a tab to the next eighth."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        text = source.decode(encoding)
    except (SyntaxError, UnicodeDecodeError):
        text = source.decode("latin-1")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(map(_without_tabs, lines)).rstrip() + "\n"


def _without_tabs(line: str) -> str:
    rest = line.lstrip(" \t")
    return line[: len(line) - len(rest)].expandtabs(8) + rest


def _refactored(text: str) -> str:
    try:
        tool = _tool()
        from lib2to3.pgen2.parse import ParseError
        from lib2to3.pgen2.tokenize import TokenError
    except ImportError:
        raise Untranslatable("to translate it from Python 2 takes Python 3.11 or 3.12") from None
    try:
        return str(tool.refactor_string(text, "submission"))
    except ParseError as error:
        line, column = error.context[1]
        raise Untranslatable(_NEITHER, line, column + 1) from None
    except TokenError as error:  # where what is open begins, or the end of the file
        line, column = error.args[1]
        raise Untranslatable(_NEITHER, line, column + 1) from None
    except IndentationError as error:
        raise Untranslatable(_NEITHER, error.lineno or 0, error.offset or 0) from None
    except (UnicodeError, ValueError):
        raise Untranslatable(_NEITHER) from None


@cache
def _tool() -> Any:
    """Takes a moment to make. Raises ImportError."""
    from lib2to3.refactor import RefactoringTool

    fixers = [f"lib2to3.fixes.fix_{name}" for name in _FIXERS]
    own = [fix_lambda_tuples.__name__, fix_raise_text.__name__]
    return RefactoringTool([*own, *fixers])


def adapted(text: str) -> ast.Module:
    """The tree of a translated text that behaves more like Python 2. Raises Untranslatable."""
    try:
        return _adapted(ast.parse(text))
    except (SyntaxError, ValueError):
        raise Untranslatable("nor could it be translated from Python 2") from None
    except (MemoryError, RecursionError):
        raise Untranslatable(_TOO_DEEP) from None


def _adapted(tree: ast.Module) -> ast.Module:
    futures = [node for node in tree.body if _is_future(node)]
    declared = {alias.name for node in futures for alias in node.names}
    tree = _Adapter(divides="division" not in declared).visit(tree)
    names = [ast.alias(name=name, asname=None) for name in python2.__all__]
    line = ast.ImportFrom(module=python2.__name__, names=names, level=0)
    # After the docstring and what has to stand in front.
    tree.body.insert(int(ast.get_docstring(tree) is not None) + len(futures), line)
    return ast.fix_missing_locations(tree)


def _is_future(node: ast.stmt) -> TypeGuard[ast.ImportFrom]:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


class _Adapter(ast.NodeTransformer):
    """Division of whole numbers, comparisons of anything, sorting by comparison, old classes."""

    def __init__(self, *, divides: bool) -> None:
        self._divides = divides

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not (self._divides and isinstance(node.op, ast.Div)):
            return node
        return _call("divide_", node.left, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not (self._divides and isinstance(node.op, ast.Div)):
            return node
        value = ast.parse(ast.unparse(node.target), mode="eval").body
        return ast.copy_location(
            ast.Assign(targets=[node.target], value=_call("divide_", value, node.value)), node
        )

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """A comparison of two values: longer chains stay as they are."""
        self.generic_visit(node)
        test = type(node.ops[0]).__name__
        if len(node.ops) > 1 or test not in {"Lt", "LtE", "Gt", "GtE"}:
            return node
        call = _call("compare_", node.left, node.comparators[0])
        call.args.insert(0, ast.copy_location(ast.Constant(test), node))
        return call

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``sorted(x, cmp=f)``, ``x.sort(f)``: the order is a function's; ``exec`` sets names."""
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Name) and function.id == "exec" and len(node.args) == 1:
            return _call("exec_", *node.args, *map(_call_of_none, ("globals", "locals")))
        if isinstance(function, ast.Name) and function.id == "sorted":
            _name_options(node, after=1)
        elif isinstance(function, ast.Attribute) and function.attr == "sort":
            _name_options(node, after=0)
            node.args.insert(0, function.value)
            node.func = ast.copy_location(ast.Name(id="sort_", ctx=ast.Load()), function)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """One with a method ``__cmp__`` can be compared, one with ``__eq__`` can be in a set."""
        self.generic_visit(node)
        if any(
            isinstance(member, ast.FunctionDef) and member.name in {"__cmp__", "__eq__"}
            for member in node.body
        ):
            name = ast.Name(id="old_class_", ctx=ast.Load())
            node.decorator_list.append(ast.copy_location(name, node))
        return node


def _call_of_none(name: str) -> ast.Call:
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=[], keywords=[])


def _name_options(node: ast.Call, *, after: int) -> None:
    """Turn the arguments of a call that sorts into the named ones that Python 3 has."""
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    given |= dict(zip(("cmp", "key", "reverse"), node.args[after:], strict=False))
    del node.args[after:]
    if "cmp" in given:
        order, key = given.pop("cmp"), given.pop("key", None)
        given["key"] = _call("cmp_to_key_", order, *filter(None, (key,)))
    node.keywords = [ast.keyword(arg=name, value=value) for name, value in given.items()]


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    call = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=list(arguments), keywords=[])
    return ast.copy_location(call, arguments[0])
