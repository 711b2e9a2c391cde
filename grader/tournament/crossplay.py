"""Scores by pair of participants: the table of all pairs."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from grader.tournament.ledger import LedgerGame


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossPlay:
    """By the numbers of two participants, the one that scores first."""

    games: tuple[tuple[int, ...], ...]
    """Games of each pair at one table, counted once for each pair of their seats; with itself: in
    self-play, or where an agent may sit at a table more than once."""
    means: tuple[tuple[float | None, ...], ...]
    """The first agent's mean score in these games; ``None`` without games."""


def cross_play(games: Iterable[LedgerGame], participants: int) -> CrossPlay:
    """The matrix over these games, self-play on its diagonal."""
    counts = np.zeros((participants, participants), dtype=np.int64)
    points = np.zeros((participants, participants), dtype=np.int64)
    for game in games:
        members = np.array(game.seating)
        pairs = ~np.eye(len(members), dtype=bool)
        first, second = np.nonzero(pairs)
        np.add.at(counts, (members[first], members[second]), 1)
        np.add.at(points, (members[first], members[second]), np.array(game.scores)[first])
    return CrossPlay(
        games=tuple(tuple(map(int, row)) for row in counts),
        means=tuple(
            tuple(int(total) / int(n) if n else None for total, n in zip(row, number, strict=True))
            for row, number in zip(points, counts, strict=True)
        ),
    )
