"""Adjusted means: the mean that each agent would have with all others as partners equally often.

The additive model says what each agent adds. With a shared score, n seats, and agents that add u,
an agent's adjusted mean is b + u + (n - 1) · (mean of the other active players' u). With own scores
u is what an agent scores beyond the others at its table; against all N - 1 others equally often
its score exceeds the mean of all games by u · (1 - (N - n) / (n (N - 1))), with sum u = 0.

Both are on the scale of scores, and what a plan that is balanced to perfection would give as plain
mean but for the deals and for how certain agents suit one another.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from grader.results.ratings.additive import AdditiveFit, Estimates, Floats, fit_additive
from grader.tournament.games_due import LedgerGame
from grader.tournament.rows import own_score_sample, shared_score_sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """The sources of differences between tables: standard deviations, in points."""

    agents: float
    """The standard deviation between agents' contributions."""
    deals: float
    """The luck of a round's deals. Own scores leave it out: all of a table share it."""
    rest: float
    """The part of a table's members, who suit one another or not, and of chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """Adjusted means with standard errors, by participant."""

    means: Mapping[int, tuple[float, float]]
    luck: Luck


def adjust(
    games: Sequence[LedgerGame], *, participants: int, active: Collection[int], shared_score: bool
) -> Adjustment | None:
    """For everybody that played in these games; ``None`` if there are too few.

    ``active`` are the players whose company a mean is adjusted to.
    """
    make = shared_score_sample if shared_score else own_score_sample
    sample = make(games, participants)
    if sample is None or len(sample.values) <= sample.intercepts.shape[1] + 1:
        return None
    fit = fit_additive(sample)
    size = fmean(len(game.seating) for game in games)
    shown = sorted({member for game in games for member in game.seating})
    others = sorted(active)
    if shared_score:
        estimates = fit.estimate(
            _shared_targets(sample.intercepts, shown, others, size, participants)
        )
    else:
        estimates = _own_estimates(fit, games, shown, others, size, participants)
    pairs = zip(estimates.values, estimates.errors, strict=True)
    return Adjustment(
        means={
            number: (float(value), float(error))
            for number, (value, error) in zip(shown, pairs, strict=True)
        },
        luck=Luck(agents=fit.agent_sd, deals=fit.block_sd, rest=fit.error_sd),
    )


def _shared_targets(
    intercepts: Floats, shown: Sequence[int], others: Sequence[int], size: float, participants: int
) -> Floats:
    """Each agent once, the others n - 1 times between them, sizes as often as they were played."""
    targets = np.zeros((len(shown), participants))
    for row, number in enumerate(shown):
        partners = [other for other in others if other != number] or [number]
        targets[row, partners] = (size - 1) / len(partners)
        targets[row, number] += 1
    return np.column_stack([np.tile(intercepts.mean(axis=0), (len(shown), 1)), targets])


def _own_estimates(
    fit: AdditiveFit,
    games: Sequence[LedgerGame],
    shown: Sequence[int],
    others: Sequence[int],
    size: float,
    participants: int,
) -> Estimates:
    targets = np.zeros((len(shown), participants))
    targets[:, others] = -1 / max(len(others), 1)
    targets[np.arange(len(shown)), shown] += 1
    crowd = max(len(others), 2)
    scale = 1 - max(crowd - size, 0) / (size * (crowd - 1))
    estimates = fit.estimate(scale * targets)
    mean = fmean(score for game in games for score in game.scores)
    return Estimates(values=estimates.values + mean, errors=estimates.errors)
