"""Two distributions of one checkout: what students install, and the site, which needs it.

Each holds its own packages whole, and works without the checkout.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final

import pytest
import requests
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.interfaces import GAME_OF
from tests.support.once import once
from tests.support.processes import START_SECONDS, Program, wait_until
from tests.support.slots import WORLDS_VARIABLE, own_core

ROOT = Path(__file__).parents[2]
LIBRARY = "grader/interfaces/python/firebox/"
"""Students import this package by its own name: it is installed beside the others."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel() -> Path:
    return Path(os.fsdecode(once("the site's wheel", build_wheel)))


def build_wheel() -> bytes:
    var = Path(os.environ[WORLDS_VARIABLE], "site")
    command = [sys.executable, "-m", "webapp", "build_wheel"]
    environment = settings(var, "http://localhost")
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = (var / "download").iterdir()
    return bytes(wheel)


def settings(var: Path, address: str) -> dict[str, str]:
    return {
        **os.environ,
        "FIREBOX_SECRET_KEY": "x1" * 30,
        "FIREBOX_SITE_URL": address,
        "FIREBOX_VAR_DIR": str(var),
    }


@contextmanager
def served(wheel: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        server = f"127.0.0.1:{probe.getsockname()[1]}"
    var = wheel.parents[1]
    command = [sys.executable, "-m", "webapp.serve", "--processes=1", "--bind", server]
    program = Program("web", command, settings(var, f"http://{server}"), var)
    program.start()
    try:
        address = f"http://{server}/download/{wheel.name}"
        wait_until(
            lambda: serves(address), seconds=START_SECONDS, why="the site does not serve its wheel"
        )
        yield address
    finally:
        program.stop()


def serves(address: str) -> bool:
    try:
        return requests.head(address, timeout=5).ok
    except requests.RequestException:
        return False


@pytest.fixture(scope="module")
def site_wheel() -> Path:
    return Path(os.fsdecode(once("the wheel of the site itself", build_site_wheel)))


def build_site_wheel() -> bytes:
    """Build it from a copy, as a build writes beside what it builds from; return its path."""
    copy = Path(os.environ[WORLDS_VARIABLE], "sources")
    for folder in ("webapp", "deploy/site"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", copy, copy / "deploy" / "site"], check=True)
    (wheel,) = copy.glob("*.whl")
    return bytes(wheel)


def files(*packages: str) -> list[str]:
    """Tracked ones, or those that will be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *packages]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [path for path in run.stdout.splitlines() if (ROOT / path).exists()]


def held(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_each_wheel_has_the_files_of_its_packages_and_no_others(
    wheel: Path, site_wheel: Path
) -> None:
    wanted = {path.replace(LIBRARY, "firebox/") for path in files("grader", "sandbox")}
    assert len(wanted) > 400
    assert held(wheel) == wanted
    assert held(site_wheel) == set(files("webapp"))


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The Python of an environment that has this package, what it says it needs, nothing else."""
    return Path(os.fsdecode(once("an environment with the wheel", lambda: install(wheel))))


def install(wheel: Path) -> bytes:
    with served(wheel) as address:
        return bytes(environment_with("firebox", "student", address))


def environment_with(name: str, directory: str, *wheels: str | Path) -> Path:
    """Make an environment with wheels and what ``name`` requires; return its Python."""
    environment = Path(os.environ[WORLDS_VARIABLE], directory)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", python, "install", "--no-deps"]
    subprocess.run([*pip, *wheels], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (package,) = Distribution.discover(name=name, path=[str(packages)])
    for needed in set(needs(package)) - {"firebox"}:
        lend(distribution(needed), packages)
    return python


def needs(package: Distribution, *extras: str) -> Iterator[str]:
    """Names of the distributions that a distribution requires, and of those that they do."""
    for text in package.requires or []:
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield canonicalize_name(requirement.name)
            yield from needs(distribution(requirement.name), *requirement.extras)


def lend(package: Distribution, packages: Path) -> None:
    """Link a distribution's files into another environment: nothing is downloaded."""
    tops = {file.parts[0] for file in package.files or [] if file.parts[0] != ".."}
    for top in tops - {"__pycache__"}:
        (packages / top).symlink_to(Path(str(package.locate_file(top))).resolve())


def firebox(python: Path, *words: str) -> None:
    run_installed(python.with_name("firebox"), *words)


def run_installed(program: Path, *words: str) -> None:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    } | {
        "FIREBOX_CORES": str(own_core()),
        "FIREBOX_BUILD_CACHE": os.environ["FIREBOX_TEST_BUILDS"],
    }  # fmt: skip
    run = subprocess.run(
        [program, *words],
        cwd=program.parent,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr


def test_the_installed_wheel_plays_without_docker(installed: Path, tmp_path: Path) -> None:
    kit = tmp_path / "kit"
    firebox(installed, "new", str(kit))
    firebox(installed, "evaluate", str(kit), "--no-sandbox", "--games", "2")


def test_the_site_runs_beside_the_firebox_of_its_version(
    wheel: Path, site_wheel: Path, tmp_path: Path
) -> None:
    python = environment_with("firebox-site", "site-alone", wheel, site_wheel)
    command = [python, "-m", "webapp", "check"]
    subprocess.run(command, cwd=tmp_path, env=settings(tmp_path, "http://localhost"), check=True)
    (packages,) = python.parents[1].glob("lib/python*/site-packages")
    rules, site = (
        next(iter(Distribution.discover(name=name, path=[str(packages)])))
        for name in ("firebox", "firebox-site")
    )
    assert rules.version == site.version
    assert f"firebox[worker]=={rules.version}" in (site.requires or [])


CALLS: Final = """
import json
import sys
from grader.cli import main

for command in json.loads(sys.argv[1]):
    if status := main(command):
        sys.exit(f"firebox {' '.join(command)}: status {status}")
"""
"""Calls the command again and again in one process: its start takes as long as what it does."""


@pytest.mark.docker
@pytest.mark.parametrize("name", GAME_OF)
def test_the_installed_wheel_writes_a_starter_kit_and_plays_its_agent(
    installed: Path, tmp_path: Path, docker_engine: object, name: str
) -> None:
    kit, game = str(tmp_path / name), GAME_OF[name]
    words = ["--interface", name, "--game", game]
    commands = [["new", *words, kit], ["play", kit, *words]]
    run_installed(installed, "-c", CALLS, json.dumps(commands))
