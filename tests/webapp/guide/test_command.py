"""The pages on the command, which students install."""

import argparse
import io
import re
import tomllib
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from grader.cli.main import parser as command_line
from grader.core.games import game_from_options
from grader.interfaces import starter_kit as starter_kits
from tests.support import pages
from tests.webapp.guide.reading import text_of
from webapp.pages.guide.interfaces import COURSES

pytestmark = pytest.mark.django_db
HANABI = game_from_options("hanabi", {"variant": "standard", "players": 2})


def test_every_command_and_option_is_there() -> None:
    text = text_of("command")
    for name, parser in commands():
        assert f"firebox {name}" in text, name
        for action in parser._actions:
            for option in action.option_strings:
                assert option in text or option in ("-h", "--help"), f"{name} {option}"


def commands(
    top: argparse.ArgumentParser | None = None, before: str = ""
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in (top or command_line())._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                if command._subparsers:
                    yield from commands(command, f"{before}{name} ")
                else:
                    yield f"{before}{name}", command


@pytest.mark.parametrize(
    "slug", ["start", "command", "grades", "hearts", "hearts-agents", *COURSES]
)
def test_commands_in_the_guide_are_well_formed(slug: str) -> None:
    page = unescape(pages.text_of(Client().get(f"/guide/{slug}/")))
    lines = re.findall(r"<code>(firebox [^<]+)</code>\s*</pre>", page)
    assert lines
    for line in lines:
        command_line().parse_args(line.split()[1:])


def test_the_starter_kit_has_the_library_and_not_the_command() -> None:
    kit = starter_kits.starter_kit("hanabi", HANABI.options)
    with zipfile.ZipFile(io.BytesIO(kit)) as files:
        names = files.namelist()
    assert "firebox/__init__.py" in names
    assert not [name for name in names if name.startswith(("grader/", "sandbox/"))]


def test_the_guide_lists_the_packages_that_the_command_needs() -> None:
    needed = tomllib.loads(Path("pyproject.toml").read_text())["project"]["dependencies"]
    runbook = Path("deploy/RUNBOOK.md").read_text()
    assert len(needed) == 4
    assert "four small libraries" in text_of("command")
    assert all(f"`{name.partition('>')[0]}`" in runbook for name in needed)
