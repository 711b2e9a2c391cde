"""Finds the class of a submission that plays, without running a module.

Bases with ``getAction`` that others inherit from are no candidates.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

METHOD = "getAction"
"""Method that an agent's class must have."""
_MAX_NAMES = 10


class AgentClass(NamedTuple):
    """The place of the agent's class."""

    module: str
    agent: str


class NoEntry(Exception):  # noqa: N818 - the student's doing, not an error of ours
    """There is no such class, or more than one; says what to do."""


class SeveralAgents(NoEntry):
    """There is more than one, and none was chosen."""


def find_entry(
    trees: Mapping[str, ast.Module], files: Mapping[str, str], chosen: str = ""
) -> AgentClass:
    """Return the agent among the classes, by its name if one was ``chosen``. Raises NoEntry."""
    classes = {
        AgentClass(module, node.name): node
        for module, tree in trees.items()
        for node in _classes(tree.body)
    }
    acting = _with_method(classes)
    bases = {base for entry in acting for base in _bases(classes[entry])}
    candidates = [entry for entry in acting if entry.agent not in bases]
    if chosen:
        candidates = [entry for entry in acting if entry.agent == chosen]
    if len(candidates) == 1:
        return candidates[0]
    if not candidates and chosen:
        there = ", ".join(entry.agent for entry in acting[:_MAX_NAMES]) or "none"
        raise NoEntry(
            f"There is no class {chosen} with a method {METHOD}, and it was to play;"
            f" classes that have one: {there}"
        )
    if not candidates:
        raise NoEntry(
            f"No class has a method {METHOD}(self, gameState):"
            " write one, or upload the file with it"
        )
    where = ", ".join(f"{entry.agent} in {files[entry.module]}" for entry in candidates)
    raise SeveralAgents(
        f"There are {len(candidates)} classes with a method {METHOD}: {where}."
        ' Name the one that is to play (--class NAME, or the field "Class that plays" of the'
        " upload), or take the others out"
    )


def _with_method(classes: Mapping[AgentClass, ast.ClassDef]) -> list[AgentClass]:
    acting = [entry for entry, node in classes.items() if _defines(node)]
    while True:
        names = {entry.agent for entry in acting}
        more = [
            entry
            for entry, node in classes.items()
            if entry not in acting and names & set(_bases(node))
        ]
        if not more:
            return [entry for entry in classes if entry in acting]
        acting += more


def _classes(body: list[ast.stmt]) -> Iterator[ast.ClassDef]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node
        elif isinstance(node, ast.If | ast.Try):
            yield from _classes([*node.body, *node.orelse])


def _defines(node: ast.ClassDef) -> bool:
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == METHOD:
            return True
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == METHOD for target in statement.targets
        ):
            return True
    return False


def _bases(node: ast.ClassDef) -> list[str]:
    names = []
    for base in node.bases:
        if isinstance(base, ast.Name):
            names.append(base.id)
        elif isinstance(base, ast.Attribute):
            names.append(base.attr)
    return names
