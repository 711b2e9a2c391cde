"""Scores by pair of participants: the table of all pairs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from grader.core.games import Game
from grader.core.games.outcomes import DRAW, WIN, Tally, counts_wins
from grader.tournament.games_due import LedgerGame

Counts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossPlay:
    """By the numbers of two participants, the one that scores first."""

    games: tuple[tuple[int, ...], ...]
    """Games of each pair at one table, counted once for each pair of their seats; with itself: in
    self-play, or where an agent may sit at a table more than once."""
    means: tuple[tuple[float | None, ...], ...]
    """The first agent's mean score in these games, in points; ``None`` without games."""
    tallies: tuple[tuple[Tally, ...], ...] | UnsetType = UNSET
    """The games that the first agent won, drew and lost. Unset in games for points."""


def cross_play(
    games: Iterable[LedgerGame], participants: int, rules: Mapping[int, Game]
) -> CrossPlay:
    """The matrix over these games, self-play on its diagonal. ``rules`` are those of each size."""
    game = next(iter(rules.values()))
    parts, unit = game.unit.denominator, game.unit.numerator
    counts = np.zeros((participants, participants), dtype=np.int64)
    points = np.zeros((participants, participants), dtype=np.int64)
    wins, draws = np.zeros_like(counts), np.zeros_like(counts)
    for played in games:
        members = np.array(played.seating)
        pairs = ~np.eye(len(members), dtype=bool)
        first, second = np.nonzero(pairs)
        pair, scores = (members[first], members[second]), np.array(played.scores)[first]
        np.add.at(counts, pair, 1)
        np.add.at(points, pair, scores)
        np.add.at(wins, pair, scores == WIN)
        np.add.at(draws, pair, scores == DRAW)
    return CrossPlay(
        games=tuple(tuple(map(int, row)) for row in counts),
        means=tuple(
            tuple(
                int(total) * unit / (int(n) * parts) if n else None
                for total, n in zip(row, number, strict=True)
            )
            for row, number in zip(points, counts, strict=True)
        ),
        tallies=UNSET if not counts_wins(game) else _tallies(wins, draws, counts - wins - draws),
    )


def _tallies(*outcomes: Counts) -> tuple[tuple[Tally, ...], ...]:
    return tuple(
        tuple(Tally(*map(int, cell)) for cell in zip(*rows, strict=True))
        for rows in zip(*outcomes, strict=True)
    )
