"""Replaces ``from module import *`` in functions and classes: Python 3 allows none there."""

import ast
from collections.abc import Iterable

_MODULE = "star_"
"""The variable that holds the module whose names are imported."""


def replace_star_imports(tree: ast.Module) -> None:
    """Import the names that a function uses; in a class, import all names."""
    _StarImports().visit(tree)


class _StarImports(ast.NodeTransformer):
    """Replaces the imports; keeps track of the functions and classes around them."""

    def __init__(self) -> None:
        self._wanted: list[Iterable[str] | None] = []
        """The names that each function around uses, or ``None`` for a class; outermost first."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._within(node, _used(node))

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._within(node, None)

    def _within(self, node: ast.AST, wanted: Iterable[str] | None) -> ast.AST:
        self._wanted.append(wanted)
        self.generic_visit(node)
        self._wanted.pop()
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        if not self._wanted or node.names[0].name != "*" or node.level or not node.module:
            return node
        wanted = self._wanted[-1]
        lines = [f"import {node.module} as {_MODULE}"]
        if wanted is None:
            lines.append(f"locals().update(all_of_({_MODULE})); del {_MODULE}")
        else:
            lines += [
                f"try: {name} = of_star_({_MODULE}, {name!r}, globals())\nexcept NameError: pass"
                for name in wanted
            ]
        statements = ast.parse("\n".join(lines)).body
        for statement in statements:
            for inner in ast.walk(statement):
                ast.copy_location(inner, node)
        return statements


def _used(function: ast.FunctionDef) -> list[str]:
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    own = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    own |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            own.update(node.names)
        elif isinstance(node, ast.alias):
            own.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node is not function:
            own.add(node.name)
    return sorted({node.id for node in names if not node.id.endswith("_")} - own)
