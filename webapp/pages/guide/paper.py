"""Lin and Xu's strategies as ``firebox paper --output`` measured them, for the guide.

The figures are those of a file, not of a page's request: the command gives the same again, for it
names the deals and the rules that they follow from.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

__all__ = ["MEASURED", "paper"]

MEASURED: Final = Path(__file__).parent / "measured" / "paper.json"


@cache
def paper() -> dict[str, Any]:
    """Return the table's rows for each number of players, the paper's first."""
    report = json.loads(MEASURED.read_text(encoding="utf-8"))
    counts = dict.fromkeys(row["players"] for row in report["rows"])
    tables = [[row for row in report["rows"] if row["players"] == count] for count in counts]
    for number, row in enumerate(report["rows"]):
        row["name"] = f"paper-{number}"
        row["half_width"] = row["games"]["high"] - row["games"]["mean"]
    return {**report, "tables": tables}
