"""CONTRIBUTING.md names only files and tests that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FOLDERS = ("tests", "grader", "sandbox", "webapp", "deploy")
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./]*)`")
TEST = re.compile(r"`(test_\w+)`")


def test_every_file_that_it_names_is_there() -> None:
    named = PATH.findall(TEXT)
    assert len(named) > 5
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_test_that_it_names_is_there() -> None:
    named = TEST.findall(TEXT)
    assert len(named) > 5
    code = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name in named if f"def {name}(" not in code] == []
