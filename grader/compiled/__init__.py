"""The rules as machine code: optional, for machines that play or replay many games.

``python -m grader.compiled`` compiles the modules that every turn passes through with mypyc and
keeps them in the directory that ``FIREBOX_COMPILED_RULES`` names. Each process with that setting
loads them in place of the same modules in Python. The sources' digest names the compiled files, so
changed sources are never shadowed by an earlier build: they run as Python until they are compiled.

Nothing here imports the rest of the package: ``grader`` calls ``use`` before anything else of it is
imported.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Final

__all__ = [
    "SETTING",
    "CannotCompileError",
    "build",
    "chosen_directory",
    "compiled_modules",
    "complaint",
    "sources",
    "use",
]

SETTING: Final = "FIREBOX_COMPILED_RULES"
_PACKAGE: Final = Path(__file__).parents[1]
_PATTERNS: Final = (
    "core/deals.py",
    "core/games/checks.py",
    "core/games/*/cards.py",
    "core/games/*/tables.py",
    "core/games/*/rules.py",
)
_OUTPUT_CHARACTERS: Final = 2000


class CannotCompileError(Exception):
    """The rules could not be compiled; the text says why."""


class _CompiledFinder(MetaPathFinder):
    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the names are full
        target: ModuleType | None = None,  # noqa: ARG002 - for reloading
    ) -> ModuleSpec | None:
        """Return how to load a compiled module; ``None`` for every other one."""
        file = self._files.get(fullname)
        if file is None:
            return None
        loader = ExtensionFileLoader(fullname, str(file))
        return spec_from_file_location(fullname, file, loader=loader)


def use() -> None:
    """Load compiled modules from now on, if the setting names a directory that has them."""
    directory = chosen_directory()
    if directory is not None and (files := _files(directory / _digest())):
        sys.meta_path.insert(0, _CompiledFinder(files))


def chosen_directory() -> Path | None:
    """Return the directory that the setting names; ``None`` without a setting."""
    directory = os.environ.get("FIREBOX_COMPILED_RULES", "").strip()
    return Path(directory) if directory else None


def build(directory: Path) -> Path:
    """Compile the rules into a folder of ``directory``, unless it exists, and return the folder.

    Takes about ten seconds of processor time. Needs mypyc, a C compiler and Python's headers.
    Raises CannotCompileError.
    """
    folder = directory / _digest()
    if folder.is_dir():
        return folder
    directory.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=directory, prefix=".building-") as scratch:
        tree, made = Path(scratch) / "sources", Path(scratch) / "made"
        shutil.copytree(_PACKAGE / "core", tree / "grader" / "core")
        (tree / "grader" / "__init__.py").touch()
        _run_mypyc(tree)
        for file in _extensions(tree):
            (made / file.parent.relative_to(tree)).mkdir(parents=True, exist_ok=True)
            shutil.copy(file, made / file.relative_to(tree))
        made.chmod(0o755)
        try:
            made.rename(folder)
        except OSError:  # another process was faster
            if not folder.is_dir():
                raise
    return folder


def sources() -> list[Path]:
    """Return the modules to compile, sorted. Each game's are found by their names."""
    return sorted(path for pattern in _PATTERNS for path in _PACKAGE.glob(pattern))


def compiled_modules() -> list[str]:
    """Return the names of the modules that this process has loaded as machine code."""
    loaded = (sys.modules.get(_name(path.relative_to(_PACKAGE.parent))) for path in sources())
    suffixes = tuple(EXTENSION_SUFFIXES)
    return [
        module.__name__ for module in loaded if module and str(module.__file__).endswith(suffixes)
    ]


def complaint() -> str:
    """Say so if the setting asks for compiled rules and this process has none; else nothing."""
    directory = chosen_directory()
    if directory is None or compiled_modules():
        return ""
    return (
        f"the rules run as Python: {directory} has none of this version; run"
        " python -m grader.compiled"
    )


def _run_mypyc(tree: Path) -> None:
    paths = [str(path.relative_to(_PACKAGE.parent)) for path in sources()]
    command = [sys.executable, "-m", "mypyc", "--follow-imports=silent", "--ignore-missing-imports"]
    environment = {**os.environ, "MYPYC_OPT_LEVEL": "3", "MYPY_CACHE_DIR": str(tree / "cache")}
    ended = subprocess.run(
        [*command, *paths], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    if ended.returncode or not _extensions(tree):
        output = (ended.stderr or ended.stdout).strip()[-_OUTPUT_CHARACTERS:]
        raise CannotCompileError(f"mypyc ended with status {ended.returncode}: {output}")


def _extensions(tree: Path) -> list[Path]:
    suffix = EXTENSION_SUFFIXES[0]
    return [*tree.glob(f"*{suffix}"), *(tree / "grader").rglob(f"*{suffix}")]


def _files(folder: Path) -> dict[str, Path]:
    return {
        _name(path.relative_to(folder)): path for path in folder.rglob(f"*{EXTENSION_SUFFIXES[0]}")
    }


def _name(path: Path) -> str:
    return ".".join([*path.parent.parts, path.name.partition(".")[0]])


def _digest() -> str:
    """Return a digest of the Python that the rules are compiled for, and of the core.

    Constants of modules that are not compiled become part of those that are.
    """
    digest = hashlib.sha256(str(sysconfig.get_config_var("EXT_SUFFIX")).encode())
    for path in sorted((_PACKAGE / "core").rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(_PACKAGE)} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]
