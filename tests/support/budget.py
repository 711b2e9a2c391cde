"""A pytest plugin: names the tests that use more processor time than a quick test may.

Processor time is that of the test process and of the children it waited for. It does not count what
a fixture of a wider scope than one test uses, since that serves other tests too, nor what runs in
containers. Tests marked ``slow``, and those that use services, may take longer.
"""

import os
import resource
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol

QUICK_SECONDS: Final = 1.0
"""Processor time of a test that is not marked ``slow``."""
MARKED: Final = ("slow", "docker", "redis", "postgresql", "browser", "alone", "deep")
"""Tests with one of these marks may use more."""
_PROPERTY: Final = "processor seconds"

_shared_seconds = 0.0
"""Processor time of fixtures that serve several tests, since this process began."""


def processor_seconds() -> float:
    """Return the processor time of this process and of its ended children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@contextmanager
def shared() -> Iterator[None]:
    """Count what is used in this block apart: it serves several tests."""
    global _shared_seconds  # noqa: PLW0603 - one counter a process, as the clock it reads
    began, before = processor_seconds(), _shared_seconds
    try:
        yield
    finally:
        _shared_seconds = before + processor_seconds() - began


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any],
) -> Generator[None, object, object]:
    """Count what fixtures of a wider scope use apart from the test that happens to be first."""
    if fixturedef.scope == "function":
        return (yield)
    with shared():
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Start the account of a test."""
    item.stash[_BEGAN] = processor_seconds() - _shared_seconds


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Have a worker of pytest-xdist's send one report of a test that passed, not three.

    Sending and reading reports takes a tenth of the processor time of a run of quick tests.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if all(report.passed for report in reports):
        _, call, teardown = reports
        call.duration = sum(report.duration for report in reports)
        call.user_properties = teardown.user_properties
        reports = [call]
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


_BEGAN: Final = pytest.StashKey[float]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write down what the test used, once its fixtures are gone."""
    report = yield
    if report.when == "teardown" and not any(map(item.get_closest_marker, MARKED)):
        used = processor_seconds() - _shared_seconds - item.stash[_BEGAN]
        report.user_properties.append((_PROPERTY, used))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the tests that should be marked or made quicker."""
    used = {
        report.nodeid: value
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport)
        for key, value in report.user_properties
        if key == _PROPERTY
    }
    over = {name: seconds for name, seconds in used.items() if seconds > QUICK_SECONDS}
    if used:
        total = sum(used.values())
        terminalreporter.write_line(f"{len(used)} quick tests used {total:.0f} s of processor time")
    if over:
        terminalreporter.section(f"quick tests that used more than {QUICK_SECONDS:g} s")
        for name in sorted(over, key=over.__getitem__, reverse=True):
            terminalreporter.write_line(f"{over[name]:6.2f} s  {name}")
        terminalreporter.write_line("CONTRIBUTING.md says what to do about them.")
