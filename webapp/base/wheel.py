"""The wheel of Firebox that the site serves: students install the version that grades them.

It is built from a copy of the running sources, since a build writes beside what it builds from and
the checkout may be read-only. Nothing is downloaded.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from django.conf import settings

_SOURCES: Final = ("grader", "sandbox", "pyproject.toml", "README.md", "LICENSE")
_LEFT_OUT: Final = ("__pycache__", "*.egg-info", ".*")
_PIP: Final = (
    *(sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"),
    *("--no-cache-dir", "--no-deps", "--no-index", "--no-build-isolation"),
)


class WheelError(Exception):
    """The wheel could not be built; the message says why."""


def built() -> Path | None:
    """Return the built wheel, or ``None`` if there is none."""
    return next(iter(sorted(settings.DOWNLOAD_DIR.glob("firebox-*.whl"))), None)


def build() -> Path:
    """Build the wheel. Raises WheelError, and then there is none: an old one would mislead."""
    folder: Path = settings.DOWNLOAD_DIR
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.whl"):
        old.unlink(missing_ok=True)
    # Built on the file system that it is moved on, so that it appears as a whole.
    with tempfile.TemporaryDirectory(dir=folder, prefix=".build-") as workspace:
        wheel = _built_in(Path(workspace))
        return wheel.replace(folder / wheel.name)


def _built_in(workspace: Path) -> Path:
    copy = workspace / "sources"
    _copy_sources(copy)
    run = subprocess.run(
        [*_PIP, "--wheel-dir", str(workspace), str(copy)],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    if run.returncode:
        raise WheelError(run.stderr.strip() or f"pip ended with status {run.returncode}")
    (wheel,) = workspace.glob("*.whl")
    wheel.chmod(0o644)
    return wheel


def _copy_sources(copy: Path) -> None:
    copy.mkdir()
    for name in _SOURCES:
        source = settings.BASE_DIR / name
        if not source.exists():
            raise WheelError(f"{source} is missing: the site does not run from a checkout")
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        else:
            shutil.copy(source, copy / name)
