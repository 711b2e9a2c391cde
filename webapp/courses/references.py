"""What a mean is worth: how house agents do, for whoever decides which mean earns full points."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from grader.house.catalogue import AGENTS
from webapp.courses.models import Assignment
from webapp.evaluations.models import Evaluation, Kind

__all__ = ["MEASURED", "SEATS", "Reference", "measured", "references_of"]

SEATS: Final = (2, 3, 4, 5)
MEASURED: Final[Mapping[str, tuple[float, ...]]] = {
    "random_legal": (0.00, 0.00, 0.00, 0.00),
    "outer": (16.26, 15.68, 14.77, 14.10),
    "iggi": (17.74, 17.08, 16.34, 15.26),
    "piers": (18.14, 18.06, 17.39, 16.50),
    "convention": (23.32, 23.27, 22.70, 21.07),
    "information": (22.53, 24.80, 24.93, 24.92),
}
"""Means of 1000 games by the standard rules, by SEATS: those of the house agents' README."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A house agent and its mean."""

    name: str
    mean: float
    high: float | None = None
    """Upper end of the 95 % interval, where it is known."""


def references_of(assignment: Assignment) -> tuple[Reference, ...]:
    """House agents as they did on the assignment's graded deals, weakest first. One query."""
    played = Evaluation.objects.current().filter(assignment=assignment, kind=Kind.GRADED)
    return tuple(
        Reference(name=run.house_agent, mean=run.mean, high=run.high)
        for run in sorted(
            played.filter(submission=None, house_agent__in=AGENTS, mean__isnull=False),
            key=lambda run: list(AGENTS).index(run.house_agent),
        )
        if run.mean is not None
    )


def measured(seats: int) -> tuple[Reference, ...]:
    """House agents by the standard rules; none for a number of seats that was not measured."""
    if seats not in SEATS:
        return ()
    at = SEATS.index(seats)
    return tuple(Reference(name=name, mean=means[at]) for name, means in MEASURED.items())
