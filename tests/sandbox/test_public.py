"""The sandbox's public names: what the package offers, and what others use of it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sandbox
from tests.suite.test_language import ROOT, tracked
from tests.support.every import every


def imported(path: Path) -> set[str]:
    source = path.read_text(encoding="utf-8")
    if "from sandbox" not in source:
        return set()
    return {
        name.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sandbox"
        for name in node.names
    }


@every("name", sandbox.__all__)
def test_a_public_name_is_its_modules(name: str) -> None:
    (module,) = (module for module, names in sandbox._MODULES.items() if name in names)
    assert getattr(sandbox, name) is getattr(sys.modules[f"sandbox.{module}"], name)


def test_no_other_name_is_offered() -> None:
    assert {name for names in sandbox._MODULES.values() for name in names} == set(sandbox.__all__)
    other = "remove_orphans"
    with pytest.raises(AttributeError, match=other):
        getattr(sandbox, other)


def test_the_grader_uses_public_names_only() -> None:
    used = {name for path in tracked("grader/*.py") for name in imported(path)}
    assert used <= set(sandbox.__all__)


def test_importing_the_package_does_not_import_docker() -> None:
    command = [sys.executable, "-c", "import sandbox, sys; sys.exit('docker' in sys.modules)"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
