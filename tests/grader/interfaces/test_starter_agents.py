"""Starter kits of the courses' interfaces: complete, compiled at home and here, and they play."""

import io
import json
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import docker
import pytest

from grader.cli import main
from grader.core.errors import RulesError
from grader.core.games import game_from_options
from grader.core.records import BatchRequest, GameResult, Mode
from grader.interfaces import INTERFACES
from grader.interfaces.starter_kit import starter_files, starter_kit
from sandbox.images import image_reference
from tests.grader.interfaces import outcomes
from tests.support.agents import practice_request
from tests.support.archives import archive
from tests.support.depth import deeper

COURSES = ("uwa-java", "gcc-cpp", "ensta-python", "cs221-python")
IN_A_FILE = re.compile(r"^\| (`[^|]+`) \|", re.MULTILINE)
COMMANDS = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
LIBRARY = {
    "uwa-java": {"hanabAI/State.java", "hanabAI/Agent.java", "hanabAI/FireboxLegacy.java"},
    "gcc-cpp": {"GameConstants.h", "Card.h", "Events.h"},
    "ensta-python": {"hanabi/__init__.py", "hanabi/ai.py", "hanabi/deck.py"},
    "cs221-python": {"simulator.py", "util.py"},
}


@pytest.fixture
def kit(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(starter_kit("hanabi", interface=request.param))) as archive:
        archive.extractall(tmp_path / "kit")
    return tmp_path / "kit"


every_kit = pytest.mark.parametrize("kit", COURSES, indirect=True)


