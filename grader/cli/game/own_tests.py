"""The checks that a game's folder brings itself: ``tests/``, and records in ``playthroughs/``."""

import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from grader.cli.game.located import Located
from grader.conformance import Finding, Level

_NO_TESTS = 5
"""The exit status of pytest that has found none."""


def try_own(place: Located) -> tuple[list[Finding], list[str]]:
    """Run the folder's own tests and replay its playthroughs; what is found, and what could not be
    tried here."""
    project = place.project
    if project is None:
        return [], []
    findings, skipped = _replayed(place, sorted(project.glob("playthroughs/*.json"))), []
    if (project / "tests").is_dir():
        if find_spec("pytest") is None:
            skipped.append("the game's own tests, which need pytest: `pip install pytest`")
        else:
            findings += _tested(place, project)
    return findings, skipped


def _tested(place: Located, project: Path) -> list[Finding]:
    done = _run(place, project, ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"])
    if done.returncode in {0, _NO_TESTS}:
        return []
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    said = next(iter(lines), (done.stdout + done.stderr).strip().rpartition("\n")[2])
    return [
        _finding(
            "its_own_tests_pass",
            f"The game's own tests fail: {said[:300]}",
            f"Run `cd {project} && PYTHONPATH=. python -m pytest tests`, and mend the game or the"
            " test.",
        )
    ]


def _replayed(place: Located, records: Sequence[Path]) -> list[Finding]:
    """Replay records of games: what ``firebox play --record`` writes, and the site hands out."""
    findings = []
    for path in records:
        done = _run(place, path.parent, ["-m", "grader.cli", "replay", str(path)])
        if done.returncode:
            said = done.stderr.strip().rpartition("\n")[2].removeprefix("firebox: ")
            findings.append(
                _finding(
                    "its_playthroughs_replay",
                    f"The record {path.name} is no play by these rules: {said[:300]}",
                    "Mend the rules; if they were meant to change, raise `rules_version` and record"
                    " the play again.",
                )
            )
    return findings


def _run(place: Located, folder: Path, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=place.environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def _finding(check: str, problem: str, repair: str) -> Finding:
    return Finding(level=Level.PUBLISHED, check=check, rules="", problem=problem, repair=repair)
