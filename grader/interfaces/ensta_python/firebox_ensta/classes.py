"""The classes of a submission's modules, and those among them that may be its agent."""

import ast
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Final

PACKAGE: Final = "hanabi"
BASE: Final = "AI"
METHOD: Final = "play"
_EXAMPLES: Final = {(f"{PACKAGE}.ai", "Cheater")}
"""The course's own agents, by module and name. They never play unasked."""


@dataclass(frozen=True, slots=True)
class Class:
    """A class that may be an agent."""

    module: str
    name: str
    bases: tuple[str, ...]
    file: str
    line: int
    plays: bool
    """True if its own body gives it a method ``play``."""
    stands_alone: bool
    """True if it inherits from nothing and can be made and asked as an agent is."""


def found(top_level: Sequence[Class], nested: Sequence[Class]) -> list[Class]:
    """The candidates of the first way of looking that finds more than examples.

    What a way finds does not depend on those after it: they are for what was refused before.
    """
    seen = candidates(top_level)
    for more in (candidates(nested), _alone(top_level), _alone(nested)):
        if all(map(is_example, seen)):
            seen += more
    return seen


def _alone(classes: Sequence[Class]) -> list[Class]:
    """Return classes without a base: the course asks any object that has a method ``play``."""
    inherited = {base for one in classes for base in one.bases} | {BASE}
    return [one for one in classes if one.stands_alone and one.name not in inherited]


def bound(tree: ast.Module | ast.ClassDef) -> set[str]:
    """The names that the own lines of a module or class give to something."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return names


def top_classes(module: str, tree: ast.Module, file: str) -> Iterator[Class]:
    """Its bases are named as where they are defined, without their modules."""
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    imported = dict(pair for node in imports for pair in _renamed(node))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names = map(_last_name, node.bases)
            yield _class(module, node, file, [imported.get(name, name) for name in names])


def all_classes(module: str, tree: ast.Module, file: str) -> Iterator[Class]:
    """Also those in an ``if`` or a ``try``, and with bases that got another name before."""
    others: dict[str, str] = {}
    for node in _statements(tree.body):
        others.update(_renamed(node))
        if isinstance(node, ast.ClassDef):
            names = [(_last_name(base), isinstance(base, ast.Name)) for base in node.bases]
            bases = [others.get(name, name) if plain else name for name, plain in names]
            yield _class(module, node, file, bases)
            others.pop(node.name, None)


def _class(module: str, node: ast.ClassDef, file: str, bases: Sequence[str]) -> Class:
    alone = set(bases) <= {"object"} and _takes(node, "__init__", 2) and _takes(node, METHOD, 1)
    plays = METHOD in bound(node)
    known = tuple(filter(None, bases))
    return Class(module, node.name, known, file, node.lineno, plays, alone)


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements and those in their ``if`` and ``try``, unless only a program runs them."""
    for node in body:
        yield node
        if isinstance(node, ast.Try) or (isinstance(node, ast.If) and not _asks_name(node.test)):
            handlers = getattr(node, "handlers", ())
            within = (each for handler in handlers for each in handler.body)
            yield from _statements([*node.body, *within, *node.orelse])


def _asks_name(test: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(test))


def _renamed(node: ast.stmt) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.ImportFrom):
        yield from ((alias.asname, alias.name) for alias in node.names if alias.asname)
    elif isinstance(node, ast.Assign) and (name := _last_name(node.value)):
        yield from ((target.id, name) for target in node.targets if isinstance(target, ast.Name))


def _takes(node: ast.ClassDef, method: str, count: int) -> bool:
    return any(
        isinstance(each, ast.FunctionDef)
        and each.name == method
        and len(each.args.posonlyargs + each.args.args) == count
        and not each.args.kwonlyargs
        for each in node.body
    )


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def candidates(classes: Sequence[Class]) -> list[Class]:
    """Return the agents that can play and that no other agent inherits from."""
    agents = _heirs(classes, {BASE}) - {BASE}
    able = _heirs(classes, {one.name for one in classes if one.plays} - {BASE})
    inherited = {base for one in classes if one.name in agents for base in one.bases}
    return [one for one in classes if one.name in agents & able - inherited]


def _heirs(classes: Sequence[Class], names: Set[str]) -> Set[str]:
    while more := {
        one.name for one in classes if one.name not in names and not names.isdisjoint(one.bases)
    }:
        names |= more
    return names


def is_example(one: Class) -> bool:
    return (one.module, one.name) in _EXAMPLES
