"""Rules for the language of docstrings and the width of templates."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
LONGEST_TEMPLATE_LINE: Final = 160
FIRST_WORDS: Final = (
    "What", "Whether", "Who", "Those", "Of", "How", "Where", "Which", "When", "That",
)  # fmt: skip
"""A docstring that begins with one of these names nothing: a verb or a noun says it shorter."""
CLAUSE: Final = re.compile(rf"""[\"']\s*({"|".join(FIRST_WORDS)})\b""")
"""Finds sources that could have such a docstring: to parse all of them takes a second."""


def tracked(*patterns: str) -> list[Path]:
    command = ["git", "-C", str(ROOT), "ls-files", "--", *patterns]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [path for name in names.splitlines() if (path := ROOT / name).exists()]


def docstrings(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text
            case ast.ClassDef(body=inner) | ast.FunctionDef(body=inner):
                yield from docstrings(inner)


def test_no_docstring_begins_with_a_clause() -> None:
    paths = [
        path
        for path in tracked("*.py")
        if not {"tests", "migrations"}.intersection(path.relative_to(ROOT).parts)
    ]
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    found = [
        f"{path.relative_to(ROOT)}: {text.splitlines()[0]}"
        for path, source in sources.items()
        if CLAUSE.search(source)
        for text in docstrings(ast.parse(source).body)
        if text.split(maxsplit=1)[:1] and text.split(maxsplit=1)[0] in FIRST_WORDS
    ]
    assert found == []


def test_no_line_of_a_template_is_too_long() -> None:
    too_long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked("*.html")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST_TEMPLATE_LINE
    ]
    assert too_long == []


PERCENT: Final = re.compile(r"[0-9}](?: |&nbsp;|\u00a0|\u202f)%(?!\}|\s*[\dA-Z(]| [a-z]+\()")
"""A space before the sign, but for a remainder in Python and the end of a tag."""


def test_shares_are_written_without_a_space() -> None:
    paths = tracked("*.md", "*.html", "deploy/*.py", "grader/*.py", "sandbox/*.py", "webapp/*.py")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in paths
        for line in path.read_text(encoding="utf-8").splitlines()
        if PERCENT.search(line)
    ]
    assert found == []


def test_pages_call_the_games_after_an_upload_its_first_test() -> None:
    found = [
        str(path.relative_to(ROOT))
        for path in tracked("*.html", "webapp/templates/*.txt")
        if re.search(r"[Ss]moke[ -]test", path.read_text(encoding="utf-8"))
    ]
    assert found == []