def commands(interface: str) -> list[str]:
    readme = starter_files("hanabi", interface=interface)["README.md"].decode()
    blocks = COMMANDS.findall(readme)
    return [line.strip() for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("interface", COURSES)
def test_a_kit_has_the_library(interface: str) -> None:
    assert LIBRARY[interface] <= set(starter_files("hanabi", interface=interface))


@pytest.mark.parametrize("interface", COURSES)
def test_the_readme_names_every_file_of_the_kit(interface: str) -> None:
    files = starter_files("hanabi", interface=interface)
    cells = " ".join(IN_A_FILE.findall(files["README.md"].decode()))
    for name in set(files) - {"README.md"}:
        assert f"`{name}`" in cells or f"`{name.partition('/')[0]}/`" in cells, name


@pytest.mark.parametrize("interface", COURSES)
def test_the_rules_of_a_kit_are_those_its_agents_were_written_for(interface: str) -> None:
    variant = INTERFACES[interface].rules.variant
    rules = json.loads(starter_files("hanabi", interface=interface)["rules.json"])
    assert rules["options"] == game_from_options("hanabi", {"variant": variant}).options


def test_rules_that_agents_of_an_interface_cannot_play_make_no_kit() -> None:
    with pytest.raises(RulesError, match="its agents play the variant uwa"):
        starter_files("hanabi", {"variant": "standard"}, interface="uwa-java")


def test_an_interface_without_a_kit_is_not_found() -> None:
    with pytest.raises(LookupError, match="no starter kit for the interface cobol"):
        starter_files("hanabi", interface="cobol")


def test_the_types_in_java_need_nothing_that_students_have_not() -> None:
    files = starter_files("hanabi", interface="uwa-java")
    java = "".join(data.decode() for name, data in files.items() if name.endswith(".java"))
    assert not re.search(r"com\.google|firebox|FireboxAdapter|\bTable\b", java)


@pytest.mark.parametrize("kit", ["ensta-python", "cs221-python"], indirect=True)
def test_the_commands_in_python_run_as_they_are_written(
    kit: Path, request: pytest.FixtureRequest
) -> None:
    interface = request.node.callspec.params["kit"]
    (command,) = [line for line in commands(interface) if line.startswith("python3 ")]
    said = output([sys.executable, "-S", *shlex.split(command)[1:]], kit)
    assert said.strip()


def output(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, env={"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.docker
@pytest.mark.parametrize("kit", ["gcc-cpp"], indirect=True)
def test_the_command_in_cpp_compiles_and_says_nothing(
    kit: Path, docker_engine: docker.DockerClient
) -> None:
    (command,) = [line for line in commands("gcc-cpp") if line.startswith("g++ ")]
    said = docker_engine.containers.run(
        image_reference("cpp"),
        ["/usr/bin/g++", *shlex.split(command)[1:]],
        volumes={str(kit): {"bind": "/kit", "mode": "ro"}},
        working_dir="/kit",
        network_mode="none",
        remove=True,
        stderr=True,
    )
    assert said == b""


def test_the_command_in_cpp_has_the_options_that_agents_are_compiled_with() -> None:
    from firebox_cpp.compiler import HEADERS

    (command,) = [line for line in commands("gcc-cpp") if line.startswith("g++ ")]
    assert " ".join(["g++", *HEADERS.standard, "-fsyntax-only"]) in command


def test_the_command_in_java_finds_every_package_where_a_compiler_looks() -> None:
    """In the folder where it is typed. That the files compile is tested in the sandbox, below."""
    (command,) = [line for line in commands("uwa-java") if line.startswith("javac ")]
    assert shlex.split(command) == ["javac", "-d", "classes", "agents/*.java"]
    files = starter_files("hanabi", interface="uwa-java")
    sources = {name: data.decode() for name, data in files.items() if name.endswith(".java")}
    for name, text in sources.items():
        assert f"package {name.partition('/')[0]};" in text, name
    imported = set(
        re.findall(r"^import (?:static )?(\w+)", "".join(sources.values()), re.MULTILINE)
    )
    assert imported - {"java"} == {"hanabAI"}
    assert any(name.startswith("hanabAI/") for name in sources)


# --- In the sandbox --------------------------------------------------------------------------


def asked(
    interface: str, files: dict[str, bytes], *, indices: Sequence[int], **how: Any
) -> tuple[BatchRequest, list[bytes]]:
    """Games of an agent with itself, which no faults stop, and its archive."""
    request = practice_request([interface], indices, **how)
    return request, [archive(files)]


def played(interface: str, files: dict[str, bytes], **how: Any) -> list[GameResult]:
    return outcomes.played(*asked(interface, files, **how))


FEW, MANY = deeper(2, deep=4), deeper(6, deep=20)
TABLES = [
    ("uwa-java", 2, MANY, None),
    ("uwa-java", 5, FEW, None),
    ("gcc-cpp", 2, MANY, None),
    ("ensta-python", 2, MANY, Mode.TEAM),
    ("ensta-python", 2, MANY, Mode.SEAT),
    ("ensta-python", 5, FEW, Mode.TEAM),
    ("cs221-python", 3, MANY, None),
    ("cs221-python", 5, FEW, None),
]


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
@pytest.mark.parametrize(("interface", "players", "games", "mode"), TABLES)
def test_the_agent_of_a_kit_plays_well_and_without_a_fault(
    interface: str, players: int, games: int, mode: Mode | None
) -> None:
    files = dict(starter_files("hanabi", interface=interface, library=False))
    results = played(interface, files, indices=range(games), players=players, mode=mode)
    assert [result.record.fault for result in results] == [None] * games
    assert sum(result.record.scores[0] for result in results) / games > 10


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
@pytest.mark.parametrize("interface", COURSES)
def test_a_whole_kit_plays_as_its_agent_alone(interface: str) -> None:
    alone = dict(starter_files("hanabi", interface=interface, library=False))
    whole = dict(starter_files("hanabi", interface=interface))
    assert len(whole) > len(alone)
    games = [played(interface, files, indices=range(FEW), players=2) for files in (alone, whole)]
    assert [result.record.fault for result in games[1]] == [None] * FEW
    one, other = ([result.record.actions for result in results] for results in games)
    assert one == other


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
def test_the_types_in_java_compile_by_themselves() -> None:
    """As another package, so that they are not taken for those that are there already."""
    files = {
        name.replace("hanabAI", "handout"): data.replace(b"package hanabAI;", b"package handout;")
        for name, data in starter_files("hanabi", interface="uwa-java").items()
        if name.endswith(".java")
    }
    assert "handout/State.java" in files
    assert played("uwa-java", files, indices=[0], players=2)[0].record.fault is None


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
@every_kit
def test_the_commands_with_firebox_run_as_they_are_written(
    kit: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    interface = request.node.callspec.params["kit"]
    lines = [line for line in commands(interface) if line.startswith("firebox ")]
    assert [line.split()[1] for line in lines] == ["play", "evaluate"]
    monkeypatch.chdir(kit)
    for line in lines:
        few = line.replace("--games 100", "--games 3")
        assert main(shlex.split(few)[1:]) == 0
        said = capsys.readouterr()
        assert INTERFACES[interface].rules.variant in said.out
        assert "No rules.json" not in said.err
