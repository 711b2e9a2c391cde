"""Two versions of Firebox by turns: this checkout, and a revision of its history beside it.

Both play the same deals with the same agents through ``firebox evaluate``, which every version has,
from the start of the command to its end. Processor time is the whole machine's, so that containers
are counted: a figure from a machine that does something else besides is worth nothing.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from rich.table import Table

from grader.bench.contenders import LIGHT
from grader.bench.measure import idle_seconds
from grader.bench.words import spread
from grader.core.errors import SystemFault

__all__ = [
    "SUBJECTS",
    "Compared",
    "Played",
    "Subject",
    "checked_out",
    "compare",
    "table",
    "worktree",
]

_HERE: Final = Path(__file__).parents[2]


class Subject(NamedTuple):
    """An agent as the command names it, and the seats that it plays."""

    agent: str
    name: str
    players: int
    share: float
    """Share of the games asked for that it plays."""


SUBJECTS: Final = (
    Subject(str(LIGHT), "light", 2, 1.0),
    Subject(str(LIGHT), "light", 5, 1.0),
    Subject("house:information", "information", 2, 0.5),
)


class Played(NamedTuple):
    """One evaluation."""

    wall_seconds: float
    busy_seconds: float
    """Processor time of everything on the machine."""


class Compared(NamedTuple):
    """Rounds of one subject, in each of which this version played first, then the other."""

    subject: Subject
    games: int
    ours: list[Played]
    theirs: list[Played]


def compare(
    other: Path, subjects: Sequence[Subject], games: int, rounds: int, advance: Callable[[], None]
) -> list[Compared]:
    """Measure this checkout and another one. Raises SystemFault if either does not play."""
    compared = [Compared(one, max(2, int(games * one.share)), [], []) for one in subjects]
    for number in range(rounds + 1):  # the first warms caches of both up, and is not counted
        for row in compared:
            played = _played(_HERE, row), _played(other, row)
            if number:
                row.ours.append(played[0])
                row.theirs.append(played[1])
            advance()
    return compared


def table(compared: Sequence[Compared], revision: str) -> Table:
    """Return medians with the lowest and highest, and ratios round by round."""
    drawn = Table(title=f"This version against {revision}", title_justify="left")
    drawn.add_column("agent")
    figures = ("wall s", revision, "ratio", "CPU ms/game", revision, "ratio")
    for heading in ("seats", "games", *figures):
        drawn.add_column(heading, justify="right")
    for row in compared:
        drawn.add_row(
            row.subject.name,
            str(row.subject.players),
            str(row.games),
            *_cells([one.wall_seconds for one in row.ours],
                    [one.wall_seconds for one in row.theirs]),
            *_cells([1000 * one.busy_seconds / row.games for one in row.ours],
                    [1000 * one.busy_seconds / row.games for one in row.theirs]),
        )  # fmt: skip
    return drawn


def _cells(ours: Sequence[float], theirs: Sequence[float]) -> tuple[str, str, str]:
    ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
    return spread(ours, ".2f"), spread(theirs, ".2f"), spread(ratios, ".2f")


def _played(checkout: Path, asked: Compared) -> Played:
    cores = sorted(os.sched_getaffinity(0))
    subject = asked.subject
    options = ("--players", str(subject.players), "--games", str(asked.games), "--json")
    began, idle = time.monotonic(), idle_seconds(cores)
    _run(checkout, "grader.cli", "evaluate", subject.agent, *options)
    wall = time.monotonic() - began
    return Played(wall, len(cores) * wall - (idle_seconds(cores) - idle))


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """Check a revision out beside this one, and build its image for Python. Raises SystemFault."""
    with worktree(revision) as checkout:
        _run(checkout, "sandbox.images.build", "python")
        yield checkout


@contextmanager
def worktree(revision: str) -> Iterator[Path]:
    """Check a revision out beside this one. Raises SystemFault."""
    with TemporaryDirectory(prefix="firebox-bench-") as parent:
        checkout = Path(parent) / "firebox"
        _ended(["git", "worktree", "add", "--quiet", "--detach", str(checkout), revision], _HERE)
        try:
            yield checkout
        finally:
            _ended(["git", "worktree", "remove", "--force", str(checkout)], _HERE)


def _run(checkout: Path, module: str, *arguments: str) -> None:
    """Run a module of a checkout's."""
    _ended([sys.executable, "-m", module, *arguments], checkout)


def _ended(command: Sequence[str], folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        said = ended.stderr.strip() or ended.stdout.strip()
        raise SystemFault(f"{' '.join(command[:4])} ended with {ended.returncode}: {said[-500:]}")
