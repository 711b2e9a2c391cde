"""Changes the tree of a translated module where Python 3 would run it unlike Python 2."""

import ast
from collections.abc import Set
from typing import TypeGuard

from . import python2, strings
from .translate import STRING, TOO_DEEP, Untranslatable, is_gone_of_string, string_modules

__all__ = ["adapted"]


def adapted(text: str) -> ast.Module:
    """The tree of a translated text that behaves more like Python 2. Raises Untranslatable."""
    try:
        return _adapted(ast.parse(text))
    except (SyntaxError, ValueError):
        raise Untranslatable("nor could it be translated from Python 2") from None
    except (MemoryError, RecursionError):
        raise Untranslatable(TOO_DEEP) from None


def _adapted(tree: ast.Module) -> ast.Module:
    futures = [node for node in tree.body if _is_future(node)]
    declared = {alias.name for node in futures for alias in node.names}
    modules = string_modules(tree)
    tree = _Adapter(divides="division" not in declared, string_modules=modules).visit(tree)
    names = [ast.alias(name=name, asname=None) for name in python2.__all__]
    line = ast.ImportFrom(module=python2.__name__, names=names, level=0)
    # After the docstring and what has to stand in front.
    tree.body.insert(int(ast.get_docstring(tree) is not None) + len(futures), line)
    return ast.fix_missing_locations(tree)


def _is_future(node: ast.stmt) -> TypeGuard[ast.ImportFrom]:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


class _Adapter(ast.NodeTransformer):
    """Division of whole numbers, comparisons of anything, sorting by comparison, old classes."""

    def __init__(self, *, divides: bool, string_modules: Set[str]) -> None:
        self._divides = divides
        self._string_modules = string_modules

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """``string.letters`` is ours, unless the upload's own ``string`` has it."""
        self.generic_visit(node)
        is_read = isinstance(node.ctx, ast.Load)
        if not (is_read and is_gone_of_string(node, self._string_modules)):
            return node
        call = _call("of_string_", node.value)
        call.args.append(ast.copy_location(ast.Constant(node.attr), node))
        return call

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.AST]:
        """``from string import letters, digits``: the names that are gone are ours."""
        is_all = node.module == STRING and node.names[0].name == "*"
        if not (is_all or is_gone_of_string(node, set())):
            return node
        gone = [alias for alias in node.names if is_all or alias.name in strings.__all__]
        node.names = [alias for alias in node.names if is_all or alias not in gone]
        ours = ast.ImportFrom(module=strings.__name__, names=gone, level=0)
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
