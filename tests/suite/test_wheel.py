"""What students install: all that the checkout has, working in an environment with nothing else."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from grader.interfaces import INTERFACES
from tests.support.slots import own_core

ROOT = Path(__file__).parents[2]
PACKAGES = ("grader", "sandbox", "webapp")
LIBRARY = "grader/interfaces/python/firebox/"
"""Students import this package by its own name: it is installed beside the others."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of what is tracked: setuptools leaves things in its checkout."""
    directory = tmp_path_factory.mktemp("wheel")
    for path in tracked():
        target = directory / "checkout" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, target)
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*pip, "--wheel-dir", directory, directory / "checkout"], check=True)
    (wheel,) = directory.glob("*.whl")
    return wheel


def tracked() -> list[str]:
    command = ["git", "ls-files", *PACKAGES, "pyproject.toml", "README.md", "LICENSE"]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [path for path in run.stdout.splitlines() if (ROOT / path).exists()]


def test_the_wheel_has_the_files_of_the_packages_and_no_others(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    wanted = {path.replace(LIBRARY, "firebox/") for path in tracked() if path.startswith(PACKAGES)}
    assert len(wanted) > 600
    assert held == wanted


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The Python of an environment that has this package, what it says it needs, nothing else."""
    environment = wheel.parent / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", python, "install", "--no-deps"]
    subprocess.run([*pip, wheel], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (firebox,) = Distribution.discover(name="firebox", path=[str(packages)])
    for needed in set(needs(firebox)):
        lend(distribution(needed), packages)
    return python


def needs(package: Distribution) -> Iterator[str]:
    """Names of the distributions that a distribution requires, and of those that they do."""
    for text in package.requires or []:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name
            yield from needs(distribution(requirement.name))


def lend(package: Distribution, packages: Path) -> None:
    """Link a distribution's files into another environment: nothing is downloaded."""
    tops = {file.parts[0] for file in package.files or [] if file.parts[0] != ".."}
    for top in tops - {"__pycache__"}:
        (packages / top).symlink_to(Path(str(package.locate_file(top))).resolve())


def firebox(python: Path, *words: str) -> None:
    """Call the command that was installed, far from the checkout."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    } | {
        "FIREBOX_CORES": str(own_core()),
        "FIREBOX_BUILD_CACHE": os.environ["FIREBOX_TEST_BUILDS"],
    }  # fmt: skip
    run = subprocess.run(
        [python.with_name("firebox"), *words],
        cwd=python.parent,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.docker
@pytest.mark.parametrize("interface", INTERFACES)
def test_what_is_installed_writes_a_starter_kit_and_plays_its_agent(
    interface: str, installed: Path, tmp_path: Path, docker_engine: object
) -> None:
    kit, game = tmp_path / "kit", INTERFACES[interface].rules.game or "hanabi"
    firebox(installed, "new", "--interface", interface, "--game", game, str(kit))
    firebox(installed, "play", str(kit), "--interface", interface, "--game", game)
