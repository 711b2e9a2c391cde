"""A submission's files: which of them is the course's module, and which class is the agent.

Read, checked and compiled, and never executed here. The files may be the course's whole folder
with changes in it, or one file with an agent. A ``hanabi`` package among them, or single files of
it, take the place of ours, file by file. Without such a package, files at the top are part of it:
``robot.py`` can be imported as ``robot`` and as ``hanabi.robot``, and is one module. With it, files
in folders beside it, ``test`` in the course's, are modules of their own, as they are for Python
when one of them is run.
"""

import ast
import marshal
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypedDict

from firebox.requirements import missing_imports
from firebox.sources import (
    Message,
    Modules,
    chosen_class,
    compile_file,
    compile_folder,
    installed_copies,
    is_installed_copy,
    is_skipped,
    message,
    module_name,
    python_files,
    reached,
    sort_complaints,
)

from .cards import DeckError, names_by_letter
from .classes import (
    BASE,
    METHOD,
    PACKAGE,
    Class,
    all_classes,
    bound,
    candidates,
    found,
    is_example,
    top_classes,
)

__all__ = ["PACKAGE", "EnstaArtefact", "compile_submission"]

_SIGNS: Final = ("__init__.py", "ai.py", "deck.py")
"""A folder called like the package is the package if it has one of these."""
_COURSE_FILES: Final = ("ai", "deck")
_AGENT: Final = re.compile(rb"^class\s+\w+\s*\([^)]*\bAI\b", re.MULTILINE)
"""Signs that a file holds an agent, even if it does not compile."""
_MAX_NAMES: Final = 10
_NO_AGENT: Final = (
    f"there is no agent: write a class that inherits from hanabi.ai.{BASE} and has a method"
    f" {METHOD}"
)
_ADVICE: Final = (
    'say which class plays (--class NAME, or the field "Class that plays" of the upload), or'
    " add a file agent.py with a line such as: from {module} import {name} as Agent"
)
_HAND_IN: Final = (
    "hand in your own agent with it, or say that this one is to play (--class NAME, or the field"
    ' "Class that plays" of the upload)'
)


class EnstaArtefact(TypedDict):
    """The result of a build step."""

    modules: Modules
    aliases: dict[str, str]
    """Other names of modules."""
    entry: tuple[str, str]
    """Module and name of the agent's class."""


def compile_submission(agent_dir: str) -> tuple[list[Message], bytes]:
    """Complaints and no code, or the artefact, and remarks."""
    top = Path(agent_dir)
    root = _root(top)
    modules, complaints = compile_folder(top, root, compile_file)
    if PACKAGE in modules and not (top / modules[PACKAGE][2]).is_file():
        del modules[PACKAGE]  # a folder with files of the package, which has ours around them
    modules, aliases = _as_package(modules, root.name if root != top else "")
    for folder in _beside(top, root):
        more, broken = compile_folder(top, folder, compile_file)
        modules = {**more, **modules}
        complaints += broken
    entry, remarks = _agent(modules, top)
    is_question = entry is None and not chosen_class(top) and remarks[0]["text"] != _NO_AGENT
    may_be_entry = entry is None and not is_question
    complaints, notes = _sorted(complaints, entry, modules, aliases, top, may_be_entry=may_be_entry)
    if is_question:
        return [*remarks, *complaints], b""
    if entry is None or complaints:
        return complaints or remarks, b""
    if wrong := _wrong_deck(modules, top):
        return [wrong], b""
    named = modules | {other: modules[name] for other, name in aliases.items() if name in modules}
    if missing := missing_imports(top, named, entry[0], {PACKAGE, "readline", *aliases}):
        return missing, b""
    artefact = EnstaArtefact(modules=modules, aliases=aliases, entry=entry)
    return [*remarks, *notes, *installed_copies(top)], marshal.dumps(dict(artefact))


def _wrong_deck(modules: Modules, top: Path) -> Message | None:
    file = modules[f"{PACKAGE}.deck"][2] if f"{PACKAGE}.deck" in modules else ""
    if not (top / file).is_file():
        return None
    for node in ast.parse((top / file).read_bytes()).body:
        if isinstance(node, ast.ClassDef) and node.name == "Color":
            names = [
                target.id
                for statement in node.body
                if isinstance(statement, ast.Assign)
                for target in statement.targets
                if isinstance(target, ast.Name) and not target.id.startswith("_")
            ]
            try:
                names_by_letter(names)
            except DeckError as error:
                return message(file, f"{error}", node.lineno, 1)
    return None


def _beside(top: Path, root: Path) -> Iterator[Path]:
    if root == top or not root.is_relative_to(top):
        return
    for folder in sorted(path for path in top.iterdir() if path.is_dir()):
        if is_skipped(folder.name):
            continue
        if root.is_relative_to(folder):
            yield from _beside(folder, root)
        elif any(python_files(folder)):
            yield folder


def _sorted(
    complaints: list[Message],
    entry: tuple[str, str] | None,
    modules: Modules,
    aliases: dict[str, str],
    top: Path,
    *,
    may_be_entry: bool,
) -> tuple[list[Message], list[Message]]:
    """Return the complaints if the agent cannot play for one of them, else notes instead.

    Nor can it if nobody chose it and the agent of one of those files would come first.
    ``may_be_entry``: any of them may hold the agent, since no other file does.
    """
    named = modules | {other: modules[name] for other, name in aliases.items() if name in modules}
    names = reached(named, [entry[0]] if entry else [])
    is_chosen = bool(chosen_class(top))
    root = _root(top)

    def is_needed(file: str) -> bool:
        parts = Path(file).parts
        spelt = {module_name(Path(*parts[start:]))[0] for start in range(len(parts))}
        spelt |= {f"{PACKAGE}.{name}" for name in spelt}
        comes_first = not is_chosen and _comes_before(entry, top / file, root)
        return may_be_entry or comes_first or not names.isdisjoint(spelt)

    return sort_complaints(complaints, is_needed)


