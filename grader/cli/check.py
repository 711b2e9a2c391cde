"""``firebox check``: whether this computer can confine agents.

With ``--json`` it prints one object, whose fields and names of checks stay as they are as long as
``format`` does:

    {"format": 1, "ok": false, "host": "grader-1", "firebox": "0.1.0", "checks": [
      {"name": "container.swap", "tried": "read the limit of swap, bytes",
       "expected": "no more than memory alone", "happened": "not counted, host has 2 kB",
       "ok": false, "fix": "boot with swapaccount=1, or turn the host's swap off (swapoff -a)"}, …]}

When a check of the host itself fails, those in a container are not tried, and not in the list; nor
are those that ask Docker when it does not answer.
"""

import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus
from grader.cli.output import say
from grader.core.records import to_json
from grader.core.words import printable
from sandbox.check import HostCheck, run_checks

HELP: Final = "check that this computer can run agents in containers"
FORMAT: Final = 1
"""Version of what ``--json`` prints."""
_NAME_COLUMNS: Final = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckArguments:
    """The command line of ``firebox check``."""

    json: bool = argument("--json", help="print the checks as JSON")


def run(arguments: CheckArguments) -> ExitStatus:
    """Probe the host and a real container. A failed check is the exit status 3."""
    checks = run_checks()
    say(as_json(checks) if arguments.json else "\n".join(report(checks)))
    return ExitStatus.OK if all(check.ok for check in checks) else ExitStatus.HOST


def as_json(checks: Sequence[HostCheck]) -> str:
    """The checks for machines, as this module's first lines describe it."""
    return to_json(
        {
            "format": FORMAT,
            "ok": all(check.ok for check in checks),
            "host": socket.gethostname(),
            "firebox": version("firebox"),
            "checks": checks,
        }
    )


def report(checks: Sequence[HostCheck]) -> Iterator[str]:
    """A line for a check that passed; everything known about one that failed."""
    for check in checks:
        mark, happened = ("ok    ", f": {check.happened}") if check.ok else ("FAILED", "")
        yield printable(f"{mark}  {check.name:<{_NAME_COLUMNS}}{check.tried}{happened}")
        if not check.ok:
            yield f"        expected  {check.expected}"
            yield f"        happened  {printable(check.happened)}"
            yield f"        fix       {check.fix}"
    failed = sum(not check.ok for check in checks)
    yield ""
    if failed:
        yield f"{failed} of {len(checks)} checks failed: agents cannot be played safely here."
    else:
        yield f"All {len(checks)} checks are in order: agents are confined on this computer."
