"""A leaderboard for a spreadsheet: the same rows as the page, the same redaction."""

from collections.abc import Iterable
from dataclasses import astuple

from webapp.base.spreadsheets import Cell, to_csv
from webapp.contests.leaderboards.entries import rank_key
from webapp.contests.leaderboards.values import BoardStanding, HouseLine, Leaderboard


def board_csv(board: Leaderboard) -> str:
    """Ranked teams and house agents, best first; house agents have no rank."""
    header = ["Rank", "Alias", *(["Names"] if board.shows_names else [])]
    header += ["Won", "Won ±"] if board.opponents else []
    header += ["Mean", "Standard error", "Low", "High", "Games"]
    header += ["Wins", "Draws", "Losses"] if board.counts_wins else []
    header += ["Faults"] if board.game.lost_score is None else ["Lost", "Faults"]
    header += ["Verdict", "Interface", "Mode", "Finished at"]
    return to_csv(header, (_cells(row, board) for row in _in_order(board)))


def _in_order(board: Leaderboard) -> Iterable[BoardStanding | HouseLine]:
    ranked = [row for row in board.rows if row.mean is not None]
    lines: list[BoardStanding | HouseLine] = [*board.house, *ranked]
    return sorted(lines, key=lambda line: rank_key(board.game, line.mean or 0.0))


def _cells(row: BoardStanding | HouseLine, board: Leaderboard) -> tuple[Cell, ...]:
    names = (", ".join(row.names),) if board.shows_names else ()
    won = (row.won, row.won_half_width) if board.opponents else ()
    lost = () if board.game.lost_score is None else (row.lost,)
    tally = (None,) * 3 if row.tally is None else astuple(row.tally)
    results = (*(tally if board.counts_wins else ()), *lost, row.faults)
    figures = (row.mean, row.standard_error, row.low, row.high, row.n_games, *results)
    how = (row.verdict, row.interface, row.mode.value)
    return (row.rank, row.alias, *names, *won, *figures, *how, row.finished_at)
