"""The summary of a test run: quick tests that are slow, the total, the slowest tests."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.coverage import rows
from tests.support.times import SLOWEST, summary

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TESTS = """
import time, pytest

def compute(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

@pytest.fixture(scope="session")
def world():
    compute(0.3)

def test_quick(world):
    pass

def test_long():
    compute(0.3)

@pytest.mark.slow
def test_marked():
    compute(0.3)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the tests above ran with a limit of 0.2 s: their output and times."""
    folder = tmp_path_factory.mktemp("tests")
    (folder / "test_them.py").write_text(TESTS)
    (folder / "conftest.py").write_text(
        "from tests.support import budget\n\nbudget.QUICK_SECONDS = 0.2\n"
    )
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "FIREBOX_TEST_TIMES": str(folder / "times"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [sys.executable, "-m", "pytest", "-p", "tests.support.budget", str(folder)]
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    (folder / "output").write_text(run.stdout)
    return folder


@pytest.fixture
def output(folder: Path) -> str:
    """The output of pytest."""
    return (folder / "output").read_text()


def test_a_long_test_without_a_mark_is_named(output: str) -> None:
    named = output.partition("used more than 0.2 s")[2]
    assert "test_long" in named
    assert "CONTRIBUTING.md" in named
    assert "test_marked" not in named


def test_a_fixture_of_the_session_is_not_charged_to_the_first_test(output: str) -> None:
    assert "2 quick tests" in output
    assert "test_quick" not in output


def test_every_tests_time_is_written_down(folder: Path) -> None:
    lines = (folder / "times").read_text().splitlines()
    assert {json.loads(line)[0].partition("::")[2] for line in lines} == {
        "test_quick",
        "test_long",
        "test_marked",
    }


def test_the_summary_adds_a_tests_phases_and_names_the_slowest() -> None:
    lines = [json.dumps([f"test_{n}", seconds]) for n in range(12) for seconds in (n, 0.5)]
    first, *slowest = summary(lines, 617).splitlines()
    assert first == "12 tests in 10 min 17 s. The slowest:"
    assert len(slowest) == SLOWEST
    assert slowest[0].split() == ["11.50", "s", "test_11"]


def test_coverage_is_counted_by_package_and_in_all() -> None:
    counts = {"num_statements": 8, "covered_lines": 6, "num_branches": 2, "covered_branches": 1}
    full = {"num_statements": 10, "covered_lines": 10, "num_branches": 0, "covered_branches": 0}
    files = {"grader/house/a.py": {"summary": counts}, "grader/b.py": {"summary": full}}
    assert [line.split()[:2] for line in rows({"files": files})] == [
        ["grader", "85.00%"],
        ["grader/house", "70.00%"],
    ]
