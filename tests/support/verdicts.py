"""A pytest plugin: prints the verdicts of hostile agents and channels at the end of a test run.

It is no ``conftest.py`` of their folders: the process that prints for several does not read those.
"""

from typing import Final

import pytest

TITLES: Final = {
    "hostile": "hostile agents: declared verdict, outcome, time",
    "channel": "channels between seats: bits that came through",
}
"""By the property that a test records."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line per agent or channel."""
    properties = [
        (key, str(value))
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport)
        for key, value in report.user_properties
    ]
    for key, title in TITLES.items():
        rows = {value for name, value in properties if name == key}
        if rows:
            terminalreporter.section(title)
            for row in sorted(rows, key=lambda row: row[8:]):
                terminalreporter.write_line(row)
