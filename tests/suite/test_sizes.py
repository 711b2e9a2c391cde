"""The maximum length of modules and functions."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.suite.test_language import ROOT, tracked

LONGEST_MODULE: Final = 500
LONGEST_FUNCTION: Final = 40
FUNCTION: Final = re.compile(r"( *)def (\w+)")
ELSEWHERE: Final = ("agents", "migrations", "specimens", "students")
"""Folders of what others wrote, or programs wrote."""


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Names and lengths in lines, by indentation: to parse all modules takes seconds."""
    lines = source.rstrip().splitlines()
    for start, line in enumerate(lines):
        if begin := FUNCTION.match(line):
            last = start
            for at in range(start + 1, len(lines)):
                text = lines[at].lstrip()
                if text and len(lines[at]) - len(text) <= len(begin[1]) and text[0] not in ")#":
                    break
                last = at if text else last
            yield begin[2], last - start + 1


def modules(*patterns: str) -> Iterator[tuple[Path, str]]:
    for path in tracked(*patterns):
        if not set(ELSEWHERE).intersection(path.parts):
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def test_lengths_are_counted_to_the_last_line_of_a_body() -> None:
    source = "def one(\n    a,\n) -> int:\n    pass\n\n\n"
    source += "class Two:\n    def three(self):\n        pass\n"
    assert list(functions(source)) == [("one", 4), ("three", 2)]


def test_no_module_is_too_long() -> None:
    long = [str(path) for path, source in modules("*.py") if source.count("\n") > LONGEST_MODULE]
    assert long == []


def test_no_function_is_too_long() -> None:
    too_long = [
        f"{path}: {name}, {lines} lines"
        for path, source in modules("grader/*.py", "sandbox/*.py", "webapp/*.py", "deploy/*.py")
        for name, lines in functions(source)
        if lines > LONGEST_FUNCTION
    ]
    assert too_long == []