def _comes_before(entry: tuple[str, str] | None, broken: Path, root: Path) -> bool:
    if broken.name == "agent.py" and broken.parent in {root, root / PACKAGE}:
        return entry is None or entry[0] not in {"agent", f"{PACKAGE}.agent"}
    is_agent = _AGENT.search(broken.read_bytes()) is not None
    return is_agent and (entry is None or (_is_test(entry[0]) and not _is_test(broken.stem)))


def _root(top: Path) -> Path:
    packages = sorted(
        (path for path in top.rglob(PACKAGE) if _is_package(path, top)),
        key=lambda path: (len(path.parts), path),
    )
    if packages:
        return packages[0].parent
    folder = top
    while not any(folder.glob("*.[pP][yY]")):
        inside = {folder / path.relative_to(folder).parts[0] for path in python_files(folder)}
        if len(inside) != 1:
            return folder
        folder = inside.pop()
    return folder


def _is_package(folder: Path, top: Path) -> bool:
    relative = folder.relative_to(top)
    skipped = any(
        is_skipped(path.name) or is_installed_copy(top / path)
        for path in (relative, *relative.parents)
    )
    return not skipped and any((folder / sign).is_file() for sign in _SIGNS)


def _as_package(modules: Modules, folder: str) -> tuple[Modules, dict[str, str]]:
    """Return the modules by their names, and other names of some."""
    course = {name: f"{PACKAGE}.{name}" for name in _COURSE_FILES if name not in modules}
    if any(name.partition(".")[0] == PACKAGE for name in modules):
        return modules, course
    aliases = {name: f"{PACKAGE}.{name}" for name in modules if name != "__init__"}
    named = {aliases.get(name, PACKAGE): module for name, module in modules.items()}
    if PACKAGE in named:
        code, _, file = named.pop(PACKAGE)
        if len(course) < len(_COURSE_FILES):
            named[PACKAGE] = code, True, file
        elif folder:  # nothing of the course lies beside it
            named.setdefault(f"{PACKAGE}.{folder}", (code, True, file))
            aliases |= _of_own_package(folder, aliases)
    elif folder and len(course) == len(_COURSE_FILES) and folder not in aliases:
        empty = compile("", "<package>", "exec")  # as Python has it for a folder without a file
        named[f"{PACKAGE}.{folder}"] = empty, True, f"{folder}/__init__.py"
        aliases |= _of_own_package(folder, aliases)
    return named, course | aliases


def _of_own_package(folder: str, names: Mapping[str, str]) -> dict[str, str]:
    within = {f"{folder}.{name}": module for name, module in names.items()}
    also = {f"{PACKAGE}.{name}": module for name, module in within.items()}
    return {folder: f"{PACKAGE}.{folder}", **within, **also}


def _agent(modules: Modules, top: Path) -> tuple[tuple[str, str] | None, list[Message]]:
    trees = {
        name: (ast.parse((top / file).read_bytes()), file)
        for name, (_, _, file) in modules.items()
        if (top / file).is_file()
    }
    chosen = chosen_class(top)
    for name in () if chosen else ("agent", f"{PACKAGE}.agent"):
        if name in trees and "Agent" in bound(trees[name][0]):
            return (name, "Agent"), []
    top_level = [one for name, at in trees.items() for one in top_classes(name, *at)]
    # One class for each name in a module: both parts of an ``if`` may define it.
    nested = {
        (each.module, each.name): each for n, at in trees.items() for each in all_classes(n, *at)
    }
    if chosen:
        return _chosen(chosen, top_level, list(nested.values()))
    return _choice(found(top_level, list(nested.values())))


def _chosen(
    name: str, classes: Sequence[Class], nested: Sequence[Class]
) -> tuple[tuple[str, str] | None, list[Message]]:
    matching = [one for one in classes if one.name == name]
    matching = matching or [one for one in nested if one.name == name]
    if len(matching) == 1:
        return (matching[0].module, name), []
    if not matching:
        there = ", ".join(one.name for one in candidates(classes)[:_MAX_NAMES]) or "no agents"
        text = f"there is no class {name}, which was chosen to play; there are {there}"
        return None, [message("", text)]
    files = ", ".join(one.file for one in matching)
    return None, [message("", f"there are several classes {name}, in {files}: submit one of them")]


def _is_test(module: str) -> bool:
    last = module.rpartition(".")[2]
    return last.startswith("test") or last.endswith("_test")


def _choice(classes: Sequence[Class]) -> tuple[tuple[str, str] | None, list[Message]]:
    """Return the only agent: no example of the course's; one in a test only if there is no other.

    Which of several plays is for the student to say.
    """
    classes = sorted(classes, key=lambda one: (one.file, one.line))
    own = [one for one in classes if not is_example(one)]
    if classes and not own:
        text = f"there is only the course's own example, {classes[-1].name}: {_HAND_IN}"
        return None, [message(classes[-1].file, text, classes[-1].line, 1)]
    meant = [one for one in own if not _is_test(one.module)] or own
    if not meant:
        return None, [message("", _NO_AGENT)]
    last = meant[-1]
    if len(meant) > 1:
        names = ", ".join(f"{one.name} in {one.file}" for one in meant[:_MAX_NAMES])
        advice = _ADVICE.format(module=last.module, name=last.name)
        text = f"there are several agents ({names}): {advice}"
        return None, [message(last.file, text, last.line, 1)]
    return (last.module, last.name), []
