"""Prints the table of hostile agents and their verdicts at the end of a test run."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line per agent."""
    reports = [
        report for reports in terminalreporter.stats.values() for report in reports
        if isinstance(report, pytest.TestReport)
    ]  # fmt: skip
    rows = [
        value for report in reports for key, value in report.user_properties if key == "hostile"
    ]
    if rows:
        terminalreporter.section("hostile agents: declared verdict, outcome, time")
        for row in sorted(set(rows), key=lambda row: row[8:]):
            terminalreporter.write_line(row)
