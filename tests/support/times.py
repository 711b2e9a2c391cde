"""Prints how long a whole test run took, and its slowest tests: ``python -m tests.support.times``.

A run is several calls of pytest; the plugin ``tests.support.budget`` writes down the time of every
test of each.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Final

__all__ = ["SLOWEST", "summary"]

SLOWEST: Final = 10
"""Tests that are named."""


def summary(lines: list[str], seconds: int) -> str:
    """Return the summary of a run of so many seconds, from the JSON lines of its tests."""
    wall: Counter[str] = Counter()
    for line in lines:
        name, taken = json.loads(line)
        wall[name] += taken
    slowest = [f"{taken:7.2f} s  {name}" for name, taken in wall.most_common(SLOWEST)]
    minutes, rest = divmod(seconds, 60)
    return "\n".join(
        [f"{len(wall):,} tests in {minutes} min {rest} s. The slowest:", *slowest],
    )


if __name__ == "__main__":
    print(summary(Path(sys.argv[1]).read_text().splitlines(), int(sys.argv[2])))
