"""A pytest plugin: a test may start only programs that the set-up installs, or that it made itself.

A program that somebody installed by hand hides a step that the set-up lacks: the tests pass on that
machine alone. The plugin watches what the test process itself starts, not what its children start.
"""

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from shutil import which
from types import MappingProxyType
from typing import Final

import pytest

__all__ = ["OF_EVERY_DEBIAN", "OF_THE_SET_UP", "UnprovidedProgramError", "is_provided"]

OF_EVERY_DEBIAN: Final = frozenset(
    {
        "apt-config",
        "apt-get",
        "bash",
        "env",
        "grep",
        "ldconfig",
        "mount",
        "mountpoint",
        "sh",
        "sleep",
        "true",
        "umount",
        "uname",
        "unshare",
    }
)
"""Programs of packages that every Debian has."""

OF_THE_SET_UP: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "python3": ("python3",),
        "python3-venv": (),
        "redis-server": ("redis-server",),
        "mmdebstrap": ("mmdebstrap",),
        "docker.io": ("docker", "dockerd"),
        "git": ("git",),
        "chromium-headless-shell": ("chromium-headless-shell",),
        "chromium-driver": ("chromedriver",),
        "shellcheck": ("shellcheck",),
        "crun": ("crun",),
        "systemd": ("systemd-analyze",),
        "postgresql": ("initdb", "postgres"),
        "sqlite3": ("sqlite3",),
        "nginx": ("nginx",),
        "prometheus": ("promtool",),
        "gcc": ("gcc",),
        "libc6-dev": (),
        "python3-dev": (),
    }
)
"""Programs of each Debian package that ``deploy/dev/setup.sh test`` installs."""

_NAMES: Final = OF_EVERY_DEBIAN.union(*OF_THE_SET_UP.values())
_CHECKOUT: Final = Path(__file__).parents[2]


class UnprovidedProgramError(AssertionError):
    """A test started a program that a machine need not have after ``make test`` set it up."""


def is_provided(program: str) -> bool:
    """Say whether every machine has this program, given by its path or its name."""
    path = which(program) or program
    places = {sys.prefix, sys.base_prefix, tempfile.gettempdir(), str(_CHECKOUT)}
    name = Path(path).name
    return (
        name in _NAMES
        or name.startswith("python3")
        or any(Path(path).is_relative_to(place) for place in places if place not in ("/usr", "/"))
    )


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event in ("subprocess.Popen", "os.posix_spawn", "os.exec"):
        program = os.fsdecode(arguments[0])  # type: ignore[arg-type]  # a path, as text or bytes
        if not is_provided(program):
            raise UnprovidedProgramError(
                f"{program} is on no list of tests/support/programs.py: deploy/dev/setup.sh would"
                " have to install it, or the test must do without"
            )


def pytest_configure(config: pytest.Config) -> None:
    """Watch this process from now on; what watches cannot be taken away."""
    sys.addaudithook(_watch)
