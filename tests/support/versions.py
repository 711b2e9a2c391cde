"""Runs a benchmark in two versions of the site, by turns: see ``measurements``.

Both run with this checkout's packages, and with those that only the revision has.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from grader.bench.against import worktree
from grader.bench.words import spread
from tests.support.own_site import ROOT

__all__ = ["compare"]

_SHARED: Final = (
    "crowd", "measurements", "own_site", "page_costs", "postgres_server", "processes",
    "recording_costs", "redis_server", "staff_work", "this_version", "watchers",
)  # fmt: skip
"""The modules of ``tests.support`` that benchmarks use: an earlier version is run with them."""
_COLUMNS: Final = "{:<36} {:<18} {:>26} {:>26} {:>20}"


def compare(module: str, revision: str) -> None:
    """Run a benchmark with this process's options in both versions, and print both's figures."""
    words = [word for word in sys.argv[1:] if not word.startswith("--against") and word != revision]
    with worktree(revision) as checkout, ExitStack() as stack:
        _add_benchmarks(checkout, revision)
        sides = [stack.enter_context(_side(at, module, words)) for at in (ROOT, checkout)]
        print(_COLUMNS.format("", "", "this version", revision, "ratio"), flush=True)
        while all(headers := [side.read() for side in sides]):
            (name, rounds), theirs = headers
            if theirs != [name, rounds]:
                raise SystemExit(f"{name!r} and {theirs[0]!r} cannot be compared")
            _print(name, [[side.measure() for side in sides] for _ in range(rounds)])


def _print(name: str, rounds: list[list[dict[str, float]]]) -> None:
    """Print a line for each figure: medians, least and most, and the ratios of the rounds."""
    ours, theirs = zip(*rounds, strict=True)
    if not theirs[0]:
        print(_COLUMNS.format(name, "", "", "has no such thing", ""), flush=True)
        return
    for figure in ours[0]:
        here, there = ([one[figure] for one in side] for side in (ours, theirs))
        ratios = [mine / other for mine, other in zip(here, there, strict=True) if other]
        ratio = spread(ratios, ".2f") if ratios else "–"
        columns = (spread(here, ".1f"), spread(there, ".1f"), ratio)
        print(_COLUMNS.format(name, figure, *columns), flush=True)
        name = ""


def _add_benchmarks(checkout: Path, revision: str) -> None:
    """Give a checkout this one's benchmarks, and the packages that it has and this one has not."""
    support = checkout / "tests" / "support"
    for name in _SHARED:
        shutil.copy(ROOT / "tests" / "support" / f"{name}.py", support)
    pins, ours = _pins(checkout), _pins(ROOT)
    if dropped := [pin for name, pin in pins.items() if name not in ours]:
        print(f"{revision} also needs {' '.join(dropped)}", file=sys.stderr)
        install = ("install", "--quiet", "--no-deps", "--target", str(checkout), *dropped)
        subprocess.run([sys.executable, "-m", "pip", *install], check=True)


def _pins(checkout: Path) -> dict[str, str]:
    """Return the packages of a version's lock file, by name."""
    lines = (checkout / "requirements.lock").read_text().splitlines()
    pins = [line.split()[0] for line in lines if "==" in line]
    return {pin.partition("==")[0]: pin for pin in pins}


class _Side:
    """A benchmark in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def read(self) -> list[object]:
        """Return the name and the rounds of the next measurement; nothing after the last."""
        header: list[object] = json.loads(self._line() or "[]")
        return header

    def measure(self) -> dict[str, float]:
        """Have it take the measurement once."""
        assert self._process.stdin is not None
        print(file=self._process.stdin, flush=True)
        line = self._line()
        if not line:
            raise SystemExit("the benchmark ended: its reason is above")
        figures: dict[str, float] = json.loads(line)
        return figures

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@contextmanager
def _side(checkout: Path, module: str, words: list[str]) -> Iterator[_Side]:
    command = [sys.executable, "-m", module, *words, "--turns"]
    process = subprocess.Popen(
        command, cwd=checkout, env={**os.environ, "PYTHONPATH": str(checkout)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        yield _Side(process)
