"""References for a grading scheme: means of house agents, for choosing which earns full points."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.house import catalogue
from grader.house.measured import ladder


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A house agent and its mean."""

    name: str
    mean: float
    high: float | None = None
    """Upper end of the 95% interval, where it is known."""


def measured(game: str, seats: int) -> tuple[Reference, ...]:
    """House agents by the standard rules; none for a number of seats that was not measured."""
    return tuple(
        Reference(name=name, mean=means[seats])
        for name, means in catalogue.measured(game).items()
        if seats in means
    )


@dataclass(frozen=True, slots=True)
class MeasuredMeans:
    """The table of house agents beside a grading scheme."""

    games: int
    """The minimum number of games of each mean."""
    seats: tuple[int, ...]
    rows: Mapping[str, tuple[float, ...]]
    """Means by name, in the order of ``seats``."""


def measured_means(game: str) -> MeasuredMeans | None:
    """Means of many games by the standard rules; ``None`` for a game that has no such figures."""
    figures, known = ladder(game), catalogue.measured(game)
    if figures is None:
        return None
    seats = tuple(sorted({n_seats for means in known.values() for n_seats in means}))
    rows = {name: tuple(means[n_seats] for n_seats in seats) for name, means in known.items()}
    games = min(rung.games.n for rung in figures.of("standard"))
    return MeasuredMeans(games, seats, rows)
