"""A ladder: agents meet, table by table, until their ratings are known. Pure."""

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
