"""The processes in which a game is checked, and what their ends say about it."""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from grader.cli.game.located import Located
from grader.cli.output import doing, warn
from grader.conformance import Finding, Level, alone
from grader.core.words import printable

_IMPORTED: Final = "it_can_be_imported"
_FRAME: Final = re.compile(r'  File "([^"]+)", line (\d+) in (\w+)')
_OURS: Final = str(Path(alone.__file__).parent)
_MOST_PRINTED: Final = 20
"""Lines of what the rules print, for their author: each check plays many games."""
_REFUSED: Final = "GamePackageError: "


@dataclass(slots=True)
class Checked:
    """A game as other processes saw it: this one may not be able to import the package."""

    findings: list[Finding] = field(default_factory=list)
    opponent: str = ""
    """A house agent to play against; empty if the game needs none."""
    kits: Sequence[str] = ()
    """The interfaces that its agents can begin with."""


def checked_alone(place: Located, name: str, level: Level, seconds: float) -> Checked:
    """Check a game up to a level.

    The game plays in two processes whose sets of texts have different orders.
    """
    checked = Checked()
    findings: dict[tuple[str, str], Finding] = {}
    fingerprints: list[list[str]] = []
    for order, chosen in (("1", level.value), ("2", "")):
        prints: list[str] = []
        for value in _lines(place, name, chosen, seconds, order):
            if isinstance(value, Finding):
                findings.setdefault((value.check, value.problem), value)
                continue
            prints += [value["fingerprint"]] if "fingerprint" in value else []
            checked.opponent = value.get("opponent", checked.opponent)
            checked.kits = value.get("kits", checked.kits)
        fingerprints.append(prints)
        if findings:
            break
    else:
        if fingerprints[0] != fingerprints[1]:
            checked.findings = [_UNLIKE]
    checked.findings += findings.values()
    return checked


_UNLIKE: Final = Finding(
    level=Level.PLAYS,
    check="the_same_plays_in_every_process",
    rules="",
    problem="Plays of the same deals and actions differ in another process: the game is not"
    " deterministic.",
    repair="Sort what comes out of a set, and use no `hash` and no `id`: their order changes with"
    " each process.",
)


def _lines(
    place: Located, name: str, level: str, seconds: float, order: str
) -> Iterator[Mapping[str, Any] | Finding]:
    check = _IMPORTED
    with tempfile.TemporaryFile("w+") as printed, doing() as now:
        process = subprocess.Popen(
            [sys.executable, "-c", alone.CODE, str(seconds), name, level],
            env=place.environment(PYTHONHASHSEED=order),
            stdout=subprocess.PIPE,
            stderr=printed,
            text=True,
        )
        assert process.stdout is not None  # noqa: S101 - for the type checker
        for line in process.stdout:
            value = json.loads(line)
            if "begins" in value:
                check = value["begins"]
                now(check.replace("_", " "))
            yield Finding(**value["finding"]) if "finding" in value else value
        process.wait()
        printed.seek(0)
        err = printed.read()
    if level and not process.returncode and err:  # else its end says it
        lines = err.splitlines()
        warn(printable("\n".join(["It printed:", *lines[:_MOST_PRINTED]])))
    if process.returncode:
        yield _ended(check, process.returncode, err, seconds)


def _ended(check: str, status: int, err: str, seconds: float) -> Finding:
    where = _place(err.splitlines())
    if _REFUSED in err:
        problem = f"{err.rpartition(_REFUSED)[2].strip().partition(chr(10))[0]}."
        repair = "Mend the module, or the entry point in `pyproject.toml` that names it."
    elif "Timeout (" in err:
        problem = f"The game hangs: it was{where} after {seconds:g} s of one check."
        repair = "Let every loop end. A game that is only slow may have more time: `--seconds`."
    else:
        last = err.strip().rpartition("\n")[2]
        problem = f"The game ended its process with status {status}{where}: {last}"
        repair = "Call nothing that ends the process, and mend what crashes."
    return Finding(level=Level.PLAYS, check=check, rules="", problem=problem, repair=repair)


def _place(lines: Sequence[str]) -> str:
    frames = [match for line in lines if (match := _FRAME.match(line))]
    for file, line, function in (match.groups() for match in frames):
        if not file.startswith((_OURS, "<")):
            return f" in line {line} of {Path(file).name} (`{function}`)"
    return ""
