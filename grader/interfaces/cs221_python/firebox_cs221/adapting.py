"""Changes the tree of a translated module where Python 3 would run it unlike Python 2."""

import ast
import builtins
from collections.abc import Set
from typing import Final, TypeGuard

from . import python2, strings
from .comprehension_scopes import keep_variables, pass_names_of_classes
from .python2_detection import STRING, is_gone_of_string, string_modules
from .star_imports import replace_star_imports
from .translate import TOO_DEEP, Untranslatable


def adapted(
    text: str, *, own: Set[str] = frozenset(), siblings: Set[str] = frozenset()
) -> ast.Module:
    """Return the tree of a translated text, changed to behave as in Python 2.

    ``own`` are the names of the upload's top-level modules, ``siblings`` of those in the same
    package. Raises Untranslatable.
    """
    try:
        return _adapted(ast.parse(text), own, siblings)
    except (SyntaxError, ValueError):
        raise Untranslatable("nor could it be translated from Python 2") from None
    except (MemoryError, RecursionError):
        raise Untranslatable(TOO_DEEP) from None


def _adapted(tree: ast.Module, own: Set[str], siblings: Set[str]) -> ast.Module:
    futures = [node for node in tree.body if _is_future(node)]
    declared = {alias.name for node in futures for alias in node.names}
    modules = string_modules(tree)
    divides = "division" not in declared
    keep_variables(tree)
    pass_names_of_classes(tree)
    adapter = _Adapter(divides=divides, string_modules=modules, own=own, siblings=siblings)
    tree = adapter.visit(tree)
    replace_star_imports(tree)
    names = [ast.alias(name=name, asname=None) for name in python2.__all__]
    line = _import_from(python2.__name__, *names)
    # After the docstring and what has to stand in front.
    tree.body.insert(int(ast.get_docstring(tree) is not None) + len(futures), line)
    return ast.fix_missing_locations(tree)


def _is_future(node: ast.stmt) -> TypeGuard[ast.ImportFrom]:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


_OURS: Final = {
    "heapq": "heaps",
    "itertools": "old_itertools",
    "math": "old_math",
    "types": "old_types",
}
"""Modules of Python's library, and our modules that replace them.

Ours are not imported here: an upload cannot replace a module that this process has loaded.
"""
_ORDERS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_MIDDLE: Final = "link_"
"""Keeps a value in the middle of a chain of comparisons."""


