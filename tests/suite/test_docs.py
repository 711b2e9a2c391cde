"""Documents name only files, tests, commands, options and settings that exist."""

import argparse
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import Pattern
from typing import Any, Final

from django.core import management

from grader.cli.main import parser

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = ("tests", "grader", "sandbox", "webapp", "deploy")
PATH: Final = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`")
LINK: Final = re.compile(r"\]\((?!https?:)([^)#]+)")
TEST: Final = re.compile(r"`(test_\w+)`")
MODULE: Final = re.compile(r"(?:-m|--app) ((?:grader|sandbox|tests|webapp)\.[\w.]+)")
SITE_COMMAND: Final = re.compile(r"-m webapp ([a-z_]+)")
FIREBOX: Final = re.compile(r"(?:`|    )firebox ([a-z]+)([^`#|\n]*)")
TARGET: Final = re.compile(r"(?:`|    )make ([a-z-]+)")
SETTING: Final = re.compile(r"\bFIREBOX_[A-Z_]+\b")

_OF_DJANGO: Final = str(Path(management.__file__).parent)
DJANGO_COMMANDS: Final = {
    "createsuperuser",
    "changepassword",
    *management.find_commands(_OF_DJANGO),
}
UNTRACKED: Final = frozenset({"deploy/.env"})
"""Operators write it."""


@cache
def tracked(*patterns: str) -> frozenset[str]:
    command = ["git", "-C", str(ROOT), "ls-files", "--", *patterns]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return frozenset(name for name in names.splitlines() if (ROOT / name).exists())


@cache
def text_of(*patterns: str) -> str:
    return "\n".join((ROOT / name).read_text("utf-8") for name in tracked(*patterns))


def named(pattern: Pattern[str]) -> Iterator[tuple[str, Any]]:
    """Yield each document and each match in it; fails if there are hardly any."""
    matches = [
        (document, match)
        for document in sorted(tracked("*.md") - {"CHANGELOG.md"})
        for match in pattern.findall((ROOT / document).read_text("utf-8"))
    ]
    assert len(matches) > 5
    yield from matches


def test_every_file_that_a_document_names_exists() -> None:
    paths = [(document, ROOT / path) for document, path in named(PATH) if path not in UNTRACKED]
    links = [(document, (ROOT / document).parent / path) for document, path in named(LINK)]
    assert [(document, path) for document, path in paths + links if not path.exists()] == []


def test_every_test_that_a_document_names_exists() -> None:
    tests = text_of("tests/**/test_*.py")
    files = {Path(name).stem for name in tracked("tests/**/test_*.py")}
    missing = [use for use in named(TEST) if f"def {use[1]}(" not in tests and use[1] not in files]
    assert missing == []


def test_targets_of_make_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), flags=re.MULTILINE))
    assert [use for use in named(TARGET) if use[1] not in targets] == []


def test_modules_that_are_run_exist() -> None:
    modules = {
        name.removesuffix(".py").removesuffix("/__main__").replace("/", ".")
        for name in tracked("*.py")
    }
    assert [use for use in named(MODULE) if use[1] not in modules] == []


def test_commands_of_the_site_exist() -> None:
    ours = {Path(name).stem for name in tracked("webapp/runtime/management/commands/*.py")}
    assert [use for use in named(SITE_COMMAND) if use[1] not in ours | DJANGO_COMMANDS] == []


def test_commands_and_options_of_firebox_exist() -> None:
    known = options()
    wrong = [
        (document, command, option)
        for document, (command, rest) in named(FIREBOX)
        for option in re.findall(r"(?<!\S)--[a-z-]+", rest) or [""]
        if command not in known or (option and option not in known[command])
    ]
    assert wrong == []


def options() -> dict[str, set[str]]:
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    return {name: set(_options_of(command)) for name, command in commands.choices.items()}


def _options_of(command: argparse.ArgumentParser) -> Iterator[str]:
    for action in command._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _options_of(below)


def test_every_documented_setting_is_read_by_the_code() -> None:
    code = text_of("grader/*.py", "sandbox/*.py", "webapp/*.py", "deploy/env.example", "Makefile")
    read = set(SETTING.findall(code))
    assert [use for use in named(SETTING) if use[1] not in read] == []
