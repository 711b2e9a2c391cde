"""Passages that everybody was given are no trace of two teams."""

from types import SimpleNamespace
from typing import cast

import pytest

from grader.interfaces import INTERFACES, Interface
from tests.support.every import every
from tests.support.made_programs import program
from webapp.grading.similarity.pairing import ComparedProgram, compare
from webapp.grading.similarity.prints import prints_of
from webapp.grading.similarity.services import given_grams, own_files
from webapp.grading.similarity.tokens import is_source
from webapp.teaching.courses.models import Assignment

HANABI = cast("Assignment", SimpleNamespace(game="hanabi"))
FRAMEWORKS = [one for one in INTERFACES.values() if one.kit and one.rules.game in ("", "hanabi")]
EXAMPLE = INTERFACES["uwa-java"].folder / "hanabAI" / "on_demand" / "agents" / "BasicAgent.java"


@pytest.mark.slow
@pytest.mark.parametrize("interface", FRAMEWORKS, ids=lambda one: one.name)
def test_all_sources_that_an_interface_ships_are_given(interface: Interface) -> None:
    given = given_grams(HANABI)
    assert interface.kit is not None
    for path in interface.kit.path.rglob("*.*"):
        if is_source(path.name) and path.name.endswith(interface.kit.only):
            assert prints_of({path.name: path.read_bytes()}).hashes <= given, path


@pytest.mark.slow
def test_the_courses_example_accuses_nobody_in_a_small_class() -> None:
    example = {"agents/BasicAgent.java": EXAMPLE.read_bytes()}
    programs = [
        ComparedProgram(
            frozenset({number}),
            prints_of({**example, "mine.py": program(number, functions=8).encode()}).keys,
        )
        for number in range(1, 6)
    ]
    assert compare(programs, own=5, given=given_grams(HANABI)).pairs == ()


@every(
    ("interface", "left_out", "kept"),
    [
        (
            "uwa-java",
            {"src/hanabAI/State.java": b"// theirs\n package hanabAI ;\nclass State {}"},
            {
                "src/agents/State.java": b"package agents;\nclass State {}",
                "src/hanabAI/Mine.java": b"package hanabAI;\nclass Mine {}",
            },
        ),
        ("gcc-cpp", {"src/card.h": b"", "Events.h": b""}, {"Player.h": b"", "src/Cards.h": b""}),
        (
            "fit2102-haskell",
            {"src/Cards.hs": b"", "src/Hearts/Rules.hs": b"", "src/Main.hs": b""},
            {"src/Player.hs": b"", "src/Mine/Cards.hs": b"", "Cards.hs": b""},
        ),
        ("fit2102-haskell", {}, {"Cards.hs": b""}),
        ("ensta-python", {}, {"hanabi/deck.py": b"", "agent.py": b""}),
        ("no-longer-there", {}, {"agent.py": b""}),
    ],
)
def test_files_that_the_build_leaves_out_are_not_compared(
    interface: str, left_out: dict[str, bytes], kept: dict[str, bytes]
) -> None:
    assert own_files(left_out | kept, interface) == kept
