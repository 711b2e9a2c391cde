"""A pytest plugin: finding the tests costs each process of pytest-xdist's less.

- A module is not read when a mark of its own leaves out all of its tests, as those in a browser are
  left out by ``-m "not (browser or docker)"``.
- A test in a course with uploads or games, which it has by a fixture, is marked ``course``: to copy
  or write that course takes it longer than most other tests.
- No garbage is looked for while tests are collected, and the tests themselves, which live to the
  end, are never looked at again. While they run, it is looked for less often than usual.
"""

import gc
import os
import re
from collections.abc import Generator, Iterable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

_EXCLUSION: Final = re.compile(r"not \((?P<marks>\w+(?: or \w+)*)\)")
_MARKS_OF_MODULE: Final = re.compile(
    r"^pytestmark = (?:\[.*?\]$|[^\[\n]*$)", re.MULTILINE | re.DOTALL
)
_MARK: Final = re.compile(r"pytest\.mark\.(\w+)")
_OBJECTS: Final = 100_000
"""New objects after which garbage is looked for; Python's own 700 cost 7 % of a test's time."""
_COURSES: Final = frozenset(
    {"world", "graded", "alike", "upload", "over", "things", "entrants", "practice", "story"}
)
"""Fixtures that make a course with its games, or its uploads."""
_LEFT: Final = os.environ.get("FIREBOX_TESTS_LEFT")
if "PYTEST_XDIST_WORKER" in os.environ:  # a pytest that a test starts would add files of its own
    os.environ.pop("FIREBOX_TESTS_LEFT", None)


@cache
def excluded_marks(expression: str) -> frozenset[str]:
    """Return the marks that an expression of ``-m`` only excludes: ``not (docker or redis)``."""
    exclusion = _EXCLUSION.fullmatch(expression)
    return frozenset(exclusion["marks"].split(" or ")) if exclusion else frozenset()


def marks_of_module(source: str) -> frozenset[str]:
    """Return the marks that a module gives to all of its tests."""
    assignment = _MARKS_OF_MODULE.search(source)
    return frozenset(_MARK.findall(assignment[0])) if assignment else frozenset()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests in a course with uploads or games, and those that wait for a large import."""
    if isinstance(item, pytest.Function) and not _COURSES.isdisjoint(item.fixturenames):
        item.add_marker("course")
    if isinstance(item, pytest.Function) and "scipy" in item.fixturenames:
        item.add_marker("slow")


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Write down the files of tests that this call of pytest leaves to others."""
    for mark in ("alone", "services"):
        _write_left(mark, {item.path for item in items if (mark == "alone") is _is_alone(item)})


def _is_alone(item: pytest.Item) -> bool:
    return item.get_closest_marker("alone") is not None


def _write_left(mark: str, paths: Iterable[Path]) -> None:
    """Add files to a list of those left to others, which ``run_all`` of test.sh reads."""
    if _LEFT is not None:
        with Path(_LEFT, mark).open("a") as file:
            file.write("".join(f"{path}\n" for path in sorted(paths)))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a module whose own mark leaves out all of its tests."""
    excluded = excluded_marks(config.getoption("markexpr"))
    if not excluded or not collection_path.match("test_*.py"):
        return None
    source = collection_path.read_text(encoding="utf-8")
    if excluded.isdisjoint(marks_of_module(source)):
        return None
    _write_left("services", [collection_path])
    if "alone" in _MARK.findall(source):
        _write_left("alone", [collection_path])
    return True


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage, and see all objects that are there now as here to stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(_OBJECTS)
        gc.enable()
