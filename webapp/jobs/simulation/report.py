"""Tables and a plot of the simulated nights, before and with the fair queue."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from webapp.jobs.queues import Queue
from webapp.jobs.simulation.model import Fleet, Run, Simulation
from webapp.jobs.simulation.nights import HOUR, backlog, grade_all, uploads

__all__ = ["CORES", "Night", "first_games", "plot", "splitting", "tables", "uploading"]

CORES: Final = (2, 20, 200, 1000)
PROCESSES: Final = {2: 2, 20: 2, 200: 8, 1000: 35}
"""Processes of results workers by cores, as the runbook has them for twenty games a second."""
LARGE: Final = ((200, 8), (1000, 35), (1000, 8))
"""Cores, and processes of results workers, on which ten thousand teams are graded."""
UPLOADS: Final = 10_000
TEAMS: Final = 10_000
_BINS: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """The waits for the first verdict in the hour before a deadline."""

    cores: int
    fair: bool
    smoke: tuple[tuple[float, float], ...]
    """Moment of the upload, and seconds to its verdict."""
    practice: tuple[float, ...]


def uploading(count: int = UPLOADS, cores: Iterable[int] = CORES) -> Iterator[Night]:
    """Simulate the hour before a deadline."""
    for number in cores:
        for fair in (False, True):
            runs = _simulation(number, fair=fair).play(uploads(count)).runs
            yield Night(
                cores=number,
                fair=fair,
                smoke=tuple((run.asked_at, _took(run)) for run in _of(runs, Queue.SMOKE)),
                practice=tuple(_took(run) for run in _of(runs, Queue.PRACTICE)),
            )


def _simulation(cores: int, *, fair: bool) -> Simulation:
    return Simulation(Fleet.of(cores), fair=fair, processes=PROCESSES[cores])


def _of(runs: Iterable[Run], queue: Queue) -> list[Run]:
    return [run for run in runs if run.work.queue == queue]


def _took(run: Run) -> float:
    return math.inf if run.finished_at is None else run.finished_at - run.asked_at


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of the values does not exceed."""
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def first_games(cores: Iterable[int] = CORES) -> Iterator[tuple[int, float, float]]:
    """Yield cores, and a second course's wait for its first game behind a backlog: before, now."""
    for number in cores:
        nights = (_simulation(number, fair=fair).play(backlog()) for fair in (False, True))
        before, now = (
            next(run.first_at - run.asked_at for run in night.runs
                 if run.work.course == 1 and run.first_at is not None)
            for night in nights
        )  # fmt: skip
        yield number, before, now


def splitting(
    cores: Iterable[int] = CORES,
) -> Iterator[tuple[int, float, float]]:
    """Yield cores, and the share of them lost to splitting as all are graded: before, now."""
    for number in cores:
        nights = (_simulation(number, fair=fair).play(grade_all(1000)) for fair in (False, True))
        before, now = (night.lost_to_splitting for night in nights)
        yield number, before, now


def tables(nights: Sequence[Night]) -> str:
    """Return all figures as Markdown."""
    return "\n".join([*_verdicts(nights), "", *_first_games(), "", *_processor()]) + "\n"


def _verdicts(nights: Sequence[Night]) -> list[str]:
    lines = [
        "| cores | queue | verdict p50 | verdict p95 | slowest | practice p50 | practice p95 |",
        "|---|---|---|---|---|---|---|",
    ]
    for night in nights:
        took = [seconds for _, seconds in night.smoke]
        figures = [quantile(took, 0.5), quantile(took, 0.95), max(took)]
        figures += [quantile(night.practice, 0.5), quantile(night.practice, 0.95)]
        name = "fair" if night.fair else "before"
        cells = " | ".join(f"{figure:,.0f} s" for figure in figures)
        lines.append(f"| {night.cores} | {name} | {cells} |")
    return lines


def _first_games() -> list[str]:
    lines = [
        "| cores | first game, before | fair | lost to splitting, before | fair |",
        "|---|---|---|---|---|",
    ]
    for (cores, first, now), (_, lost, left) in zip(first_games(), splitting(), strict=True):
        lines.append(f"| {cores} | {first:,.0f} s | {now:.0f} s | {lost:.1%} | {left:.1%} |")
    return lines


