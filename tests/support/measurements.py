"""Measures two versions of the site by turns: this checkout, and an earlier revision beside it.

A benchmark is run in both checkouts, each with a database of its own that it fills itself. Before
each measurement it waits for its turn, so that one of them measures while the other one is idle.
``versions`` runs both.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

__all__ = ["Measurement", "add_options", "measure_on_request"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """Figures that are taken once or more."""

    name: str
    take: Callable[[], Mapping[str, float]]
    """Returns the figures by their names; none if this version has no such thing."""
    rounds: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a benchmark that can be run by turns."""
    parser.add_argument("--against", metavar="REV", help="measure this revision as well, by turns")
    parser.add_argument("--turns", action="store_true", help=argparse.SUPPRESS)


def measure_on_request(measurements: Iterable[Measurement]) -> None:
    """Take each measurement when a line comes in, and print its figures as JSON."""
    output, sys.stdout = sys.stdout, sys.stderr
    for measurement in measurements:
        print(json.dumps([measurement.name, measurement.rounds]), file=output, flush=True)
        for _ in range(measurement.rounds):
            if not sys.stdin.readline():
                return
            print(json.dumps(measurement.take()), file=output, flush=True)
