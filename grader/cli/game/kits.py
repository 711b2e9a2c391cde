"""A game of each starter kit: those that agents of this game begin with."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.cli.exits import ExitStatus
from grader.cli.game.located import Located
from grader.cli.game.processes import Checked
from grader.cli.output import doing
from grader.conformance import Finding, Level
from grader.interfaces import Interface, interface_named

_GAMES: Final = "4"


def try_kits(
    place: Located, name: str, game: Checked, folder: Path
) -> tuple[list[Finding], list[str]]:
    """Play with each kit against the opponent, or with itself; what is found, and what could not
    be tried here."""
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
                Finding(
                    level=Level.PUBLISHED,
                    check="its_kits_play",
                    rules="",
                    problem=f"{title} does not play: {said}",
                    repair=f"Run `{'`, then `'.join(commands)}`, and look at the game that failed.",
                )
            )
    return findings, skipped


def _tried(
    place: Located, name: str, opponent: str, interface: Interface, kit: Path
) -> tuple[int, Sequence[str], str]:
    """Write a kit and play with it; the exit status, the commands, and the error."""
    write = ["new", str(kit), "--game", name, "--interface", interface.name]
    play = ["evaluate", str(kit), "--games", _GAMES]
    play += ["--against", opponent] if opponent else []
    is_plain = not interface.runtime.builder and not interface.needs_sandbox
    play += ["--no-sandbox"] if is_plain else []  # our own agent, which needs only Python
    said, status, commands = "", 0, []
    for words in (write, play):
        commands.append(" ".join(["firebox", *words]).replace(str(kit), kit.name))
        done = subprocess.run(
            [sys.executable, "-m", "grader.cli", *words],
            env=place.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        status, lines = done.returncode, (done.stderr or done.stdout).strip().splitlines()
        said = next((line for line in lines if line.startswith("firebox:")), (lines or [""])[-1])
        if status:
            break
    return status, commands, said
