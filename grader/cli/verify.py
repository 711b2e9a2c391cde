"""``firebox verify``: derives a grade or standings again from an export; no agent runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus
from grader.cli.files import read_any_export
from grader.cli.output import facts, opponent_lines, result_facts, say, share_words
from grader.core.games import game_named
from grader.core.records import Mode, to_json
from grader.core.words import counted
from grader.results.course_check import check_course
from grader.results.export import EvaluationExport, Finding, VerificationReport, verify_export
from grader.results.replay import printable
from grader.uploads.course_file import CourseFile, is_course_file

if TYPE_CHECKING:
    from grader.tournament import TournamentExport, TournamentVerification

HELP: Final = "check the export of an evaluation, a tournament or a course"

_SHOWN_FINDINGS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyArguments:
    """The command line of ``firebox verify``."""

    file: Path = argument(metavar="FILE", help="the export")
    json: bool = argument("--json", help="print the report as JSON")


def run(arguments: VerifyArguments) -> ExitStatus:
    """Check it. A discrepancy makes the exit status 1."""
    if _is_course(arguments.file):
        return _verify_course(arguments)
    export = read_any_export(arguments.file)
    if not isinstance(export, EvaluationExport):
        return _verify_tournament(arguments, export)
    report = verify_export(export)
    say(to_json(report) if arguments.json else "\n".join(_lines(export, report)))
    return ExitStatus.OK if report.ok else ExitStatus.FAULT


def _is_course(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_course_file(file)
    except OSError:
        return False  # the reader of the file reports it


def _verify_course(arguments: VerifyArguments) -> ExitStatus:
    with arguments.file.open("rb") as file:
        report = check_course(CourseFile(file))
    if arguments.json:
        say(to_json(report))
        return ExitStatus.OK if report.ok else ExitStatus.FAULT
    gone = f", {report.without_games} without: their games were removed"
    say(
        facts(
            ("course", printable(report.title)),
            ("rows", f"{report.rows:,}, as in the manifest"),
            ("games", f"{report.games:,} graded ones replayed without a discrepancy"),
            ("grades", f"{report.grades} derived again{gone if report.without_games else ''}"),
        )
    )
    say("\n".join(printable(text) for text in report.findings[:_SHOWN_FINDINGS]))
    say("The file is consistent." if report.ok else "The file is not consistent.")
    return ExitStatus.OK if report.ok else ExitStatus.FAULT


def _verify_tournament(arguments: VerifyArguments, export: "TournamentExport") -> ExitStatus:
    from grader.tournament import verify_tournament

    report = verify_tournament(export)
    say(to_json(report) if arguments.json else "\n".join(_tournament_lines(export, report)))
    return ExitStatus.OK if report.ok else ExitStatus.FAULT


def _tournament_lines(
    export: "TournamentExport", report: "TournamentVerification"
) -> Iterator[str]:
    from grader.cli.tables import standing_lines

    derived = "derived from the secret" if report.plan_derived else "not derived: no secret in it"
    yield facts(
        ("export", printable(export.title)),
        ("games", f"{report.games} of {len(export.results)} replayed without a discrepancy"),
        ("plan", derived),
    )
    if report.plan_derived:
        yield facts(("counted", f"{report.counted} games"))
    if not export.finished:
        yield facts(("state", "not complete: cancelled, or still being played"))
    if report.standings is not None:
        yield ""
        names = [printable(participant.name) for participant in export.participants]
        yield from standing_lines(report.standings, names)
    yield ""
    yield from _findings(report.findings, "tournament")


def _lines(export: EvaluationExport, report: VerificationReport) -> Iterator[str]:
    games = f"{report.games} of {len(export.results)} replayed without a discrepancy"
    deals = "derived from the secret" if report.deals_derived else "not derived: no secret in it"
    yield facts(
        ("export", printable(export.title)),
        ("agents", ", ".join(agent.sha256 for agent in export.agents)),
        ("games", games),
        ("deals", deals),
    )
    if any(result.record.mode is Mode.TEAM for result in export.results):
        yield facts(("mode", "team: one process played all seats of an agent"))
    if report.summary is not None:
        yield facts(*result_facts(report.summary, game_named(export.spec.game)))
    if report.against is not None:
        yield facts(("won", share_words(report.against.won)))
        yield from opponent_lines(report.against)
    if report.points is not None:
        yield facts(("points", str(report.points)))
    yield ""
    yield from _findings(report.findings, "evaluation")


def _findings(findings: Sequence[Finding], whole: str) -> Iterator[str]:
    """Yield the findings; ``whole`` names the subject of one that is not about one game."""
    if not findings:
        yield "The export is consistent with its games."
        return
    count = len(findings)
    yield f"{counted(count, 'discrepancy', 'discrepancies')}:"
    for finding in findings[:_SHOWN_FINDINGS]:
        where = whole if finding.index is None else f"game {finding.index}"
        yield f"  {where}: {printable(finding.text)}"
    if count > _SHOWN_FINDINGS:
        yield f"  and {count - _SHOWN_FINDINGS} more"
