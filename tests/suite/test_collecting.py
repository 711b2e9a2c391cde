"""Test modules that are not read because their own mark deselects them."""

import ast
import re
from pathlib import Path

import pytest

from tests.support.collecting import excluded_marks, marks_of_module
from tests.support.every import every

TESTS = Path(__file__).parents[1]


@every(
    ("expression", "marks"),
    [
        ("not (docker or redis)", {"docker", "redis"}),
        ("not (alone)", {"alone"}),
        ("", set()),
        ("docker or redis", set()),
        ("(docker or redis) and not alone", set()),
        ("not (docker and redis)", set()),
        ("not (docker or redis) or slow", set()),
    ],
)
def test_only_an_expression_that_excludes_and_nothing_else_names_marks(
    expression: str, marks: set[str]
) -> None:
    assert excluded_marks(expression) == marks


@pytest.mark.slow
def test_the_marks_of_every_module_are_seen_without_importing_it() -> None:
    seen = set[str]()
    for path in TESTS.rglob("test_*.py"):
        source = path.read_text()
        marks = marks_of_module(source)
        if "pytestmark" in source:
            assert marks == assigned_marks(source), path
        seen |= marks
    assert {"slow", "docker", "browser", "alone"} <= seen


def assigned_marks(source: str) -> set[str]:
    return {
        mark.attr
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
        for mark in ast.walk(node.value)
        if isinstance(mark, ast.Attribute) and ast.unparse(mark.value) == "pytest.mark"
    }


def test_the_runs_without_services_exclude_by_such_expressions() -> None:
    script = (TESTS.parent / "deploy" / "dev" / "test.sh").read_text()
    (services,) = re.findall(r'SERVICES="(.+)"', script)
    fast, usual = re.findall(r'-m "(not .+)"', script)
    assert excluded_marks(usual.replace("$SERVICES", services)) > set(services.split(" or "))
    assert "slow" in excluded_marks(fast.replace("$SERVICES", services))


def test_a_test_in_a_course_with_games_or_uploads_is_marked_by_its_fixture(
    pytestconfig: pytest.Config, request: pytest.FixtureRequest
) -> None:
    def marks(*fixtures: str) -> list[str]:
        item = pytest.Function.from_parent(request.node.parent, name="a_test", callobj=lambda: None)
        item.fixturenames[:] = fixtures
        pytestconfig.hook.pytest_itemcollected(item=item)
        return [mark.name for mark in item.own_markers]

    assert marks("db", "graded") == marks("world") == marks("upload") == ["course"]
    assert marks("db", "course") == []
