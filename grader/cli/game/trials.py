"""Trials of a game as people use it: its kits, ``tests/`` and records in ``playthroughs/``."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from grader.cli.exits import ExitStatus
from grader.cli.game.located import Located
from grader.cli.game.processes import Checked
from grader.cli.output import doing
from grader.conformance import Finding, Level
from grader.interfaces import Interface, interface_named

_GAMES: Final = "4"
_NO_TESTS: Final = 5
"""The exit status of pytest that has found none."""


def try_kits(
    place: Located, name: str, game: Checked, folder: Path
) -> tuple[list[Finding], list[str]]:
    """Play with each kit against the opponent or itself; return findings and unplayable kits."""
    findings, skipped = [], []
    for interface in map(interface_named, game.kits):
        kit = folder / interface.name
        with doing() as now:
            now(interface.title)
            status, commands, said = _tried(place, name, game.opponent, interface, kit)
        title = f"The starter kit for {interface.title}"
        if status == ExitStatus.HOST:
            skipped.append(f"{title}, which needs Docker and its images: `firebox check`")
        elif status != ExitStatus.OK:
            findings.append(
                _finding(
                    "its_kits_play",
                    f"{title} does not play: {said}",
                    f"Run `{'`, then `'.join(commands)}`, and look at the game that failed.",
                )
            )
    return findings, skipped


def _tried(
    place: Located, name: str, opponent: str, interface: Interface, kit: Path
) -> tuple[int, Sequence[str], str]:
    write = ["new", str(kit), "--game", name, "--interface", interface.name]
    play = ["evaluate", str(kit), "--games", _GAMES]
    play += ["--against", opponent] if opponent else []
    is_plain = not interface.runtime.builder and not interface.needs_sandbox
    play += ["--no-sandbox"] if is_plain else []  # our own agent, which needs only Python
    said, status, commands = "", 0, []
    for words in (write, play):
        commands.append(" ".join(["firebox", *words]).replace(str(kit), kit.name))
        done = place.run("-m", "grader.cli", *words)
        status, lines = done.returncode, (done.stderr or done.stdout).strip().splitlines()
        said = next((line for line in lines if line.startswith("firebox:")), (lines or [""])[-1])
        if status:
            break
    return status, commands, said


def try_own(place: Located) -> tuple[list[Finding], list[str]]:
    """Run the folder's tests and playthroughs; return findings, and tests that cannot run."""
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
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    done = place.run(*words, folder=project)
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
    findings = []
    for path in records:
        done = place.run("-m", "grader.cli", "replay", str(path), folder=path.parent)
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


def _finding(check: str, problem: str, repair: str) -> Finding:
    return Finding(level=Level.PUBLISHED, check=check, rules="", problem=problem, repair=repair)
