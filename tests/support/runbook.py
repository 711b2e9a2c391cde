"""The runbook's commands, so that tests run what operators are told to run."""

import re
import subprocess
from pathlib import Path
from typing import Final

_TEXT: Final = (Path(__file__).parents[2] / "deploy" / "RUNBOOK.md").read_text()


def row(heading: str, first: str) -> list[str]:
    """Return the commands in a row of the first table below a heading, found by its first cell."""
    for line in _section(heading).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == first:
            return re.findall(r"`([^`]+)`", " ".join(cells[1:]))
    raise LookupError(f"no row {first} below {heading}")


def block(containing: str) -> list[str]:
    """Return the lines of the indented block that contains a text, without their indent."""
    for found in re.findall(r"(?:^    .*\n)+", _TEXT, re.MULTILINE):
        if containing in found:
            return [line.removeprefix("    ") for line in found.splitlines()]
    raise LookupError(f"no block with {containing}")


def commands(program: str) -> list[str]:
    """Return all command lines in the text that begin with a program, without their comments."""
    lines = [line.strip() for line in re.findall(r"^    (.*)$", _TEXT, re.MULTILINE)]
    inline = [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", _TEXT)]
    found = [line.partition(" #")[0].strip() for line in (*lines, *inline)]
    return [line for line in found if line.startswith(program)]


def run(command: str, directory: Path) -> None:
    """Run a command as an operator does. Fails with what it said."""
    done = subprocess.run(
        ["sh", "-ec", command], cwd=directory, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stderr}"


def _section(heading: str) -> str:
    return _TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
