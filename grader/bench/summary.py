"""The figures that say how fast Firebox is, with their goals: ``make bench`` in five minutes.

Each group of figures is measured in a process of its own, by turns with that of an earlier version
if there is one to compare with. Rounds follow each other as long as there is time for one more.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rich.table import Table

from grader.bench.figures import GROUPS
from grader.bench.words import spread
from grader.core.errors import SystemFault

__all__ = ["FIGURES", "GROUPS", "SECONDS", "Figure", "Summary", "measure_rounds", "table"]

SECONDS: Final = 240.0
"""Time after which no round begins: the last one ends within five minutes."""
_HERE: Final = Path(__file__).parents[2]
_SCRIPT: Final = Path(__file__).with_name("figures.py")
_ONCE: Final = frozenset({"rules"})
"""Groups that are measured in the first round only: the rules are compiled for it."""


class Figure(NamedTuple):
    """A row of the table."""

    key: str
    name: str
    form: str
    goal: str = ""


FIGURES: Final = (
    Figure("table_opened", "table of 5 seats × 20 games, sandboxes opened for it, s", ".2f"),
    Figure("table_kept", "the same, sandboxes kept open, s", ".2f", "≤ 0.8, 0.6"),
    Figure("opened", "two sandboxes opened and the agent built, s", ".2f"),
    Figure("first_turn", "two sandboxes opened, agent known, to its first turn, s", ".2f",
           "≤ 0.30, 0.15"),
    Figure("first_turn_spare", "the same, in spare sandboxes, s", ".2f", "≤ 0.30, 0.15"),
    Figure("rate_2", "games a second, 2 seats, all cores", ".0f"),
    Figure("rate_5", "games a second, 5 seats, all cores", ".0f"),
    Figure("processor_2", "sandboxed / forked, processor time, 2 seats", ".3f", "≤ 1.05, 1.03"),
    Figure("processor_5", "sandboxed / forked, processor time, 5 seats", ".3f", "≤ 1.08, 1.05"),
    Figure("neighbours", "sandboxed / forked, games a second, a busy process on each core", ".2f",
           "≥ 0.85, 0.95"),
    Figure("runner_2", "runner, ms of processor time a game, 2 seats", ".2f"),
    Figure("all_2", "everything, ms of processor time a game, 2 seats", ".2f"),
    Figure("runner_5", "runner, ms of processor time a game, 5 seats", ".2f"),
    Figure("all_5", "everything, ms of processor time a game, 5 seats", ".2f"),
    Figure("evaluate", "firebox evaluate / the bench, processor time", ".2f", "≤ 1.2, 1.1"),
    Figure("games_hanabi", "random games of Hanabi a second / OpenSpiel's", ".2f", "≥ 0.7, 1.0"),
    Figure("actions_hearts", "random actions in Hearts a second / OpenSpiel's", ".2f",
           "≥ 0.7, 1.0"),
)  # fmt: skip
"""``goal`` has the figure to reach and the figure to beat it with."""

Rounds = list[dict[str, float]]


class Summary(NamedTuple):
    """The figures of each round, of this version and of the one that it is compared with."""

    ours: Rounds
    theirs: Rounds
    revision: str


def measure_rounds(
    games: int,
    rounds: int,
    seconds: float,
    other: tuple[str, Path] | None,
    advance: Callable[[], None],
) -> Summary:
    """Measure as many rounds as are asked for and fit; at least one. Raises SystemFault.

    ``other`` is a revision, and the directory where it is checked out.
    """
    summary = Summary([], [], other[0] if other else "")
    began, longest = time.monotonic(), 0.0
    while len(summary.ours) < rounds:
        started = time.monotonic()
        if summary.ours and started + longest > began + seconds:
            break
        wanted = [group for group in GROUPS if not summary.ours or group not in _ONCE]
        _measure_round(wanted, games, summary, other[1] if other else None, advance)
        longest = max(longest, time.monotonic() - started)
    return summary


def _measure_round(
    groups: Iterable[str],
    games: int,
    summary: Summary,
    other: Path | None,
    advance: Callable[[], None],
) -> None:
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}
    for group in groups:
        ours |= _measured(_HERE, group, games)
        if other is not None:
            theirs |= _measured(other, group, games)
        advance()
    summary.ours.append(ours)
    if other is not None:
        summary.theirs.append(theirs)


def _measured(checkout: Path, group: str, games: int) -> dict[str, float]:
    ended = subprocess.run(
        [sys.executable, "-P", str(_SCRIPT), group, str(games)],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise SystemFault(f"{group} ended with status {ended.returncode}: {ended.stderr[-500:]}")
    figures: dict[str, float] = json.loads(ended.stdout)
    return figures


def table(summary: Summary) -> Table:
    """Return medians with the lowest and highest; beside an earlier version's, ratios by round."""
    title = f"Medians of {len(summary.ours)} rounds (lowest–highest)"
    drawn = Table(title=title, title_justify="left")
    drawn.add_column("figure")
    for heading in ("now", "to reach, to beat", *_other_headings(summary)):
        drawn.add_column(heading, justify="right")
    for figure in FIGURES:
        ours, theirs = _values(summary.ours, figure.key), _values(summary.theirs, figure.key)
        if ours:
            drawn.add_row(
                figure.name,
                spread(ours, figure.form),
                figure.goal,
                *(_compared(ours, theirs, figure.form) if summary.theirs else ()),
            )
    return drawn


def _other_headings(summary: Summary) -> tuple[str, ...]:
    return (summary.revision, f"now / {summary.revision}") if summary.theirs else ()


def _compared(ours: Sequence[float], theirs: Sequence[float], form: str) -> tuple[str, str]:
    if not theirs:
        return "–", "–"
    ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
    return spread(theirs, form), spread(ratios, ".2f")


def _values(rounds: Sequence[Mapping[str, float]], key: str) -> list[float]:
    return [figures[key] for figures in rounds if key in figures]
