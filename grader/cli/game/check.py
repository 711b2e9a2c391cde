"""``firebox game check``: whether a game is fit to be played, graded and published.

With ``--json`` it prints one object, whose fields and names of checks stay as they are as long as
``format`` does:

    {"format": 1, "ok": false, "game": "nim", "level": "published", "not_checked": [],
     "findings": [{"level": "plays", "check": "a_replay_is_the_same_play",
                   "rules": "standard, 2 seats", "problem": "Two plays …", "repair": "Take …"}]}
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus
from grader.cli.game.located import TARGET, located
from grader.cli.game.processes import checked_alone
from grader.cli.game.trials import try_kits, try_own
from grader.cli.output import say, warn
from grader.conformance import Finding, Level
from grader.core.records import to_json
from grader.core.words import counted, printable

HELP: Final = "check a game of your own: its rules, what grades it, and what people see"
FORMAT: Final = 1
"""Version of what ``--json`` prints."""
_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCheckArguments:
    """The command line of ``firebox game check``."""

    target: str = argument(metavar="PATH|NAME", help=TARGET)
    level: str = argument(
        "--level",
        choices=[level.value for level in Level],
        default=Level.PUBLISHED.value,
        help="plays: the rules; graded: also deals, messages and time; published: also texts,"
        " scenes, house agents, a game of each starter kit, and the folder's own tests and"
        " playthroughs (default)",
    )
    seconds: float = argument(
        "--seconds",
        default=_SECONDS,
        metavar="N",
        help=f"seconds that one check may take; default: {_SECONDS:.0f}",
    )
    json: bool = argument("--json", help="print the findings as JSON")


@dataclass(frozen=True, slots=True)
class _Report:
    game: str
    findings: Sequence[Finding]
    not_checked: Sequence[str]


def run(arguments: GameCheckArguments) -> ExitStatus:
    """Check each game that was named. A finding is the exit status 1."""
    reports = list(_reports(arguments))
    for report in reports:
        if arguments.json:
            say(_as_json(report, arguments.level))
        else:
            say("\n".join(_lines(report, Level(arguments.level))))
    found = any(report.findings for report in reports)
    return ExitStatus.FAULT if found else ExitStatus.OK


def _reports(arguments: GameCheckArguments) -> Iterator[_Report]:
    level = Level(arguments.level)
    with tempfile.TemporaryDirectory(prefix="firebox-game-") as folder:
        place = located(arguments.target, Path(folder))
        for name in place.games:
            warn(f"Checking {name} …")
            checked = checked_alone(place, name, level, arguments.seconds)
            findings: Sequence[Finding] = checked.findings
            skipped: Sequence[str] = ()
            if level is Level.PUBLISHED and not findings:
                warn("Playing with each starter kit …")
                findings, skipped = try_kits(place, name, checked, Path(folder))
                own, untried = try_own(place)
                findings, skipped = [*findings, *own], [*skipped, *untried]
            yield _Report(name, findings, skipped)


def _as_json(report: _Report, level: str) -> str:
    return to_json(
        {
            "format": FORMAT,
            "ok": not report.findings,
            "game": report.game,
            "level": level,
            "not_checked": report.not_checked,
            "findings": report.findings,
        }
    )


def _lines(report: _Report, level: Level) -> Iterator[str]:
    for finding in report.findings:
        where = f" ({finding.rules})" if finding.rules else ""
        yield printable(f"{finding.level:<9}  {finding.problem}{where}")
        yield printable(f"{'':9}  → {finding.repair}")
        yield ""
    for reason in report.not_checked:
        yield f"not checked: {reason}"
    if report.findings:
        problems = counted(len(report.findings), "problem")
        yield f"{report.game}: {problems}. Mend the first one first, and check again."
    else:
        yield f"{report.game} is in order: {_MEANINGS[level]}"


_MEANINGS: Final = {
    Level.PLAYS: "it can be played and replayed.",
    Level.GRADED: "it can be played, and many games say something about an agent.",
    Level.PUBLISHED: "it can be played, graded and published.",
}
