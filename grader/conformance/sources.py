"""The sources of rules: what they import decides whether plays can be repeated."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grader.core.games import Game, package_of

_CLOCKS: Final = {"time", "datetime", "calendar"}
_CHANCE: Final = {"random", "secrets", "uuid"}
_OUTSIDE: Final = {
    "asyncio", "http", "multiprocessing", "os", "requests", "shutil", "socket", "subprocess",
    "tempfile", "threading", "urllib",
}  # fmt: skip


def impure_imports(game: Game) -> Iterator[str]:
    """Yield a sentence for each import by which rules would read more than the seed."""
    for path in _files(type(game)):
        for line, name in _imports(ast.parse(path.read_bytes())):
            where = f"line {line} of {path.name}"
            if name in _CLOCKS:
                yield f"The rules import `{name}` ({where}): rules read no clock."
            elif name in _CHANCE:
                yield f"The rules import `{name}` ({where}): all chance comes from the deal's seed."
            elif name in _OUTSIDE:
                yield f"The rules import `{name}` ({where}): rules reach nothing outside them."


def _files(kind: type[Game]) -> Iterator[Path]:
    """Yield the modules that the rules consist of, without the house agents beside them."""
    package = package_of(kind)
    names = [kind.__module__] if not package else [
        name for name in sys.modules
        if name == package or (name.startswith(f"{package}.")
        and not name.startswith(f"{package}.agents"))
    ]  # fmt: skip
    for name in sorted(names):
        file = getattr(sys.modules[name], "__file__", None)
        if file is not None and file.endswith(".py"):  # rules may be compiled
            yield Path(file)


def _imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name.partition(".")[0]) for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.lineno, node.module.partition(".")[0]
