"""The migrated database that is kept from run to run is the one that the code makes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.kept_builds import ROOT
from tests.support.migrated import CODE, migrated_database
from tests.support.slots import WORLDS_VARIABLE


def test_a_change_in_what_migrations_import_makes_a_new_database() -> None:
    decides = {path for pattern in CODE for path in ROOT.glob(pattern)}
    migrations = set(ROOT.glob("webapp/**/migrations/0*.py"))
    assert len(migrations) >= 17
    assert migrations <= decides
    imported = {path for migration in migrations for path in imports(migration)}
    assert ROOT / "webapp" / "base" / "storable.py" in imported
    assert imported <= decides


def test_a_benchmark_gets_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WORLDS_VARIABLE)
    assert migrated_database().exists()


def imports(migration: Path) -> Iterator[Path]:
    for statement in ast.walk(ast.parse(migration.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            names = [f"{statement.module}.{alias.name}" for alias in statement.names]
        for name in names:
            if name.split(".")[0] in ("webapp", "grader", "sandbox"):
                yield source_of(name)


def source_of(name: str) -> Path:
    path = ROOT.joinpath(*name.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py", path.parent.with_suffix(".py")):
        if file.exists():
            return file
    return path.parent / "__init__.py"