def _processor() -> list[str]:
    """The results workers' work while ten thousand teams in a course are graded."""
    heads = (
        "cores", "results processes", "graded in", "cores busy", "processes busy",
        "longest wait of a report", "releases a second",
    )  # fmt: skip
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for cores, processes in LARGE:
        night = Simulation(Fleet.of(cores), processes=processes).play(grade_all(TEAMS))
        lines.append(_row(night, max(run.finished_at or math.inf for run in night.runs)))
    return lines


def _row(night: Simulation, seconds: float) -> str:
    cells = (
        f"{night.fleet.cores}",
        f"{night.processes}",
        f"{seconds / 60:,.0f} min",
        f"{night.busy_seconds / seconds / night.fleet.games:.0%}",
        f"{night.site.busy_seconds / seconds / night.processes:.0%}",
        f"{night.site.longest_wait:,.1f} s",
        f"{night.site.releases / seconds:.1f}",
    )
    return f"| {' | '.join(cells)} |"


# --- The plot ---------------------------------------------------------------------------------

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 760, 420, 64, 44, 34, 150
_MARKS: Final = {1: "1 s", 10: "10 s", 60: "1 min", 600: "10 min", 3600: "1 h", 36000: "10 h"}
_STYLE: Final = (
    "svg{color-scheme:light dark;font:13px sans-serif;background:light-dark(#fff,#16181d)}"
    "text{fill:light-dark(#222,#ddd)}.grid{stroke:light-dark(#ddd,#333)}"
    "polyline{fill:none;stroke-width:2.2}.before{stroke-dasharray:6 5}"
    ".c2{stroke:light-dark(#a33b00,#ff9a5c)}.c20{stroke:light-dark(#0b57a4,#7bb7ff)}"
    ".c200{stroke:light-dark(#2c6e2c,#86d486)}.c1000{stroke:light-dark(#6b2fa0,#c9a2f2)}"
)


def plot(nights: Sequence[Night]) -> str:
    """Draw the 95th percentile of the wait for a verdict over the hour, as SVG."""
    title = "Upload to first verdict in the hour before a deadline, 95th percentile"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{title}</title><style>{_STYLE}</style>",
        f'<text x="{_LEFT}" y="18">{title}; {len(nights[0].smoke):,} uploads</text>',
    ]
    for seconds, words in _MARKS.items():
        y = _y(seconds)
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>'
            f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{words}</text>'
        )
    for minutes in range(0, 61, 10):
        x = _x(minutes * 60)
        parts.append(f'<text x="{x}" y="{_HEIGHT - 24}" text-anchor="middle">{60 - minutes}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{_HEIGHT - 6}" text-anchor="middle">minutes left</text>')
    parts += [*map(_curve, nights), *_labels(nights), "</svg>"]
    return "\n".join(parts) + "\n"


def _x(moment: float) -> float:
    return round(_LEFT + (_WIDTH - _RIGHT - _LEFT) * moment / HOUR, 1)


def _y(seconds: float) -> float:
    low, high = 0.0, math.log10(36_000)
    share = (math.log10(max(seconds, 1.0)) - low) / (high - low)
    return round(_HEIGHT - _BOTTOM - share * (_HEIGHT - _BOTTOM - _TOP), 1)


def _points(night: Night) -> list[tuple[float, float]]:
    """Return the middle of each bin, and the percentile in it."""
    width = HOUR / _BINS
    bins: list[list[float]] = [[] for _ in range(_BINS)]
    for moment, seconds in night.smoke:
        bins[min(int(moment / width), _BINS - 1)].append(seconds)
    return [
        ((position + 0.5) * width, quantile(values, 0.95))
        for position, values in enumerate(bins)
        if values
    ]


def _curve(night: Night) -> str:
    name = f"c{night.cores}" + ("" if night.fair else " before")
    points = " ".join(f"{_x(moment)},{_y(seconds)}" for moment, seconds in _points(night))
    return f'<polyline class="{name}" points="{points}"/>'


def _labels(nights: Sequence[Night]) -> Iterator[str]:
    """Name each curve at its end, below one another where they meet."""
    lowest = 0.0
    for night in sorted(nights, key=lambda night: _y(_points(night)[-1][1])):
        lowest = max(lowest + 16, _y(_points(night)[-1][1]) + 4)
        words = f"{night.cores} cores, {'fair' if night.fair else 'before'}"
        yield f'<text x="{_WIDTH - _RIGHT + 8}" y="{lowest:.1f}">{words}</text>'
