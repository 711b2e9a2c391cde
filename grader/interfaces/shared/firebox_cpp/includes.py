"""Includes of a submission's files: those in another spelling, and files that none includes."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Final

from firebox_native.builder import Message, message

__all__ = ["forward_includes", "notes_on_unused"]

_INCLUDE: Final = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([\w./ -]{1,200})"', re.MULTILINE)
_CODE_SUFFIXES: Final = frozenset({".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx"})
"""Endings of the files that their author may take for part of the agent."""
_DEPENDENCY: Final = re.compile(r"(?:\\[^\n]|[^\s\\])+")
"""A name in the rule for make that the compiler writes, where a backslash protects spaces."""


def forward_includes(folder: Path) -> list[Message]:
    """Have includes in another spelling find their files; return a note on each.

    Many systems do not tell apart names that differ only in capitals.
    A header of the included name includes the one that is meant, if there is exactly one.
    """
    top = folder.resolve()
    files = sorted(path for path in top.rglob("*") if path.is_file())
    by_name: dict[tuple[Path, str], list[Path]] = defaultdict(list)
    for file in files:
        by_name[file.parent, file.name.lower()].append(file)
    notes = []
    for path in files:
        source = path.read_bytes()
        for match in _INCLUDE.finditer(source):
            name = match[1].decode("ascii", "replace")
            meant = _meant([Path(place, name) for place in (path.parent, top)], by_name)
            if meant is None:
                continue
            (meant.parent / Path(name).name).write_text(f'#include "{meant.name}"\n')
            text = f'"{name}" is taken for {meant.relative_to(top).as_posix()}'
            line = source.count(b"\n", 0, match.start()) + 1
            notes.append(message(path.relative_to(top).as_posix(), text, line))
    return notes


def _meant(
    places: Sequence[Path], by_name: Mapping[tuple[Path, str], Sequence[Path]]
) -> Path | None:
    """Return the file that is at one of these places but for capitals; none if a file is there."""
    if any(place.exists() for place in places):
        return None
    for place in places:
        alike = by_name.get((place.parent.resolve(), place.name.lower()), ())
        if len(alike) == 1:
            return alike[0]
    return None


def notes_on_unused(folder: Path, rules: Iterable[Path], known: Set[str]) -> list[Message]:
    """Return a note on each file of code that no compiled file includes.

    ``rules`` are what the compiler wrote for make. Files with ``known`` names get none.
    """
    top = folder.resolve()
    included = {
        (top / re.sub(r"\\(.)", r"\1", name)).resolve()
        for rule in rules
        for name in _DEPENDENCY.findall(rule.read_text(errors="surrogateescape"))
    }
    code = (path for path in sorted(top.rglob("*")) if path.suffix.lower() in _CODE_SUFFIXES)
    unused = (path for path in code if path not in included and path.is_file())
    names = (path.relative_to(top).as_posix() for path in unused)
    return [message(name, "not used: nothing includes it") for name in names if name not in known]