class _Adapter(ast.NodeTransformer):
    """Division of whole numbers, comparisons of anything, sorting by comparison, old classes."""

    def __init__(
        self, *, divides: bool, string_modules: Set[str], own: Set[str], siblings: Set[str]
    ) -> None:
        self._divides = divides
        self._string_modules = string_modules
        self._siblings = siblings
        self._ours = {name: ours for name, ours in _OURS.items() if name not in own | siblings}
        self._errors: list[str | None] = []
        """Names of the exceptions whose handlers are being visited."""
        self._ending: list[bool] = [False]
        """For each function that is being visited whether StopIteration ends it here."""
        self._keeping: list[bool] = [True]
        """For each scope that is being visited whether an expression may give its value a name."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A generator ends where it raises StopIteration."""
        self._within(node, ends=any(map(_yields, node.body)), keeps=True)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """One with a method ``__cmp__`` can be compared, one with ``__eq__`` can be in a set."""
        self._within(node, ends=False, keeps=False)
        if any(
            isinstance(member, ast.FunctionDef) and member.name in {"__cmp__", "__eq__"}
            for member in node.body
        ):
            name = ast.Name(id="old_class_", ctx=ast.Load())
            node.decorator_list.append(ast.copy_location(name, node))
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        """Defaults belong to what is around the function."""
        self._within(node, ends=False, keeps=False)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """No value may get a name in the expression that gives the values."""
        values = ast.Expr(node.iter)
        self._within(values, ends=False, keeps=False)
        node.iter = values.value
        node.ifs = [self.visit(test) for test in node.ifs]
        return node

    def _within(self, node: ast.AST, *, ends: bool, keeps: bool) -> None:
        self._ending.append(ends)
        self._keeping.append(keeps)
        self.generic_visit(node)
        self._ending.pop()
        self._keeping.pop()

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """In its body StopIteration may be caught."""
        ends = self._ending[-1]
        self._ending[-1] = ends and not any(map(_may_catch_the_end, node.handlers))
        self.generic_visit(ast.Module(body=node.body, type_ignores=[]))
        self._ending[-1] = ends
        self.generic_visit(ast.Try(body=[], **{name: getattr(node, name) for name in _REST_OF_TRY}))
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """``raise StopIteration`` in a generator is ``return``."""
        self.generic_visit(node)
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        is_end = isinstance(raised, ast.Name) and raised.id == "StopIteration"
        if not (is_end and self._ending[-1]):
            return node
        return ast.copy_location(ast.Return(value=None), node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """Inside, ``error.message`` and ``error[0]`` are what they were."""
        self._errors.append(node.name)
        self.generic_visit(node)
        self._errors.pop()
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Exceptions had their arguments as items."""
        self.generic_visit(node)
        if self._is_error(node.value) and isinstance(node.ctx, ast.Load):
            node.value = _call("items_", node.value)
        return node

    def _is_error(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self._errors

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """``string.letters`` is ours, unless the upload's own ``string`` has it."""
        self.generic_visit(node)
        is_read = isinstance(node.ctx, ast.Load)
        if is_read and node.attr == "message" and self._is_error(node.value):
            return _call("message_", node.value)
        if not (is_read and is_gone_of_string(node, self._string_modules)):
            return node
        call = _call("of_string_", node.value)
        call.args.append(ast.copy_location(ast.Constant(node.attr), node))
        return call

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        """Import our ``heapq`` and the like instead. Modules of the same package come first."""
        ours = [alias for alias in node.names if alias.name in self._ours]
        beside = [alias for alias in node.names if alias.name in self._siblings]
        node.names = [alias for alias in node.names if alias not in (*ours, *beside)]
        return [
            *([node] if node.names else []),
            *(ast.copy_location(self._import_ours(alias), node) for alias in ours),
            *(ast.copy_location(_import_from(None, alias), node) for alias in beside),
        ]

    def _import_ours(self, alias: ast.alias) -> ast.ImportFrom:
        name = alias.asname or alias.name
        return _import_from(__package__, ast.alias(name=self._ours[alias.name], asname=name))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.AST]:
        """Import names that Python's ``string`` no longer has, such as ``letters``, from ours."""
        if node.module and not node.level and node.module.partition(".")[0] in self._siblings:
            node.level = 1
        elif node.module in self._ours and not node.level:
            node.module = f"{__package__}.{self._ours[node.module]}"
        is_all = node.module == STRING and not node.level and node.names[0].name == "*"
        if not (is_all or is_gone_of_string(node, set())):
            return node
        gone = [alias for alias in node.names if is_all or alias.name in strings.__all__]
        node.names = [alias for alias in node.names if is_all or alias not in gone]
        ours = _import_from(strings.__name__, *gone)
        return [ast.copy_location(ours, node), *([node] if node.names else [])]

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
        """Comparisons of anything. A chain becomes ``a < b and b < c``, with each value once."""
        self.generic_visit(node)
        if not any(isinstance(test, _ORDERS) for test in node.ops):
            return node
        middles = [not isinstance(value, _PLAIN) for value in node.comparators[:-1]]
        if any(middles) and not self._keeping[-1]:
            return node
        left, links = node.left, []
        for test, right, keeps in zip(node.ops, node.comparators, [*middles, False], strict=True):
            links.append(_compared(left, test, _kept(right) if keeps else right))
            left = ast.Name(id=_MIDDLE, ctx=ast.Load()) if keeps else right
        joined = ast.BoolOp(op=ast.And(), values=links) if middles else links[0]
        return ast.copy_location(joined, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``sorted(x, cmp=f)``, ``x.sort(f)``: the order is a function's; ``exec`` sets names."""
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Name) and function.id == "exec" and len(node.args) == 1:
            return _call("exec_", *node.args, *map(_call_of_none, ("globals", "locals")))
        if isinstance(function, ast.Attribute) and function.attr == "translate":
            is_old = len(node.args) > 1 and not node.keywords
            return _call("translate_", function.value, *node.args) if is_old else node
        if isinstance(function, ast.Name) and function.id == "sorted":
            _name_options(node, after=1)
        elif isinstance(function, ast.Attribute) and function.attr == "sort":
            _name_options(node, after=0)
            node.args.insert(0, function.value)
            node.func = ast.copy_location(ast.Name(id="sort_", ctx=ast.Load()), function)
        return node


def _yields(node: ast.AST) -> bool:
    if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
        return False
    return isinstance(node, ast.Yield) or any(map(_yields, ast.iter_child_nodes(node)))


def _import_from(module: str | None, *names: ast.alias) -> ast.ImportFrom:
    return ast.ImportFrom(module=module, names=list(names), level=int(module is None))


_REST_OF_TRY: Final = ("handlers", "orelse", "finalbody")
_PLAIN: Final = (ast.Name, ast.Constant)
"""Expressions that give the same value each time."""


def _kept(value: ast.expr) -> ast.expr:
    """``link_ := value``."""
    name = ast.Name(id=_MIDDLE, ctx=ast.Store())
    return ast.copy_location(ast.NamedExpr(target=name, value=value), value)


def _compared(left: ast.expr, test: ast.cmpop, right: ast.expr) -> ast.expr:
    if not isinstance(test, _ORDERS):
        return ast.Compare(left=left, ops=[test], comparators=[right])
    call = _call("compare_", left, right)
    call.args.insert(0, ast.copy_location(ast.Constant(type(test).__name__), left))
    return call


_HARMLESS: Final = {
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type)
    and issubclass(kind, BaseException)
    and not issubclass(StopIteration, kind)
}
"""Names of exceptions as which nobody catches StopIteration."""


def _may_catch_the_end(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return not all(isinstance(kind, ast.Name) and kind.id in _HARMLESS for kind in kinds)


def _call_of_none(name: str) -> ast.Call:
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=[], keywords=[])


def _name_options(node: ast.Call, *, after: int) -> None:
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
