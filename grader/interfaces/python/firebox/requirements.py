"""Imports that must fail when an agent is loaded, found before it plays. For builds only.

Only imports that are sure to run count: in the body of the entry's module, or of a module that is
imported so. One in a function, an ``if`` or a ``try`` may never run, or its author is prepared.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from firebox.absent import NAMES
from firebox.faults import hint_on
from firebox.sources import Message, Modules, message

if TYPE_CHECKING:
    import ast
    from pathlib import Path


def missing_imports(
    top: Path, modules: Modules, entry: str, known: Set[str] = frozenset()
) -> list[Message]:
    """Return a complaint about each module that ``entry`` needs and nobody has.

    ``known`` are names that the process of a game finds otherwise.
    """
    complaints: list[Message] = []
    waiting, seen = [entry], {entry}
    while waiting:
        name = waiting.pop(0)
        for node, wanted in _sure_imports(top, modules, name):
            if wanted in modules:
                waiting += [wanted] if wanted not in seen else []
                seen.add(wanted)
            elif not _is_there(wanted.partition(".")[0], modules, known):
                text = f"No module named {wanted!r}{hint_on(wanted.partition('.')[0])}"
                complaints.append(message(modules[name][2], text, node.lineno, node.col_offset + 1))
    return complaints


def _sure_imports(top: Path, modules: Modules, name: str) -> Iterator[tuple[ast.stmt, str]]:
    import ast  # not at the top: every game's process would be forked with it

    _, is_package, file = modules[name]
    try:
        body = ast.parse((top / file).read_bytes()).body
    except (OSError, SyntaxError, ValueError):  # a folder without __init__.py; Python 2
        return
    package = name if is_package else name.rpartition(".")[0]
    for node in body:
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            yield node, base
            inner = (f"{base}.{alias.name}" for alias in node.names)
            yield from ((node, each) for each in inner if each in modules)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])


def _is_there(name: str, modules: Modules, known: Set[str]) -> bool:
    found = not name or name in modules or name in known or name in NAMES or name in sys.modules
    return found or importlib.util.find_spec(name) is not None
