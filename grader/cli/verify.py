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
from grader.core.words import counted, printable
from grader.results.course_check import CourseReport, check_course
from grader.results.export import EvaluationExport, Finding, VerificationReport, verify_export
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
    report, lines = _verified(arguments.file)
    say(to_json(report) if arguments.json else "\n".join(lines))
    return ExitStatus.OK if report.ok else ExitStatus.FAULT


def _verified(
    path: Path,
) -> "tuple[VerificationReport | TournamentVerification | CourseReport, Iterator[str]]":
    if _is_course(path):
        with path.open("rb") as file:
            course = check_course(CourseFile(file))
        return course, _course_lines(course)
    export = read_any_export(path)
    if isinstance(export, EvaluationExport):
        report = verify_export(export)
        return report, _lines(export, report)
    from grader.tournament import verify_tournament

    verification = verify_tournament(export)
    return verification, _tournament_lines(export, verification)


def _is_course(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_course_file(file)
    except OSError:
        return False  # the reader of the file reports it


def _course_lines(report: CourseReport) -> Iterator[str]:
    gone = f", {report.without_games} without: their games were removed"
    yield facts(
        ("course", printable(report.title)),
        ("rows", f"{report.rows:,}, as in the manifest"),
        ("games", f"{report.games:,} graded ones replayed without a discrepancy"),
        ("grades", f"{report.grades} derived again{gone if report.without_games else ''}"),
    )
    yield "\n".join(printable(text) for text in report.findings[:_SHOWN_FINDINGS])
    yield "The file is consistent." if report.ok else "The file is not consistent."


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
