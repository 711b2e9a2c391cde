"""Names that the editor completes: those of the library that lies in an interface's starter kit."""

import ast
from collections.abc import Iterator
from functools import lru_cache

from grader.core.games import GAMES
from grader.interfaces import interface_named
from grader.interfaces.starter_kit import library_of


@lru_cache(maxsize=32)
def completions(interface: str, game: str) -> tuple[tuple[str, str], ...]:
    """Return public names with where they belong: ``("hint_tokens", "Observation")``.

    Of the classes that the library's packages export, but for those of other games; none for
    libraries in other languages than Python.
    """
    modules = {
        name: ast.parse(data)
        for name, data in sorted(library_of(interface_named(interface)).items())
        if name.endswith((".py", ".pyi")) and not set(name.split("/")) & GAMES.keys() - {game}
    }
    packages = [module for name, module in modules.items() if name.endswith("__init__.py")]
    exported = {name for module in packages or modules.values() for name in _exported(module)}
    found: set[tuple[str, str]] = set()
    for node in (node for module in modules.values() for node in module.body):
        if isinstance(node, ast.ClassDef) and node.name in exported:
            found |= {(node.name, "class"), *((word, node.name) for word in _members(node))}
    return tuple(sorted(found))


def _exported(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            yield from ast.literal_eval(node.value)


def _members(node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        name = ""
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            name = each.target.id
        elif isinstance(each, ast.FunctionDef):
            name = each.name
        if name and not name.startswith("_"):
            yield name
