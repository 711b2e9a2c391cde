"""Suites that were green for exactly this code are not run again: a pytest plugin, and a command.

A suite is a folder of tests that depend on graders' code alone. Its stamp says that the whole of it
passed for one digest of everything that it depends on: all files of ``sandbox`` and ``grader``, of
the suites and of ``tests/support``, the locks, the scripts that set a machine up, Python and the
kernel. A test that may reach the site is in no suite, and always runs.

Stamps lie in the user's cache. ``deploy/dev/test.sh`` ignores them where the variable CI is set,
for ``make test ALL=1``, and in deep runs; a machine without stamps runs everything.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.support.kept_builds import ROOT, cache_home

SUITES: Final = ("sandbox", "hostile", "channels", "grader", "bench")
"""Folders of ``tests``."""
_DEPENDED_ON: Final = (
    *("sandbox/", "grader/", "deploy/", "tests/support/", "tests/playthroughs/"),
    *("tests/conftest.py", "pyproject.toml", "requirements.lock", "Makefile", "README.md"),
    *(f"tests/{suite}/" for suite in SUITES),
)
_GREEN: Final = "FIREBOX_TESTS_GREEN"
"""The variable that names a file with the paths of tests that are not run."""
_RED: Final = "FIREBOX_TESTS_RED"
"""The variable that names the file in which failed tests are written down."""
_OF_TESTS: Final = re.compile(
    r"^ *(?:from|import) (tests(?:\.\w+)*)(?: import (\([^)]*\)|[^\n]*))?", re.MULTILINE
)


def depends_on(path: str) -> bool:
    """Return whether suites depend on this file, named relative to the checkout."""
    return path.startswith(_DEPENDED_ON)


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return the digest of all that suites depend on, of these files by their names."""
    digest = hashlib.sha256(f"{sys.version} {os.uname().release}".encode())
    for name in sorted(filter(depends_on, files)):
        digest.update(f"\n{name} {len(files[name])}\n".encode() + files[name])
    return digest.hexdigest()


def _files() -> dict[str, bytes]:
    """Return the files that git knows or does not ignore, as they are now."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = {name: ROOT / name for name in names.split("\0") if depends_on(name)}
    return {name: path.read_bytes() for name, path in paths.items() if path.is_file()}


def members(suite: str) -> list[Path]:
    """Return the modules of a suite: those that do not name the site, nor import one that does."""
    modules = sorted((ROOT / "tests" / suite).rglob("test_*.py"))
    return [module for module in modules if not _reaches_site(module)]


@cache
def _reaches_site(module: Path) -> bool:
    seen, waiting = {module}, [module]
    while waiting:
        source = waiting.pop().read_text(encoding="utf-8")
        if "webapp" in source:
            return True
        named = {
            ROOT.joinpath(*name.split("."), *last).with_suffix(".py")
            for name, names in _OF_TESTS.findall(source)
            for last in ((), *((word,) for word in re.findall(r"\w+", names)))
        }
        waiting += [path for path in named - seen if path.is_file()]
        seen |= named
    return False


def stamps() -> Path:
    """Return the directory of the stamps."""
    return cache_home() / "firebox" / "green-suites"


def plan(directory: Path, green: Path) -> None:
    """Write the modules that need not run to the file ``green``, and tell which suites they are."""
    digest, skipped = digest_of(_files()), list[Path]()
    (directory / "digest").write_text(digest)
    for suite in SUITES:
        stamp = _read(suite)
        if stamp.get("digest") == digest:
            minutes = (time.time() - float(str(stamp["at"]))) / 60
            print(
                f"{suite}: green for {digest[:8]}…, {minutes:.0f} min ago; not run again",
                flush=True,
            )
            skipped += members(suite)
    green.write_text("".join(f"{path}\n" for path in skipped))


def stamp(directory: Path, red: Path) -> None:
    """Stamp the suites without a failure, if the code is still that of the plan."""
    digest = digest_of(_files())
    if (directory / "digest").read_text() != digest:
        return
    failed = red.read_text().split() if red.exists() else []
    stamps().mkdir(mode=0o700, parents=True, exist_ok=True)
    for suite in _without(failed):
        if _read(suite).get("digest") != digest:
            text = json.dumps({"digest": digest, "at": time.time()})
            (stamps() / f"{suite}.json").write_text(text)


def _without(failed: Iterable[str]) -> list[str]:
    of = {name.split("/")[1] for name in failed if name.startswith("tests/")}
    return [suite for suite in SUITES if suite not in of]


def _read(suite: str) -> dict[str, object]:
    try:
        stamp: dict[str, object] = json.loads((stamps() / f"{suite}.json").read_text())
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


# --- The plugin -------------------------------------------------------------------------------


@cache
def _green() -> Collection[Path]:
    listed = os.environ.get(_GREEN)
    return frozenset(map(Path, Path(listed).read_text().split())) if listed else ()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out the modules of suites that are green for this code."""
    return True if collection_path in _green() else None


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down each test that failed."""
    if report.failed:
        _write_red(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Write down each module that could not be read."""
    if report.failed:
        _write_red(report.nodeid)


def _write_red(name: str) -> None:
    if _RED in os.environ:
        with Path(os.environ[_RED]).open("a") as file:
            file.write(f"{name.split('::', maxsplit=1)[0]}\n")


if __name__ == "__main__":
    {"plan": plan, "stamp": stamp}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
