"""A ladder: agents that keep meeting one another, table by table, until their ratings are known.

Pure. ``tables`` chooses the next table from the games so far, ``members`` the versions of a team's
agent that take part; ``rating`` computes ratings as tournaments do.
"""

from grader.ladder.members import Version, faults_too_often, staying
from grader.ladder.rating import RatedGame, ladder_standings
from grader.ladder.tables import (
    Contender,
    Goal,
    LadderTable,
    games_at_table,
    next_table,
    settled,
    table_batch,
)

__all__ = [
    "Contender",
    "Goal",
    "LadderTable",
    "RatedGame",
    "Version",
    "faults_too_often",
    "games_at_table",
    "ladder_standings",
    "next_table",
    "settled",
    "staying",
    "table_batch",
]
