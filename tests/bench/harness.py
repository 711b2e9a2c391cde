"""The harness of all benchmarks: takes figures by turns, prints them, and keeps them as JSON.

A benchmark is a module of ``tests.bench`` with ``measurements``. It runs in one process, or, with
``--against REV``, in two: this checkout and a revision beside it, with its own benchmarks if it has
any. Then one measures while the other waits. A figure that the revision cannot give is left
out. Processor time of a busy machine says little, and wall time nothing.
"""

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.support.kept_builds import ROOT

FOLDER: Final = Path(__file__).parent
_COLUMNS: Final = "{:<40} {:<24} {:>24} {:>16} {:>24} {:>18}"
Rounds = list[dict[str, float]]


@dataclass(frozen=True, slots=True)
class Measurement:
    """Figures that are taken once or more."""

    name: str
    take: Callable[[], Mapping[str, float]]
    """Returns the figures by their names; none if this version has no such thing."""
    rounds: int = 1
    goals: Mapping[str, str] = field(default_factory=dict)
    """By figure, what is to be reached."""


def measure(measurements: Iterable[Measurement]) -> dict[str, Any]:
    _print_headings()
    kept = {}
    for one in measurements:
        rounds = [dict(one.take()) for _ in range(one.rounds)]
        _print(one.name, rounds, [], one.goals)
        kept[one.name] = _columns(rounds)
    return {"machine": _machine(), "figures": kept}


def compare(words: Sequence[str], revision: str) -> dict[str, Any]:
    """Run ``python -m tests.bench WORDS`` here and in a revision, by turns. Raises SystemExit."""
    kept = {}
    with _worktree(revision) as checkout, ExitStack() as stack:
        sides = [stack.enter_context(_side(at, words)) for at in (ROOT, checkout)]
        _print_headings(revision)
        while all(headers := [side.read() for side in sides]):
            (name, rounds, goals), theirs = headers
            if theirs[0] != name:
                raise SystemExit(f"{name!r} and {theirs[0]!r} cannot be compared")
            taken = [[side.measure() for side in sides] for _ in range(rounds)]
            ours, others = ([each[side] for each in taken] for side in (0, 1))
            _print(name, ours, others, goals)
            kept[name] = {**_columns(ours), **_columns(others, f", {revision}")}
    return {"machine": _machine(), "figures": kept}


def measure_on_request(measurements: Iterable[Measurement]) -> None:
    """Take each measurement when a line comes in, and print its figures as JSON."""
    output, sys.stdout = sys.stdout, sys.stderr
    for one in measurements:
        print(json.dumps([one.name, one.rounds, dict(one.goals)]), file=output, flush=True)
        for _ in range(one.rounds):
            if not sys.stdin.readline():
                return
            print(json.dumps(dict(one.take())), file=output, flush=True)


def spread(values: Sequence[float]) -> str:
    """Return the median, with the lowest and highest if there are several."""
    middle = _number(median(values))
    if len(values) == 1:
        return middle
    return f"{middle} ({_number(min(values))}–{_number(max(values))})"


def _number(value: float) -> str:
    places = 0 if abs(value) >= 100 or value == int(value) else 1 if abs(value) >= 10 else 2
    return f"{value:,.{places}f}"


def _columns(rounds: Rounds, suffix: str = "") -> dict[str, list[float]]:
    return {f"{figure}{suffix}": [one[figure] for one in rounds] for figure in rounds[0]}


def _print_headings(revision: str = "") -> None:
    ratio = f"/ {revision}" if revision else ""
    print(_COLUMNS.format("", "", "this version", "goal", revision, ratio), flush=True)


def _print(name: str, ours: Rounds, theirs: Rounds, goals: Mapping[str, str]) -> None:
    """Print a line for each figure; ratios are taken round by round."""
    for figure in ours[0]:
        here = [one[figure] for one in ours]
        there = [one[figure] for one in theirs if figure in one]
        ratios = [mine / other for mine, other in zip(here, there, strict=False) if other]
        columns = (spread(here), goals.get(figure, ""), spread(there) if there else "")
        line = _COLUMNS.format(name, figure, *columns, spread(ratios) if ratios else "")
        print(line.rstrip(), flush=True)
        name = ""


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return (
        f"{models[0] if models else platform.machine()}, {len(os.sched_getaffinity(0))} cores,"
        f" Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    )


# --- A revision beside this checkout --------------------------------------------------------------


@contextmanager
def _worktree(revision: str) -> Iterator[Path]:
    """Check a revision out, with this checkout's benchmarks if it has none. Raises SystemExit."""
    with TemporaryDirectory(prefix="firebox-bench-") as parent:
        checkout = Path(parent) / "firebox"
        git = ["git", "-C", str(ROOT), "worktree"]
        added = subprocess.run(
            [*git, "add", "--quiet", "--detach", str(checkout), revision], check=False
        )
        if added.returncode:
            raise SystemExit(f"git cannot check {revision} out: see above")
        try:
            if not (checkout / "tests" / "bench").is_dir():
                shutil.copytree(FOLDER, checkout / "tests" / "bench")
            yield checkout
        finally:
            subprocess.run([*git, "remove", "--force", str(checkout)], check=True)


class _Side:
    """A benchmark in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def read(self) -> list[Any]:
        """Return name, rounds and goals of the next measurement; nothing after the last."""
        header: list[Any] = json.loads(self._line() or "[]")
        return header

    def measure(self) -> dict[str, float]:
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
def _side(checkout: Path, words: Sequence[str]) -> Iterator[_Side]:
    command = [sys.executable, "-m", "tests.bench", *words, "--turns"]
    process = subprocess.Popen(
        command, cwd=checkout, env={**os.environ, "PYTHONPATH": str(checkout)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        yield _Side(process)


# --- The page of results --------------------------------------------------------------------------


def draw(folder: Path = FOLDER / "results") -> str:
    """Return the page of all kept figures, as Markdown."""
    parts = ["# Results of benchmarks", f"{_NOTE}"]
    for file in sorted(folder.glob("*.json")):
        kept = json.loads(file.read_text(encoding="utf-8"))
        parts += [f"## {kept['title']}", f"`{kept['command']}`; {kept['machine']}."]
        parts += _tables(kept["figures"])
        parts += kept.get("notes", [])
    return "\n\n".join(parts) + "\n"


_NOTE: Final = (
    "Drawn from `results/*.json` by `python -m tests.bench draw`. Medians, with the lowest and"
    " highest in\nparentheses; CPU is processor time."
)


def _tables(figures: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield a table for each run of rows that have the same figures."""
    headings, lines = tuple[str, ...](), list[str]()
    for name, row in figures.items():
        if tuple(row) != headings:
            if lines:
                yield "\n".join(lines)
            headings = tuple(row)
            lines = [f"| | {' | '.join(headings)} |", "|---|" + "--:|" * len(headings)]
        cells = (spread(values) if values else "" for values in row.values())
        lines.append(f"| {name} | {' | '.join(cells)} |")
    yield "\n".join(lines)
