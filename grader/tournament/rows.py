"""The rows that the additive model is fitted to, one table's games each.

Where a table shares its score (Hanabi), a row is the table's mean score, and every member adds its
part to it. Tables of a round played the same deals: their rows share that luck.

Where everybody scores alone, what counts is the difference to the others at the table,
which the luck of a deal and the strength of the table leave alone: of each member the mean of its
own score less the game's mean score, turned into one row fewer than there are members (Helmert's
contrasts), because these differences add up to nothing. Statisticians know it as the intra-block
analysis of incomplete blocks (Yates 1936).

A member that played only some of the games (others filled in) has that share of a seat.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from grader.results.ratings.additive import Floats, Sample
from grader.tournament.games_due import LedgerGame


def shared_score_sample(games: Iterable[LedgerGame], participants: int) -> Sample | None:
    """A row for each table; ``None`` without any."""
    tables = list(_by_table(games))
    if not tables:
        return None
    sizes = sorted({len(table[0].seating) for table in tables})
    values = [np.mean([game.scores[0] for game in table]) for table in tables]
    intercepts = [[float(len(table[0].seating) == size) for size in sizes] for table in tables]
    return Sample(
        values=np.array(values, dtype=np.float64),
        shares=np.array([_seats(table, participants) for table in tables]),
        intercepts=np.array(intercepts),
        blocks=np.array([table[0].round for table in tables]),
        clusters=np.array([table[0].table for table in tables]),
    )


def own_score_sample(games: Iterable[LedgerGame], participants: int) -> Sample | None:
    """Rows of differences within tables; ``None`` if no table has two members."""
    values: list[Floats] = []
    shares: list[Floats] = []
    clusters: list[int] = []
    for table in _by_table(games):
        own, seats = _differences(table, participants)
        contrasts = _helmert(len(own))
        values.append(contrasts @ own)
        shares.append(contrasts @ seats)
        clusters += [table[0].table] * len(contrasts)
    if not clusters:
        return None
    return Sample(
        values=np.concatenate(values),
        shares=np.concatenate(shares),
        intercepts=np.zeros((len(clusters), 0)),
        blocks=np.arange(len(clusters)),
        clusters=np.array(clusters),
    )


def _by_table(games: Iterable[LedgerGame]) -> Iterator[Sequence[LedgerGame]]:
    tables: dict[int, list[LedgerGame]] = defaultdict(list)
    for game in games:
        tables[game.table].append(game)
    return iter(tables.values())


def _seats(table: Sequence[LedgerGame], participants: int) -> Floats:
    seats = np.zeros(participants)
    for game in table:
        for member in game.seating:
            seats[member] += 1 / len(table)
    return seats


def _differences(table: Sequence[LedgerGame], participants: int) -> tuple[Floats, Floats]:
    members = sorted({member for game in table for member in game.seating})
    own = np.zeros(len(members))
    seats = np.zeros((len(members), participants))
    for at, member in enumerate(members):
        own_games = [
            (game, score)
            for game in table
            for player, score in zip(game.seating, game.scores, strict=True)
            if player == member
        ]
        own[at] = np.mean([score - np.mean(game.scores) for game, score in own_games])
        present = _seats([game for game, _ in own_games], participants)
        seats[at] = -present / len(table[0].seating)
        seats[at, member] += 1
    return own, seats


def _helmert(count: int) -> Floats:
    """Orthonormal rows, each adding up to nothing."""
    rows = np.zeros((count - 1, count))
    for at in range(1, count):
        rows[at - 1, :at] = 1
        rows[at - 1, at] = -at
        rows[at - 1] /= (at * (at + 1)) ** 0.5
    return rows
