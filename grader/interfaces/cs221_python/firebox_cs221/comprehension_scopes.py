"""Gives list comprehensions the scopes that they had in Python 2.

``[f(x) for x in xs]`` set ``x`` in the function around it. It becomes ``[f(x) for y in xs if
(x := y,)]`` where other code reads ``x``. In a class's body a list comprehension saw the class's
names.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Set
from typing import Final, TypeAlias, TypeGuard

_Scope: TypeAlias = ast.Module | ast.FunctionDef
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_INNER: Final = (ast.FunctionDef, ast.Lambda, ast.ClassDef)


def keep_variables(tree: ast.Module) -> None:
    """Let list comprehensions set the variables that code outside of them reads."""
    for scope in _scopes(tree):
        if comprehensions := list(_comprehensions(scope.body)):
            seen = set(_read_in(scope))
            for comprehension in comprehensions:
                _keep(comprehension, seen - _declared_after(comprehension, scope))


def reads_variables(tree: ast.Module) -> bool:
    """Return whether a module reads a name that only its list comprehensions set."""
    if any(isinstance(node, ast.alias) and node.name == "*" for node in ast.walk(tree)):
        return False
    set_by_all = Counter(name.id for name in ast.walk(tree) if _is_set(name))
    set_by_lists = Counter(name for node in _lists(tree) for name in _variables(node))
    only = {name for name, times in set_by_lists.items() if times == set_by_all[name]}
    only -= {*vars(builtins), *_defined(tree)}
    return any(only & set(_read_in(scope)) & set(_set_in(scope)) for scope in _scopes(tree) if only)


def _scopes(tree: ast.Module) -> Iterator[_Scope]:
    yield tree
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _comprehensions(nodes: list[ast.stmt] | list[ast.AST]) -> Iterator[ast.ListComp]:
    """Yield the comprehensions that can set a variable of the scope; not in another's iterable."""
    for node in nodes:
        if isinstance(node, ast.ListComp):
            yield node
        yield from _comprehensions(list(_parts(node)))


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.ListComp):
        yield node.elt
        yield from (test for generator in node.generators for test in generator.ifs)
    elif isinstance(node, ast.FunctionDef | ast.Lambda):
        yield from node.args.defaults
    elif not isinstance(node, (*_COMPREHENSIONS, ast.ClassDef)):
        yield from ast.iter_child_nodes(node)


def _keep(comprehension: ast.ListComp, seen: Set[str]) -> None:
    for generator in comprehension.generators:
        kept = [name for name in ast.walk(generator.target) if _is_set(name) and name.id in seen]
        values: list[ast.expr] = []
        for name in kept:
            inner = ast.Name(id=f"{name.id}_kept_", ctx=ast.Load())
            target = ast.Name(id=name.id, ctx=ast.Store())
            values.append(ast.NamedExpr(target=target, value=inner))
            name.id = inner.id
        if values:  # a condition, as it is evaluated for each item; a tuple that has items is true
            generator.ifs.insert(0, ast.Tuple(elts=values, ctx=ast.Load()))


def _declared_after(comprehension: ast.ListComp, scope: _Scope) -> set[str]:
    """Names that Python 3 lets no expression before their declaration set."""
    declarations = (node for node in ast.walk(scope) if isinstance(node, ast.Global))
    late = (node for node in declarations if node.lineno > comprehension.lineno)
    return {name for node in late for name in node.names}


def _read_in(scope: _Scope) -> Iterator[str]:
    for node in scope.body:
        yield from _read(node, frozenset())


def _read(node: ast.AST, hidden: frozenset[str]) -> Iterator[str]:
    if isinstance(node, ast.Name):
        if node.id not in hidden and not isinstance(node.ctx, ast.Store):
            yield node.id
        return
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    if isinstance(node, _COMPREHENSIONS):
        yield from _read(node.generators[0].iter, hidden)
        hidden |= set(_variables(node))
    if isinstance(node, ast.Global):
        yield from node.names
    for part in ast.iter_child_nodes(node):
        if not (isinstance(node, _COMPREHENSIONS) and part is node.generators[0]):
            yield from _read(part, hidden)
    if isinstance(node, _COMPREHENSIONS):
        for test in node.generators[0].ifs:
            yield from _read(test, hidden)


def _variables(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Iterator[str]:
    for generator in node.generators:
        yield from (name.id for name in ast.walk(generator.target) if _is_set(name))


def _set_in(scope: _Scope) -> Iterator[str]:
    for comprehension in _comprehensions(scope.body):
        yield from _variables(comprehension)


def _lists(tree: ast.Module) -> Iterator[ast.ListComp]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.ListComp))


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.ExceptHandler):
            yield node.name or ""


def _is_set(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def pass_names_of_classes(tree: ast.Module) -> None:
    """Pass a class's names to the list comprehensions in its body."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names: set[str] = set()
            for at, statement in enumerate(node.body):
                node.body[at] = _Passing(names).visit(statement)
                names |= {name.id for name in ast.walk(statement) if _is_set(name)}


class _Passing(ast.NodeTransformer):
    """``[a for b in c]`` becomes ``(lambda a: [a for b in c])(a)``."""

    def __init__(self, names: Set[str]) -> None:
        self._names = names

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Skip functions and classes, which have names of their own."""
        return node if isinstance(node, _INNER) else super().generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        names = sorted(self._names & set(_read(node, frozenset())))
        if not names:
            return node
        parameters = [ast.arg(arg=name) for name in names]
        function = ast.Lambda(
            args=ast.arguments(
                posonlyargs=[], args=parameters, kwonlyargs=[], kw_defaults=[], defaults=[]
            ),
            body=node,
        )
        values: list[ast.expr] = [ast.Name(id=name, ctx=ast.Load()) for name in names]
        return ast.copy_location(ast.Call(func=function, args=values, keywords=[]), node)
