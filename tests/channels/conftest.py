"""Prints the table of channels at the end of a test run."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line per channel."""
    rows = [
        str(value)
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport)
        for key, value in report.user_properties
        if key == "channel"
    ]
    if rows:
        terminalreporter.section("channels between seats: bits that came through")
        for row in sorted(set(rows), key=lambda row: row[8:]):
            terminalreporter.write_line(row)
