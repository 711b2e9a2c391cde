"""Floors of the site: a lower one names nothing of a higher one, in strings either."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps

ROOT = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
FLOORS: list[str] = next(
    contract["layers"][::-1]
    for contract in CONTRACTS["contracts"]
    if contract.get("containers") == ["webapp"]
)
"""The lowest first: import-linter reads what they import, and this test how they look up rows."""

_LOOKUP = re.compile(r"-?[a-z_]+__[a-z_]+")


def floor_of(module: str) -> int:
    """A module that stands on no floor has -1."""
    site, name, *_ = [*module.split("."), ""]
    return FLOORS.index(name) if site == "webapp" and name in FLOORS else -1


def ways_up() -> dict[str, int]:
    """Return the names by which rows lead to those of a higher floor, with the lowest such floor.

    A name that fields of the lower floor have, too, is left out.
    """
    models = [model for model in apps.get_models() if floor_of(model.__module__) >= 0]
    fields = [field for model in models for field in model._meta.get_fields()]
    found: dict[str, int] = {}
    for field in fields:
        if field.auto_created and field.is_relation and field.related_model in models:
            higher = floor_of(field.related_model.__module__)
            if floor_of(field.model.__module__) < higher:
                for name in (field.name, getattr(field, "get_accessor_name", str)() or field.name):
                    found[name] = min(found.get(name, higher), higher)
    return found


def lookups(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and name of each step in a lookup: ``team.submissions``, ``submissions__pk``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.keyword) and "__" in (node.arg or ""):
            yield from ((node.value.lineno, step) for step in (node.arg or "").split("__"))
        elif isinstance(node, ast.Constant) and _LOOKUP.fullmatch(str(node.value)):
            yield from ((node.lineno, step) for step in str(node.value).lstrip("-").split("__"))


def test_no_lookup_runs_to_a_higher_floor() -> None:
    ways = ways_up()
    assert {"submissions", "evaluations", "tournaments", "choices"} <= ways.keys()
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in (ROOT / "webapp").rglob("*.py")
        if (floor := floor_of(".".join(path.relative_to(ROOT).parts))) >= 0
        for line, name in lookups(path.read_text())
        if ways.get(name, -1) > floor and "migrations" not in path.parts
    ]
    assert wrong == []
