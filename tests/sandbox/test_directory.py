"""A sandbox's directory: what the supervisor finds there."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.directory import SandboxDirectory
from sandbox.program import Adapter, Program


@pytest.fixture
def package(tmp_path: Path) -> Path:
    package = tmp_path / "greeting"
    (package / "far" / "__pycache__").mkdir(parents=True)
    (package / "__init__.py").write_text("import greeting.far\n\nHELLO = greeting.far.HELLO\n")
    (package / "far" / "__init__.py").write_text("HELLO = 'hello'\n")
    tag = sys.implementation.cache_tag
    (package / "far" / "__pycache__" / f"__init__.{tag}.pyc").write_bytes(b"somebody else's")
    return package


def greeting(package: Path, tmp_path: Path) -> Program:
    adapter = Adapter(paths=(package,), play="greeting:play", build="greeting:build", preload=())
    return Program(adapter=adapter, sources=tmp_path / "agent")


@pytest.fixture
def directory(package: Path, tmp_path: Path) -> Iterator[SandboxDirectory]:
    (tmp_path / "agent").mkdir()
    directory = SandboxDirectory(greeting(package, tmp_path))
    yield directory
    directory.remove()


def test_no_module_is_compiled_again_in_the_sandbox(directory: SandboxDirectory) -> None:
    for code, module in (
        (directory.adapter, "greeting.far"),
        (directory.supervisor, "sandbox.inside.supervisor"),
    ):
        told = _import(code, module)
        assert f"code object from '{_cache_of(code, module)}'" in told, told
        assert str(_source_of(code, module)) in told.splitlines()


def test_an_adapter_that_changed_is_compiled_again(
    directory: SandboxDirectory, package: Path, tmp_path: Path
) -> None:
    (package / "far" / "__init__.py").write_text("HELLO = 'and goodbye'\n")
    changed = SandboxDirectory(greeting(package, tmp_path))
    try:
        assert "and goodbye" in _import(changed.adapter, "greeting", "greeting.HELLO")
    finally:
        changed.remove()


def _import(code: Path, module: str, shown: str = "") -> str:
    """Import a module from a sandbox's directory; return what the interpreter says meanwhile."""
    shown = shown or f"{module}.{'HELLO' if 'greeting' in module else 'main'}"
    text = (
        f"import sys\nsys.path.insert(0, {str(code)!r})\nimport {module}\nprint({shown})\n"
        f"print({module}.__spec__.loader.get_code({module!r}).co_filename)\n"
    )
    run = subprocess.run(
        [sys.executable, "-s", "-S", "-P", "-B", "-v", "-c", text],
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout + run.stderr


def _source_of(code: Path, module: str) -> Path:
    path = code.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _cache_of(code: Path, module: str) -> Path:
    source = _source_of(code, module)
    tag = sys.implementation.cache_tag
    return source.parent / "__pycache__" / f"{source.stem}.{tag}.pyc"
