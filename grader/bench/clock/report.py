"""The experiment's outcome: a table, the errors of each rule, and a plot."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import log10
from statistics import median
from typing import Final

from rich.table import Table

from grader.bench.clock.experiment import LIMIT_SECONDS, NEEDS, Need, Trial

TIMEOUT_RULES: Final[dict[str, Callable[[Trial], bool]]] = {
    "Firebox": lambda trial: trial.timed_out,
    "wall time": lambda trial: trial.wall_rule,
    "processor time": lambda trial: trial.processor_rule,
}
"""The three rules that are compared, by name."""

_MEASURES: Final[dict[str, Callable[[Trial], float]]] = {
    "charged by Firebox": lambda trial: trial.charged,
    "wall time": lambda trial: trial.wall,
    "processor time": lambda trial: trial.ran,
}
_PANEL_WIDTH: Final = 230
_PLOT_TOP, _PLOT_BOTTOM, _PLOT_LEFT = 64, 330, 56
_HEIGHT: Final = 420
_LOWEST, _HIGHEST = 0.3, 30.0
_TICKS: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
_STYLE: Final = (
    "text{font:12px system-ui,sans-serif;fill:#222}.soft{fill:#666}.axis{stroke:#999}"
    ".limit{stroke:#222;stroke-dasharray:5 4}.m0{fill:#0b6bcb}.m1{fill:#b3541e}.m2{fill:#5a7d2a}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}.soft{fill:#aaa}.axis{stroke:#777}"
    ".limit{stroke:#eee}.m0{fill:#6db3ff}.m1{fill:#f0955a}.m2{fill:#a5cf6a}"
    "svg{background:#16181c}}"
)


def table(trials: Sequence[Trial]) -> Table:
    """A row per load and need: what was measured, and how many timeouts each rule gives."""
    rows = Table(title="Turns by what they need and what else the host does", title_justify="left")
    rows.add_column("load")
    for name in (
        "a turn needs",
        "turns",
        *_MEASURES,
        *(f"{rule}: timeouts" for rule in TIMEOUT_RULES),
    ):
        rows.add_column(name, justify="right")
    for load, need, group in _groups(trials):
        rows.add_row(
            load,
            need.label,
            str(len(group)),
            *(_spread([measure(trial) for trial in group]) for measure in _MEASURES.values()),
            *(str(sum(map(rule, group))) for rule in TIMEOUT_RULES.values()),
        )
    return rows


def errors(trials: Sequence[Trial]) -> Table:
    """Count each rule's wrong verdicts: a timeout up to 0.95 s, none from 1.1 s."""
    rows = Table(title="Wrong verdicts", title_justify="left")
    rows.add_column("rule")
    for name in ("false timeouts, up to 0.95 s", "missed timeouts, from 1.1 s"):
        rows.add_column(name, justify="right")
    quick = [trial for trial in trials if trial.need.seconds <= 0.95 * LIMIT_SECONDS]
    slow = [trial for trial in trials if trial.need.seconds >= 1.1 * LIMIT_SECONDS]
    for name, rule in TIMEOUT_RULES.items():
        false = sum(map(rule, quick))
        missed = len(slow) - sum(map(rule, slow))
        rows.add_row(name, f"{false} of {len(quick)}", f"{missed} of {len(slow)}")
    return rows


def plot(trials: Sequence[Trial]) -> str:
    """The measured times as SVG: a panel per load, a column per need, a mark per turn and rule."""
    loads = list(dict.fromkeys(trial.load for trial in trials))
    width = _PLOT_LEFT + _PANEL_WIDTH * len(loads) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" role="img">',
        f"<title>{escape(_sentence(trials))}</title><style>{_STYLE}</style>",
        *_legend(),
        *_scale(width),
    ]
    for k, load in enumerate(loads):
        shown = [trial for trial in trials if trial.load == load]
        parts += _panel(_PLOT_LEFT + k * _PANEL_WIDTH, load, shown)
    return "\n".join([*parts, "</svg>\n"])


