"""The command line as a whole: help, exit statuses, what never happens."""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.cli.check import CheckArguments
from grader.cli.main import parser
from grader.core.records import to_json
from tests.grader.cli.conftest import Firebox
from tests.grader.played import random_record

COMMANDS = (
    "play",
    "evaluate",
    "compare",
    "tournament",
    "replay",
    "verify",
    "audit",
    "check",
    "paper",
    "new",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_documents_the_exit_statuses(firebox: Firebox, command: str) -> None:
    run = firebox(command, "--help")
    assert run.status == 0
    assert "an agent had a fault or was flagged by an audit, a verification failed" in run.out
    assert "3  Firebox itself or this computer failed" in run.out


def test_help_lists_every_command(firebox: Firebox) -> None:
    out = firebox("--help").out
    assert all(f"\n    {command}" in out for command in COMMANDS)


@pytest.mark.parametrize("arguments", [[], ["dance"], ["compare"], ["replay"], ["play", "--bogus"]])
def test_wrong_command_lines_are_refused(firebox: Firebox, arguments: list[str]) -> None:
    run = firebox(*arguments)
    assert run.status == 2
    assert "usage: firebox" in run.err


@pytest.mark.parametrize("command", ["play", "evaluate", "tournament"])
def test_a_command_that_plays_asks_for_an_agent(firebox: Firebox, command: str) -> None:
    run = firebox(command)
    assert run.status == 2
    assert "name an AGENT: a source file, a .zip, a folder, or house:NAME" in run.err


def test_the_version_is_printed(firebox: Firebox) -> None:
    assert firebox("--version").out.startswith("firebox ")


def test_every_argument_has_a_help_text() -> None:
    for command in _commands():
        assert all(action.help for action in command._actions)


def _commands(
    top: argparse.ArgumentParser | None = None,
) -> Iterator[argparse.ArgumentParser]:
    for action in (top or parser())._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _commands(command) if command._subparsers else [command]


def process(*arguments: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "grader.cli", *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["play"], ["evaluate", "--games", "2"]])
def test_missing_docker_is_our_failure_and_names_the_way_out(arguments: list[str]) -> None:
    run = process(*arguments, "house:iggi", DOCKER_HOST="unix:///nonexistent.sock")
    assert run.returncode == 3
    assert "Docker does not answer" in run.stderr
    assert "--no-sandbox plays without" in run.stderr
    assert "Traceback" not in run.stderr


JAVA = "import hanabAI.*; public class A implements Agent {}"


def test_an_agent_in_java_is_not_played_without_a_sandbox(firebox: Firebox, tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(JAVA)
    run = firebox("play", tmp_path / "A.java", "--no-sandbox")
    assert run.status == 2
    assert run.err.splitlines()[-1] == "firebox: --no-sandbox: agents in Java need Docker"


@pytest.mark.slow
def test_missing_docker_offers_an_agent_in_java_no_way_out(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(JAVA)
    run = process("play", tmp_path / "A.java", DOCKER_HOST="unix:///nonexistent.sock")
    assert run.returncode == 3
    assert "Docker does not answer" in run.stderr
    assert "no-sandbox" not in run.stderr


@pytest.mark.slow
def test_a_terminal_without_unicode_gets_escapes(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"")
    run = process("play", "häuschen.py", PYTHONIOENCODING="ascii")
    assert run.returncode == 2
    assert "h\\xe4uschen.py" in run.stderr


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(to_json(random_record(0)))
    command = [sys.executable, "-m", "grader.cli", "replay", str(tmp_path / "game.json")]
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        run = subprocess.run(command, stdout=gone, stderr=subprocess.PIPE, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (141, b"")


def test_an_interruption_prints_no_traceback(
    firebox: Firebox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(arguments: CheckArguments) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("grader.cli.check.run", interrupted)
    run = firebox("check")
    assert (run.status, run.err) == (130, "firebox: interrupted\n")
