"""``python -m grader.bench.clock``: run the experiment, print its tables, draw its plot."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from grader.bench.clock import report
from grader.bench.clock.experiment import run
from grader.bench.clock.loads import LOADS
from grader.worker.cores import cores_from_environment


def main() -> None:
    """Takes about 35 s a repeat on two cores."""
    parser = argparse.ArgumentParser(prog="python -m grader.bench.clock", description=__doc__)
    parser.add_argument("--repeats", type=int, default=8, help="turns of each kind (8)")
    parser.add_argument("--load", action="append", help="only this load; may be repeated")
    parser.add_argument("--plot", type=Path, help="write the plot there, as SVG")
    parser.add_argument("--json", type=Path, help="write every turn there")
    arguments = parser.parse_args()
    loads = [load for load in LOADS if not arguments.load or load.name in arguments.load]
    if not loads:
        parser.error(f"there are the loads {', '.join(load.name for load in LOADS)}")
    console = Console(width=170)
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("thinking", total=len(loads))
        trials = run(
            loads, arguments.repeats, cores_from_environment(), lambda: progress.advance(task)
        )
    console.print(report.table(trials))
    console.print(report.errors(trials))
    if arguments.plot:
        arguments.plot.write_text(report.plot(trials), encoding="utf-8")
    if arguments.json:
        turns = [asdict(trial) for trial in trials]
        arguments.json.write_text(json.dumps(turns, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