def _groups(trials: Sequence[Trial]) -> Iterator[tuple[str, Need, list[Trial]]]:
    for load in dict.fromkeys(trial.load for trial in trials):
        for need in NEEDS:
            group = [trial for trial in trials if trial.load == load and trial.need == need]
            if group:
                yield load, need, group


def _spread(values: Sequence[float]) -> str:
    return f"{median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def _sentence(trials: Sequence[Trial]) -> str:
    wrong = {
        name: sum(rule(trial) != trial.need.too_slow for trial in trials)
        for name, rule in TIMEOUT_RULES.items()
    }
    counts = ", ".join(f"{name} {count}" for name, count in wrong.items())
    return f"Measured time of {len(trials)} turns under load. Wrong verdicts by rule: {counts}."


def _legend() -> Iterator[str]:
    yield f'<text x="{_PLOT_LEFT}" y="20">seconds measured for a turn, each mark one turn:</text>'
    for k, name in enumerate(_MEASURES):
        x = _PLOT_LEFT + 330 + 190 * k
        yield _mark(k, x, 16) + f'<text x="{x + 10}" y="20">{escape(name)}</text>'


def _scale(width: int) -> Iterator[str]:
    for value in _TICKS:
        y = _y(value)
        kind = "limit" if value == LIMIT_SECONDS else "axis"
        opacity = "1" if kind == "limit" else "0.35"
        yield (
            f'<line class="{kind}" x1="{_PLOT_LEFT}" x2="{width - 10}" y1="{y}" y2="{y}"'
            f' opacity="{opacity}"/>'
        )
        yield f'<text x="{_PLOT_LEFT - 8}" y="{y + 4}" text-anchor="end">{value:g}</text>'
    words = "seconds that the turn needs"
    yield f'<text class="soft" x="{_PLOT_LEFT}" y="{_HEIGHT - 8}">{words}</text>'


def _panel(left: int, load: str, trials: Sequence[Trial]) -> Iterator[str]:
    column = (_PANEL_WIDTH - 16) / len(NEEDS)
    yield f'<path class="axis" opacity="0.35" d="M{left} {_PLOT_TOP - 24}V{_PLOT_BOTTOM}"/>'
    yield f'<text x="{left + 4}" y="{_PLOT_TOP - 14}" font-weight="600">{escape(load)}</text>'
    for k, need in enumerate(NEEDS):
        x = left + 8 + column * (k + 0.5)
        words = need.label.removesuffix(" asleep").removesuffix(" s")
        yield f'<text x="{x:.1f}" y="{_PLOT_BOTTOM + 22}" text-anchor="middle">{words}</text>'
        if need.how == "sleep":
            y = _PLOT_BOTTOM + 38
            yield f'<text class="soft" x="{x:.1f}" y="{y}" text-anchor="middle">asleep</text>'
        for trial in trials:
            if trial.need == need:
                for j, measure in enumerate(_MEASURES.values()):
                    yield _mark(j, x + 6 * (j - 1), _y(measure(trial)))


def _mark(kind: int, x: float, y: float) -> str:
    """A circle, a square or a triangle: the measures differ by shape too."""
    if kind == 0:
        return f'<circle class="m0" cx="{x:.1f}" cy="{y:.1f}" r="2.6"/>'
    if kind == 1:
        return f'<rect class="m1" x="{x - 2.3:.1f}" y="{y - 2.3:.1f}" width="4.6" height="4.6"/>'
    return f'<path class="m2" d="M{x:.1f} {y - 3:.1f}l3 5.4h-6z"/>'


def _y(seconds: float) -> float:
    """Logarithmic, so that a tenth of a second and ten seconds are both seen."""
    clipped = min(max(seconds, _LOWEST), _HIGHEST)
    share = log10(clipped / _LOWEST) / log10(_HIGHEST / _LOWEST)
    return round(_PLOT_BOTTOM - share * (_PLOT_BOTTOM - _PLOT_TOP), 1)
