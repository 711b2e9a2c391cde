"""The rules as machine code: they play the same games as in Python, and never those of before."""

import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from grader import compiled
from grader.core.games import GAMES
from tests.support.depth import DEEP
from tests.support.kept_builds import ROOT, kept_directory

CORE = ROOT / "tests" / "grader" / "core"
SAME_GAMES = ("games/test_playthroughs.py", "games/test_conformance.py", "test_deals.py")
"""Tests of the rules that compare every message and every refusal."""
SOME = "playthroughs or deals or hanabi-standard-2 or hanabi-cs221-5 or hearts-standard-4"
LOADED = """
import grader.core.games
from grader.compiled import compiled_modules
print(*compiled_modules())
"""


@pytest.fixture(scope="module")
def rules() -> Path:
    directory = kept_directory("compiled-rules", ("grader/c*/**/*.py",), sys.version)
    compiled.build(directory)
    return directory


def run(*arguments: str | Path, rules: Path | str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, compiled.SETTING: str(rules)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_every_module_of_the_rules_is_loaded_as_machine_code(rules: Path) -> None:
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in compiled.sources()]
    assert {f"grader.core.games.{game}.rules" for game in GAMES} < set(names)
    assert run("-c", LOADED, rules=rules).stdout.split() == names


@pytest.mark.slow
def test_compiled_rules_pass_the_tests_of_the_rules(rules: Path) -> None:
    files = [CORE / name for name in SAME_GAMES]
    some = [CORE] if DEEP else ["-k", SOME, "--hypothesis-profile", "fast", *files]
    ended = run("-m", "pytest", "-q", "-p", "no:cacheprovider", *some, rules=rules)
    assert ended.returncode == 0, ended.stdout[-2000:]
    assert " passed" in ended.stdout


def test_rules_that_were_not_compiled_run_as_python(tmp_path: Path) -> None:
    other = tmp_path / "a-digest-of-other-rules" / "grader" / "core"
    other.mkdir(parents=True)
    (other / f"deals{EXTENSION_SUFFIXES[0]}").touch()
    ended = run("-c", LOADED, rules=tmp_path)
    assert (ended.returncode, ended.stdout.split()) == (0, [])


def test_a_directory_without_the_rules_of_this_version_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(compiled.SETTING, "")
    assert compiled.complaint() == ""
    monkeypatch.setenv(compiled.SETTING, str(tmp_path))
    assert compiled.complaint().endswith("run python -m grader.compiled")


def test_a_constant_of_another_module_belongs_to_what_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest(endings: str) -> str:
        (tmp_path / "core").mkdir(exist_ok=True)
        (tmp_path / "core" / "endings.py").write_text(endings)
        return compiled._digest()

    monkeypatch.setattr(compiled, "_PACKAGE", tmp_path)
    assert digest("MOST = 1\n") != digest("MOST = 2\n")


def test_rules_that_cannot_be_compiled_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "true")  # ends well, and has compiled nothing
    with pytest.raises(compiled.CannotCompileError, match="mypyc ended with status 0"):
        compiled.build(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_command_asks_for_the_directory() -> None:
    ended = run("-m", "grader.compiled", rules="")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("Set FIREBOX_COMPILED_RULES to the directory")
