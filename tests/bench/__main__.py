"""``python -m tests.bench NAME``: take the figures of a benchmark; ``draw`` draws those kept."""

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

from tests.bench.harness import FOLDER, compare, draw, measure, measure_on_request

BENCHMARKS: Final = {
    "games": "the figures with goals: games, starts, tables",
    "rules": "random games without agents, beside OpenSpiel",
    "interfaces": "a light agent of each interface, alone and in the sandbox",
    "clock": "which turns are timeouts on a busy machine",
    "graded": "games by firebox evaluate, graded, and in a tournament",
    "tournaments": "balance of plans, and accuracy of standings",
    "queue": "the hour before a deadline, simulated",
    "pages": "queries, processor time and size of pages for 1,000 teams",
    "watchers": "students who watch their games on a site with one core",
    "recording": "reports that a results worker records",
}


def main() -> None:
    name, *words = sys.argv[1:] or [""]
    if name == "draw":
        (FOLDER / "RESULTS.md").write_text(draw(), encoding="utf-8")
        return
    if name not in BENCHMARKS:
        known = "\n".join(f"  {one:<12} {says}" for one, says in BENCHMARKS.items())
        sys.exit(f"python -m tests.bench NAME, where NAME is one of:\n{known}")
    module = import_module(f"tests.bench.{name}")
    parser = argparse.ArgumentParser(
        prog=f"python -m tests.bench {name}", description=module.__doc__
    )
    parser.add_argument("--rounds", type=int, default=3, help="of each figure (3)")
    parser.add_argument("--against", metavar="REV", help="measure this revision too, by turns")
    parser.add_argument("--output", type=Path, metavar="FILE", help="keep the figures as JSON")
    parser.add_argument("--turns", action="store_true", help=argparse.SUPPRESS)
    getattr(module, "add_options", lambda _: None)(parser)
    asked = parser.parse_args(words)
    if asked.turns:
        measure_on_request(module.measurements(asked))
        return
    if asked.against:
        kept = compare([name, *_without_against(words)], asked.against)
    else:
        kept = measure(module.measurements(asked))
    if asked.output is not None:
        kept = {"title": BENCHMARKS[name], "command": f"python -m tests.bench {name}", **kept}
        asked.output.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _without_against(words: list[str]) -> list[str]:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--against")
    parser.add_argument("--output")
    return parser.parse_known_args(words)[1]


if __name__ == "__main__":
    main()
