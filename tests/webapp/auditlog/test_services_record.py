"""Every service that acts for a person writes into the audit log, or is listed here."""

import ast
from collections.abc import Iterator
from pathlib import Path

import webapp

ROOT = Path(webapp.__file__).parent
STUDENTS = {
    "act": "a move in a game that a person plays",
    "leave": "the same game is left",
    "play_again": "another such game",
    "play_on": "such a game begins at a turn of another one",
    "start_game": "such a game begins",
}
"""What everybody enrolled may do, none of it for another person or a grade."""
PARTS = {
    "check_upload": "nothing is kept: record_upload writes",
    "request_evaluation": "called by services that write",
    "request_games_of_draft": "called by request_try: what students do with their drafts",
    "request_house_evaluation": "called by request_house, which writes",
    "change_dates": "calls a service that writes",
    "accept": "record_upload writes",
    "secure_staff": "called by services that write",
    "put_into_sections": "returns acts to services that write them",
    "send_invitations": "called by services that write",
}
"""Steps of acts."""
WRITES = {"record", "record_all"}
SERVICES = {"courses", "evaluations", "ladders", "submissions", "services"}
"""Modules of services, as others call them."""


def functions() -> Iterator[tuple[Path, ast.FunctionDef]]:
    for path in sorted(ROOT.rglob("*.py")):
        if "services" in path.with_suffix("").parts or path.name == "pipeline.py":
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.FunctionDef):
                    yield path, node


def calls(function: ast.FunctionDef) -> set[str]:
    called = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    return {each.id for each in called if isinstance(each, ast.Name)} | {
        each.attr
        for each in called
        if isinstance(each, ast.Attribute)
        and isinstance(each.value, ast.Name)
        and each.value.id in SERVICES
    }


def test_every_service_that_acts_for_a_person_writes_into_the_log() -> None:
    found = list(functions())
    writes = set(WRITES)
    while more := {node.name for _, node in found if calls(node) & writes} - writes:
        writes |= more
    silent = {
        node.name
        for _, node in found
        if not node.name.startswith("_")
        and "by" in {each.arg for each in node.args.args + node.args.kwonlyargs}
        and node.name not in writes
    }
    assert silent - STUDENTS.keys() - PARTS.keys() == set()
