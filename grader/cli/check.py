"""``firebox check``: whether this computer can confine agents."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Final

from grader.cli.exits import Exit
from grader.cli.output import say
from grader.records import to_json
from grader.replay import printable
from sandbox.check import Check, run_checks

__all__ = ["HELP", "add_arguments", "report", "run"]

HELP: Final = "check that this computer can confine agents in containers"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--json", action="store_true", help="print the checks as JSON")


def run(arguments: argparse.Namespace) -> Exit:
    """Probe the host and a real container. A failed check is the exit status 3."""
    checks = run_checks()
    say(to_json(checks) if arguments.json else "\n".join(report(checks)))
    return Exit.OK if all(check.ok for check in checks) else Exit.HOST


def report(checks: Sequence[Check]) -> Iterator[str]:
    """One line for what is in order, and everything known about what is not."""
    for check in checks:
        yield f"{'ok    ' if check.ok else 'FAILED'}  {check.name:<14}  {check.tried}"
        if not check.ok:
            yield f"        expected  {check.expected}"
            yield f"        happened  {printable(check.happened)}"
            yield f"        mend it   {check.fix}"
    failed = sum(not check.ok for check in checks)
    yield ""
    if failed:
        yield f"{failed} of {len(checks)} checks failed: agents cannot be played safely here."
    else:
        yield f"All {len(checks)} checks are in order: agents are confined on this computer."
