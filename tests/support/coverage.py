"""Prints the branch coverage of each package: ``python -m tests.support.coverage REPORT.json``."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any, Final

_COUNTS: Final = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def package_of(path: str) -> str:
    """Return the folder that a file is counted under, two levels deep at most."""
    return "/".join(PurePath(path).parent.parts[:2])


def rows(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each package: its branches and lines taken, in percent of all of them."""
    sums: dict[str, list[int]] = {}
    for path, entry in report["files"].items():
        for name in {package_of(path), package_of(path).split("/", maxsplit=1)[0]}:
            sums.setdefault(name, [0] * len(_COUNTS))
            for at, count in enumerate(_COUNTS):
                sums[name][at] += entry["summary"][count]
    for name, (lines, covered_lines, branches, covered_branches) in sorted(sums.items()):
        share = 100 * (covered_lines + covered_branches) / max(lines + branches, 1)
        of_branches = 100 * covered_branches / max(branches, 1)
        yield f"{name:34} {share:6.2f}%   branches {of_branches:6.2f}% of {branches}"


if __name__ == "__main__":
    for row in rows(json.loads(Path(sys.argv[1]).read_text())):
        print(row)
