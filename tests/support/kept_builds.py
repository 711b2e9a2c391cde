"""Compiled agents, kept from one run of the tests to the next, as Docker keeps images.

A build is found again by the agent's sources, the interface's adapter and its image (see
``grader.play.build_cache``). What else it passes through, the sandbox and the kernel, names the
directory: a change of those has every agent compiled anew, as ``make test-deep`` does in any case.
A change of their comments and docstrings alone does not.
"""

import ast
import hashlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_PASSED: Final = (
    "sandbox/**/*.py",
    "grader/uploads/*.py",
    "grader/play/build_cache.py",
    "grader/play/building.py",
    "grader/play/games.py",
    "grader/play/pool.py",
)
"""The code that a build passes through, beside the adapter's."""
_MAX_DIRECTORIES: Final = 8
"""Of the versions used last."""


def kept_builds() -> Path:
    """Return the directory of agents that were compiled with this version of the code."""
    return kept_directory("test-builds", _PASSED, os.uname().release)


def kept_directory(kind: str, code: Iterable[str], version: str) -> Path:
    """Return the directory, for its owner alone, for code at these patterns and a version."""
    parent = cache_home() / "firebox" / kind
    directory = parent / _digest(code, version)
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.utime(directory)
    used_last = sorted(parent.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
    for old in used_last[_MAX_DIRECTORIES:]:
        shutil.rmtree(old, ignore_errors=True)
    return directory


def cache_home() -> Path:
    """XDG Base Directory Specification: where data lies that can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _digest(code: Iterable[str], version: str) -> str:
    digest = hashlib.sha256(version.encode())
    for path in sorted(path for pattern in code for path in ROOT.glob(pattern)):
        content = path.read_bytes() if path.suffix != ".py" else what_runs(path.read_bytes())
        digest.update(f"{path.relative_to(ROOT)} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def what_runs(source: bytes) -> bytes:
    """Return a module's syntax tree as text, without comments and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list):
            node.body = [each for each in node.body if not _is_text(each)]
    return ast.dump(tree).encode()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
