"""The package that students install holds all that the checkout does."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.interfaces import INTERFACES
from tests.support.slots import own_core

ROOT = Path(__file__).parents[2]
PACKAGES = ("grader", "sandbox", "webapp")
ROOTS = ("grader/interfaces/python/firebox", "grader/interfaces/cs221_python/firebox_cs221")
"""Packages that are installed under their own name."""
NOT_INSTALLED = {"README.md", "clock.svg"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's files, built from a copy: setuptools leaves things in its checkout."""
    directory = tmp_path_factory.mktemp("wheel")
    for path in tracked():
        target = directory / "checkout" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, target)
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*pip, "--wheel-dir", directory, directory / "checkout"], check=True)
    (wheel,) = directory.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(directory / "installed")
    return directory / "installed"


def tracked() -> list[str]:
    command = ["git", "ls-files", *PACKAGES, "pyproject.toml", "README.md", "LICENSE"]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [path for path in run.stdout.splitlines() if (ROOT / path).exists()]


def test_every_file_of_the_packages_is_installed(installed: Path) -> None:
    wanted = [path for path in tracked() if path.startswith(PACKAGES)]
    missing = [
        path
        for path in wanted
        if Path(path).name not in NOT_INSTALLED and not (installed / place(path)).exists()
    ]
    assert len(wanted) > 600
    assert missing == []


def place(path: str) -> str:
    for root in ROOTS:
        if path.startswith(root + "/"):
            return path.removeprefix(str(Path(root).parent) + "/")
    return path


IN_ONE_PROCESS = """
from pathlib import Path
from grader.interfaces import INTERFACES
from grader.interfaces.starter_kit import write_starter_kit

for name, interface in INTERFACES.items():
    assert all(path.is_dir() for path in interface.adapters), (name, interface.adapters)
    write_starter_kit(Path(name), interface.game or "hanabi", interface=name)
"""


def test_what_is_installed_has_every_adapter_and_writes_every_starter_kit(
    installed: Path, tmp_path: Path
) -> None:
    environment = os.environ | {"PYTHONPATH": str(installed)}
    command = [sys.executable, "-c", IN_ONE_PROCESS]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    assert {path.name for path in tmp_path.iterdir()} == set(INTERFACES)


COMPILED_WITH_FILES_OF_OURS = {"gcc-cpp", "fit2102-haskell"}


@pytest.mark.docker
@pytest.mark.parametrize(
    "interface",
    [
        pytest.param(name, marks=[] if name in COMPILED_WITH_FILES_OF_OURS else pytest.mark.deep)
        for name in INTERFACES
    ],
)
def test_what_is_installed_plays_a_starter_kit(
    interface: str, installed: Path, tmp_path: Path, docker_engine: object
) -> None:
    kit, game = tmp_path / "kit", INTERFACES[interface].game or "hanabi"
    firebox(installed, "new", "--interface", interface, "--game", game, str(kit))
    firebox(installed, "play", str(kit), "--interface", interface, "--game", game)


def firebox(installed: Path, *words: str) -> None:
    environment = os.environ | {
        "PYTHONPATH": str(installed), "FIREBOX_CORES": str(own_core()),
        "FIREBOX_BUILD_CACHE": os.environ["FIREBOX_TEST_BUILDS"],
    }  # fmt: skip
    command = [sys.executable, "-m", "grader.cli", *words]
    run = subprocess.run(
        command, cwd=installed, env=environment, check=False, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
