"""The strength of the house agents for Hearts, as ``tests.bench.hearts`` measured it.

The figures are those of a file, as those of ``webapp.pages.guide.paper`` are.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from grader.house.catalogue import title_of

__all__ = ["MEASURED", "strength"]

MEASURED: Final = Path(__file__).parent / "measured" / "hearts.json"
_HAND_POINTS: Final = 26


@cache
def strength() -> dict[str, Any]:
    """Return the table's rows for each number of players, weakest agent first."""
    report = json.loads(MEASURED.read_text(encoding="utf-8"))
    fewest = min(cell["games"] for grid in report["grids"] for cell in grid["cells"])
    grids = [_grid(grid) for grid in report["grids"]]
    return {**report, "grids": grids, "fewest_games": fewest}


def _grid(grid: dict[str, Any]) -> dict[str, Any]:
    players, cells = grid["players"], grid["cells"]
    names = list(dict.fromkeys(cell["agent"] for cell in cells))
    by_pair = {(cell["agent"], cell["others"]): _in_percent(cell) for cell in cells}
    return {
        "players": players,
        "even_points": _HAND_POINTS / players,
        "even_won": 100 / players,
        "names": [title_of(f"hearts/{name}") for name in names],
        "rows": [
            (title_of(f"hearts/{agent}"), [by_pair.get((agent, others)) for others in names])
            for agent in names
        ],
    }


def _in_percent(cell: dict[str, Any]) -> dict[str, Any]:
    shares = {key: 100 * cell[key] for key in ("won", "won_half_width")}
    return {**cell, **shares}
