"""The plan of a chaos run, its table, and alert rules read as thresholds. Pure."""

import operator
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

_EVERY: Final = ("queued", "building", "playing", "reporting", "recording")
_OF_A_TURN: Final = ("queued", "building", "reporting", "recording")
"""The phases of one turn, during which no game is recorded."""

PROGRAMS: Final = {
    "results": "FireboxResultsSilent",
    "games": "FireboxGraderSilent",
    "smoke": "FireboxGraderSilent",
    "live": "FireboxGraderSilent",
    "background": "FireboxBackgroundSilent",
    "web": "FireboxDown",
}
"""The programs of a deployment, each with the alert of its silence."""
_OF_REDIS: Final = ("kill Redis", "stop Redis", "lose Redis' data")
_OF_DOCKER: Final = ("kill dockerd", "stop dockerd")
_OF_THE_HOST: Final = ("lock the database", "fill the database", "step the clock")
PHASES: Final[Mapping[str, tuple[str, ...]]] = {
    **{
        f"{how} {name}": _OF_A_TURN if name == "live" else _EVERY
        for how in ("kill", "stop")
        for name in PROGRAMS
    },
    **dict.fromkeys(("kill supervisor", "stop supervisor"), _EVERY[1:]),
    **dict.fromkeys((*_OF_REDIS, *_OF_DOCKER), _EVERY),
    **dict.fromkeys(_OF_THE_HOST, ("queued", "playing", "reporting")),
    "three grader deaths": ("playing",),
    "double and shuffle reports": ("reporting",),
    "double requests": ("queued",),
    "lie": ("queued", "playing", "reporting", "recording"),
}
"""The phases in which each fault happens: of a smoke test if it hits the smoke lane, of a turn in a
person's game if it hits the live lane, and else of a graded evaluation.

While work is queued there is no supervisor, which is a sandbox's first process."""

ALERTS: Final[Mapping[str, str]] = {
    **{f"{how} {name}": alert for how in ("kill", "stop") for name, alert in PROGRAMS.items()},
    **dict.fromkeys(_OF_REDIS, "FireboxBrokerAway"),
    **dict.fromkeys(_OF_DOCKER, "FireboxGraderUnfit"),
    **dict.fromkeys(_OF_THE_HOST, "FireboxResultsSilent"),
    "lie": "FireboxMessagesRejected",
}
NO_ALERT: Final[Mapping[str, str]] = {
    "kill supervisor": "its game is played again at once, in a new sandbox",
    "stop supervisor": "its game is played again once its time is over, in a new sandbox",
    "three grader deaths": "the worker is back before it counts as silent",
    "double and shuffle reports": "each game counts once, whatever the order",
    "double requests": "each game counts once, and the second machine is told so",
}
"""Why the other faults have no alert: each is mended before anybody has to act."""

_COLUMNS: Final = "{:<28} {:<10} {:>5} {:>10} {:>9} {:>9}  {}"
_GROWTH: Final = r"(delta|increase)\((\w+)\[\w+\]\) > (\d+)"
_SAMPLE: Final = re.compile(r'(\w+)(?:\{\w+=~?"([^"]+)"\})?')
_COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}


@dataclass(frozen=True, slots=True)
class Run:
    fault: str
    phase: str
    seconds: float
    share: float
    """The part of the games that is recorded before a fault while they are played."""


@dataclass(frozen=True, slots=True)
class Outcome:
    run: Run
    problem: str
    """Empty if everything was there in the end, and as it would have been."""
    recovery_seconds: float
    """From the end of the fault to the end of the evaluation."""
    alert: str = ""
    """The alert that was seen and after how long, or why none was."""


