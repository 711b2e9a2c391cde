"""A pytest plugin: a test may start only programs that the set-up installs, or that it made itself.

A program that somebody installed by hand hides a step that the set-up lacks: the tests pass on that
machine alone. The plugin watches what the test process itself starts, not what its children start.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import wraps
from pathlib import Path
from shutil import which
from types import MappingProxyType
from typing import Any, Final

import pytest

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


def pytest_configure(config: pytest.Config) -> None:
    """Watch this process from now on: an audit hook would be called for every file it opens."""
    start = subprocess.Popen.__init__

    @wraps(start)
    def watched(self: Any, args: Any, *rest: Any, **options: Any) -> None:
        if not options.get("shell"):
            program = args if isinstance(args, str | bytes | os.PathLike) else args[0]
            _refuse_unprovided(os.fsdecode(options.get("executable") or program))
        start(self, args, *rest, **options)

    subprocess.Popen.__init__ = watched  # type: ignore[method-assign]


def _refuse_unprovided(program: str) -> None:
    if not is_provided(program):
        raise UnprovidedProgramError(
            f"{program} is on no list of tests/support/programs.py: deploy/dev/setup.sh would"
            " have to install it, or the test must do without"
        )
