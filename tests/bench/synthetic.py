"""Agents whose strength is known, to measure statistics with: numbers instead of games.

A score is a constant, what each member of the table adds, how each pair suits one another, the
deal's luck and the game's, all of them normal; rounded, as scores are. The spreads resemble those
of our own Hanabi agents at tables of five (a game's standard deviation 4, of which partners make
the most). *Strikers* lose everything in half of their games, as agents do that misread hints.
Where everybody scores alone, an agent scores its own strength and luck beyond its table's mean.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from grader.results.ratings.additive import Floats
from grader.tournament import PlayedTable, WantedGame
from grader.tournament.grouping import Whole

_CENTRE: Final = 14.0
_DRAWS: Final = 4000
"""Tables that are drawn for each agent to find its expected score, where there is no formula."""


@dataclass(frozen=True, slots=True)
class World:
    """Agents, and the luck that they meet."""

    strengths: Floats
    pairs: Floats
    """(agents, agents) Symmetric: how two suit one another."""
    survival: Floats
    """Probability that an agent does not lose the game for all."""
    deals: Floats
    noise: Floats
    """(games, 5) Of each game, or of each seat."""
    chances: Floats
    """(games) Uniform: whether the game is lost."""
    shared_score: bool
    seed: int

    def play(self, game: WantedGame) -> PlayedTable:
        members = list(game.seating)
        noise = self.noise[game.index]
        if self.shared_score:
            pairs = sum(self.pairs[a, b] for a, b in combinations(members, 2))
            score = _CENTRE + self.strengths[members].sum() + pairs + self.deals[game.deal]
            lost = self.chances[game.index] > self.survival[members].prod()
            scores = (0 if lost else round(float(score + noise[0])),) * len(members)
        else:
            own = self.strengths[members] + noise[: len(members)]
            scores = tuple(round(float(_CENTRE + value)) for value in own - own.mean())
        return PlayedTable(index=game.index, seating=game.seating, scores=scores)

    def truth(self, size: int) -> Floats:
        luck = np.random.default_rng([self.seed, 1])
        return np.array([self._expected(agent, size, luck) for agent in range(len(self.strengths))])

    def _expected(self, agent: int, size: int, luck: np.random.Generator) -> float:
        others: Whole = np.delete(np.arange(len(self.strengths), dtype=np.int64), agent)
        partners = float(self.strengths[others].mean())
        own = float(self.strengths[agent])
        if not self.shared_score:
            return _CENTRE + (own - partners) * (size - 1) / size
        if (self.survival < 1).any():
            return self._drawn(agent, others, size, luck)
        suits = float(self.pairs[agent, others].mean())
        crowd = len(others)
        among = float(self.pairs[np.ix_(others, others)].sum()) / (crowd * (crowd - 1))
        between = (size - 1) * (size - 2) / 2 * among
        return _CENTRE + own + (size - 1) * (partners + suits) + between

    def _drawn(self, agent: int, others: Whole, size: int, luck: np.random.Generator) -> float:
        """By drawing tables: scores are no longer sums."""
        drawn = luck.random((_DRAWS, len(others))).argpartition(size - 1, axis=1)[:, : size - 1]
        tables = np.column_stack([np.full(_DRAWS, agent), others[drawn]])
        scores = _CENTRE + self.strengths[tables].sum(axis=1)
        for a, b in combinations(range(size), 2):
            scores = scores + self.pairs[tables[:, a], tables[:, b]]
        return float((scores * self.survival[tables].prod(axis=1)).mean())


def make_world(
    agents: int,
    *,
    seed: int,
    games: int,
    deals: int,
    strength: float = 1.8,
    pair: float = 0.5,
    deal: float = 0.55,
    noise: float = 1.7,
    strikers: int = 0,
    shared_score: bool = True,
) -> World:
    """Draw a world for some games; strength, pair, deal and noise are standard deviations."""
    luck = np.random.default_rng(seed)
    pairs = np.triu(luck.normal(0, pair, (agents, agents)), 1)
    survival = np.ones(agents)
    survival[luck.permutation(agents)[:strikers]] = 0.5
    return World(
        strengths=luck.normal(0, strength, agents),
        pairs=pairs + pairs.T,
        survival=survival,
        deals=luck.normal(0, deal, deals),
        noise=luck.normal(0, noise, (games, 5)),
        chances=luck.random(games),
        shared_score=shared_score,
        seed=seed,
    )