def plan(runs: int, seed: int, only: str = "") -> list[Run]:
    """Return ``runs`` runs; each fault comes in each of its phases before any comes twice.

    Only those whose "fault, phase" matches the regular expression ``only``. No fault comes first in
    the phase "recording": the database is locked then, so that the run cannot wait for its alert.
    """
    rng = random.Random(seed)  # noqa: S311 - the same plan for the same seed
    chosen: list[Run] = []
    every = [(fault, phase) for fault, phases in PHASES.items() for phase in phases]
    wanted = [pair for pair in every if re.search(only, ", ".join(pair))]
    if not wanted:
        raise ValueError(f"no fault and phase match {only!r}")
    while len(chosen) < runs:
        pairs = wanted.copy()
        rng.shuffle(pairs)
        firsts = {pair[0]: pair for pair in reversed(pairs) if pair[1] != "recording"}.values()
        pairs.sort(key=lambda pair: pair not in firsts)
        chosen += [
            Run(fault, phase, round(rng.uniform(1, 9), 1), round(rng.uniform(0.02, 0.6), 2))
            for fault, phase in pairs
        ]
    return chosen[:runs]


def table(outcomes: Sequence[Outcome]) -> str:
    """Return a line for each fault and phase, and one for each run that did not recover."""
    lines = [_COLUMNS.format("fault", "phase", "runs", "recovered", "median s", "worst s", "alert")]
    pairs = sorted({(outcome.run.fault, outcome.run.phase) for outcome in outcomes})
    for pair in pairs:
        of_pair = [each for each in outcomes if (each.run.fault, each.run.phase) == pair]
        good = [each.recovery_seconds for each in of_pair if not each.problem]
        times = (f"{median(good):.1f}", f"{max(good):.1f}") if good else ("–", "–")
        alerts = ", ".join(sorted({each.alert for each in of_pair if each.alert}))
        alerts = alerts or NO_ALERT.get(pair[0], "–")
        lines.append(_COLUMNS.format(*pair, len(of_pair), len(good), *times, alerts))
    bad = [each for each in outcomes if each.problem]
    return "\n".join([*lines, *(f"{each.run}: {each.problem}" for each in bad)])


def is_firing(
    expression: str, before: Mapping[str, float], now: Mapping[str, float], labels: str = ""
) -> bool:
    """Return whether a rule holds, by the figures at the fault's start and those of now.

    Understands ``absent(x)``, ``delta(x[…]) > n``, ``increase(x[…]) > n``, for which a figure that
    fell began again at 0, and comparisons joined by ``and`` and ``or``; of figures with several
    values those count that have a label that begins with ``labels``.
    """
    if found := re.fullmatch(r"absent\((.+)\)", expression):
        return not _selected(found[1], now, labels)
    return any(
        _has_grown(either, before, now) or _holding(either, now, labels)
        for either in expression.split(" or ")
    )


def _has_grown(condition: str, before: Mapping[str, float], now: Mapping[str, float]) -> bool:
    found = re.fullmatch(_GROWTH, condition)
    if found is None:
        return False
    then, new = before.get(found[2], 0), now.get(found[2], 0)
    began_again = found[1] == "increase" and new < then
    return new - (0 if began_again else then) > float(found[3])


def _holding(conditions: str, figures: Mapping[str, float], labels: str) -> set[str]:
    names = set() if re.fullmatch(_GROWTH, conditions) else set(figures)
    for condition in conditions.split(" and ") if names else ():
        found = re.fullmatch(r"(.+) (>=|>|<|==) ([\d.]+)", condition)
        if found is None:
            raise ValueError(f"no rule that can be read here: {condition}")
        holds, limit = _COMPARISONS[found[2]], float(found[3])
        selected = _selected(found[1], figures, labels)
        names &= {name for name, value in selected.items() if holds(value, limit)}
    return names


def _selected(selector: str, figures: Mapping[str, float], labels: str) -> dict[str, float]:
    """Return the figures of a name that have the selector's label, or one that begins so."""
    found = _SAMPLE.fullmatch(selector)
    if found is None:
        raise ValueError(f"no figure that can be read here: {selector}")
    wanted = re.compile(found[2] or f"{re.escape(labels)}.*")
    return {
        name: value
        for name, value in figures.items()
        if name.split()[0] == found[1]
        and (name == found[1] or any(wanted.fullmatch(label) for label in name.split()[1:]))
    }
