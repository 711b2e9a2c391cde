"""Includes of a submission's files: those in another spelling, and files that none includes."""

import os
import re
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import Final

from firebox_native.builder import CompilerMessage, message

UNUSED: Final = "not used: nothing includes it"

_INCLUDE: Final = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\r\n\0]{1,200})"', re.MULTILINE)
_CODE_SUFFIXES: Final = frozenset({".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx"})
"""Endings of the files that their author may take for part of the agent."""
_DEPENDENCY: Final = re.compile(r"(?:\\[^\n]|[^\s\\])+")
"""A name in the rule for make that the compiler writes, where a backslash protects spaces."""


def forward_includes(folder: Path, root: Path) -> tuple[list[CompilerMessage], list[str]]:
    """Have includes in another spelling find their files; return a note on each, and new files.

    Many systems do not tell apart names that differ only in capitals, and Windows takes a
    backslash for a slash.
    A header of the included name includes the one that is meant, if there is exactly one.
    Includes are searched for beside the file, and in ``root``. No path that leads out of ``folder``
    is looked at.
    """
    top, root = folder.resolve(), root.resolve()
    files = sorted(path for path in top.rglob("*") if path.is_file())
    alike: dict[str, list[Path]] = defaultdict(list)
    for file in files:
        alike[str(file).lower()].append(file)
    notes, forwarders = [], set()
    for path in files:
        for name, line in _includes(path.read_bytes()):
            place, meant = _meant(name, [path.parent, root], alike, top)
            new = _named_so(path.parent, name) if "\\" in name else place
            if meant is None or new is None or not _is_free(new, top):
                continue
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(f'#include "{os.path.relpath(meant, new.parent)}"\n', "utf-8")
            forwarders.add(new.relative_to(top).as_posix())
            text = f'"{name}" is taken for {meant.relative_to(top).as_posix()}'
            notes.append(message(path.relative_to(top).as_posix(), text, line))
    return notes, sorted(forwarders)


def _includes(source: bytes) -> Iterator[tuple[str, int]]:
    source = source.removeprefix(BOM_UTF8)
    for match in _INCLUDE.finditer(source):
        with suppress(UnicodeDecodeError):
            yield match[1].decode("utf-8"), source.count(b"\n", 0, match.start()) + 1


def _named_so(folder: Path, name: str) -> Path | None:
    path = folder / name
    if ".." in path.parts and not path.parent.is_dir():
        return None
    return Path(os.path.normpath(path))


def _is_free(new: Path, top: Path) -> bool:
    if not new.is_relative_to(top) or new.is_dir():
        return False
    return not any(path.is_file() for path in (new, *new.parents))


def _meant(
    name: str, folders: Sequence[Path], alike: Mapping[str, Sequence[Path]], top: Path
) -> tuple[Path | None, Path | None]:
    """Return an include's place and the file there but for its spelling.

    None if a file is at one of the places, or several are alike.
    """
    if any(place.exists() for place in _within(top, name, folders)):
        return None, None
    for place in _within(top, name.replace("\\", "/"), folders):
        files = alike.get(str(place).lower(), ())
        meant = [file for file in files if file == place] or files
        if len(meant) == 1 and not any(parent.is_file() for parent in place.parents):
            return place, meant[0]
    return None, None


def _within(top: Path, name: str, folders: Sequence[Path]) -> list[Path]:
    places = (Path(os.path.normpath(folder / name)) for folder in folders)
    return [place for place in places if place.is_relative_to(top) and place != top]


def unused_files(folder: Path, rules: Iterable[Path], known: Set[str]) -> list[str]:
    """Return code files that nothing compiled includes, but for ``known`` ones.

    ``rules`` are what the compiler wrote for make.
    """
    top = folder.resolve()
    included = {
        (top / _name_in_rule(name)).resolve()
        for rule in rules
        for name in _DEPENDENCY.findall(rule.read_text(errors="surrogateescape"))
    }
    code = (path for path in sorted(top.rglob("*")) if path.suffix.lower() in _CODE_SUFFIXES)
    unused = (path for path in code if path not in included and path.is_file())
    names = (path.relative_to(top).as_posix() for path in unused)
    return [name for name in names if name not in known]


def definitions_beside(folder: Path, header: str) -> str:
    """Return the file with the definitions of a header in its folder, if nothing includes it."""
    if not header.endswith(".h"):
        return ""
    stem = header.removesuffix(".h")
    names = [f"{stem}{suffix}" for suffix in (".cpp", ".cc", ".cxx")]
    there = [name for name in names if (folder / name).is_file()]
    files = (path for path in folder.rglob("*") if path.suffix.lower() in _CODE_SUFFIXES)
    included = {
        name.replace("\\", "/").rpartition("/")[2]
        for path in files
        if path.is_file()
        for name, _ in _includes(path.read_bytes())
    }
    return there[0] if len(there) == 1 and there[0] not in included else ""


def _name_in_rule(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name).replace("$$", "$")


def hints_at_definitions(folder: Path, uncompiled: Iterable[str]) -> list[CompilerMessage]:
    """Return what to do with files that may define what the linker misses, a header's functions."""
    headers = ((name, (folder / name).with_suffix(".h")) for name in uncompiled)
    return [
        message(
            name,
            "this file is not compiled, since nothing includes it: write"
            f' #include "{Path(name).name}" at the end of {header.name}',
        )
        for name, header in headers
        if header.is_file() and header != folder / name
    ]
