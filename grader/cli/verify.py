"""``firebox verify``: derives a grade again from an export; no agent runs."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grader.cli.exits import Exit
from grader.cli.files import read_export
from grader.cli.output import facts, opponent_lines, say, score_line, share_words
from grader.export import EvaluationExport, VerificationReport, verify_export
from grader.records import Mode, to_json
from grader.replay import printable

__all__ = ["HELP", "add_arguments", "run"]

HELP: Final = "check an evaluation's export: deals, games, mean and points"

_SHOWN_FINDINGS: Final = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE", help="an evaluation's export")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(arguments: argparse.Namespace) -> Exit:
    """Check it. Anything that does not fit is the exit status 1."""
    export = read_export(arguments.file)
    report = verify_export(export)
    say(to_json(report) if arguments.json else "\n".join(_lines(export, report)))
    return Exit.OK if report.ok else Exit.FAULT


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
        yield facts(("score", score_line(report.summary)))
    if report.against is not None:
        yield facts(("won", share_words(report.against.won)))
        yield from opponent_lines(report.against)
    if report.points is not None:
        yield facts(("points", str(report.points)))
    yield ""
    if report.ok:
        yield "Everything in the export follows from its games."
        return
    count = len(report.findings)
    yield "One thing does not fit:" if count == 1 else f"{count} things do not fit:"
    for finding in report.findings[:_SHOWN_FINDINGS]:
        where = "evaluation" if finding.index is None else f"game {finding.index}"
        yield f"  {where}: {printable(finding.text)}"
    if len(report.findings) > _SHOWN_FINDINGS:
        yield f"  and {len(report.findings) - _SHOWN_FINDINGS} more"
