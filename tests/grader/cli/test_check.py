"""``firebox check``: what it says of this computer."""

import json

import pytest

from grader.cli.check import as_json, report
from sandbox.check import HostCheck
from tests.grader.cli.conftest import Firebox
from tests.grader.cli.test_main import process

GOOD = HostCheck(
    name="root", tried="write to /", expected="refused", happened="EROFS", ok=True, fix=""
)
BAD = HostCheck(
    name="image",
    tried="look for the image",
    expected="it is there",
    happened="not \x1bthere",
    ok=False,
    fix="run: make images",
)


def test_a_passed_check_takes_one_line() -> None:
    assert list(report([GOOD, GOOD])) == [
        "ok      root                      write to /: EROFS",
        "ok      root                      write to /: EROFS",
        "",
        "All 2 checks are in order: agents are confined on this computer.",
    ]


def test_a_failed_check_says_how_to_fix_it() -> None:
    assert list(report([GOOD, BAD]))[1:] == [
        "FAILED  image                     look for the image",
        "        expected  it is there",
        "        happened  not \\x1bthere",
        "        fix       run: make images",
        "",
        "1 of 2 checks failed: agents cannot be played safely here.",
    ]


@pytest.mark.slow
def test_missing_docker_fails_the_check() -> None:
    run = process("check", DOCKER_HOST="unix:///nonexistent.sock")
    assert run.returncode == 3
    assert "FAILED  host.docker" in run.stdout
    assert run.stdout.count("Docker does not answer") == 1, "one cause is told once"
    assert "1 of 3 checks failed" in run.stdout


def test_json_output_has_its_documented_shape() -> None:
    printed = json.loads(as_json([GOOD, BAD]))
    assert set(printed) == {"format", "ok", "host", "firebox", "checks"}
    assert (printed["format"], printed["ok"]) == (1, False)
    assert printed["checks"][0] == {
        "name": "root",
        "tried": "write to /",
        "expected": "refused",
        "happened": "EROFS",
        "ok": True,
        "fix": "",
    }


@pytest.mark.docker
def test_this_computer_confines_agents(firebox: Firebox) -> None:
    run = firebox("check", "--json")
    assert run.status == 0
    assert run.json["ok"]
    assert {check["ok"] for check in run.json["checks"]} == {True}
