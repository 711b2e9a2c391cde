"""The copy of a submission that is compiled: all files, and the engine's headers by the entry."""

import os
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from firebox_native.builder import CompilerMessage, RefusedError, message, named_alike, skipped

from .engine import Engine
from .includes import forward_includes

_MAX_NAMES: Final = 5


@dataclass(slots=True)
class StagingArea:
    """A copy of a whole submission, to be compiled. Files keep the names of the upload."""

    top: Path
    root: Path
    """The entry's folder, relative to ``top``: includes start from it. Others are reached from
    there with ``../``."""
    ours: set[str] = field(default_factory=set)
    """Names of files that are not the submission's."""

    @property
    def folder(self) -> Path:
        """The entry's folder."""
        return self.top / self.root


def root_of(engine: Engine, top: Path) -> Path:
    """The folder of the entry, which is found wherever it lies; of several the one further up."""
    entry = engine.entry
    plain = [path for path in top.rglob("*") if not _is_hidden(path, top)]
    entries = sorted(named_alike(plain, entry), key=lambda path: (len(path.parts), path))
    if not entries:
        alike = _alike(engine, top)
        there = f", only {', '.join(alike)}" if alike else ""
        text = f"there is no {entry} in the submission{there}"
        text += "; name your file so"
        raise RefusedError([message(entry, text)])
    nearest = [path for path in entries if len(path.parts) == len(entries[0].parts)]
    if len(nearest) > 1:
        names = ", ".join(path.relative_to(top).as_posix() for path in nearest)
        raise RefusedError([message(entry, f"there are several ({names}); submit one of them")])
    return nearest[0].parent


def _alike(engine: Engine, top: Path) -> list[str]:
    ending, own = Path(engine.entry).suffix, engine.headers()
    paths = (path for path in sorted(top.rglob(f"*{ending}")) if not _is_hidden(path, top))
    names = [path.relative_to(top).as_posix() for path in paths if path.name not in own]
    return names[:_MAX_NAMES]


def _is_hidden(path: Path, top: Path) -> bool:
    return _is_left_out(path, top) or not path.is_file()


def _is_left_out(path: Path, top: Path) -> bool:
    """Return whether it is clutter, or a link: none lies in an upload, so none is followed."""
    return path.is_symlink() or any(map(skipped, path.relative_to(top).parts))


def stage_submission(engine: Engine, sources: Path, stage: StagingArea) -> list[CompilerMessage]:
    """Copy a submission but what the engine has; return notes about that.

    The engine's own headers lie beside the entry, as they did in the course: folders reach them
    with ``../Card.h``.
    """
    own = engine.headers()
    names = {header.lower() for header in own}
    entries = named_alike((sources / stage.root).iterdir(), engine.entry)
    _require_text(entries[0], entries[0].relative_to(sources).as_posix())
    shadowed = []
    for path in _plain_paths(sources):
        name = path.relative_to(sources)
        if path.is_dir():
            (stage.top / name).mkdir()
        elif path.name.lower() in names:
            shadowed.append(name)
        else:
            staged = name.with_name(engine.entry) if path in entries else name
            (stage.top / staged).write_bytes(path.read_bytes())
    for header in own:
        (stage.folder / header).write_bytes((engine.folder / header).read_bytes())
        stage.ours.add((stage.root / header).as_posix())
    _forward_copies(shadowed, own, stage)
    spelling, forwarders = forward_includes(stage.top, stage.folder)
    stage.ours.update(forwarders)
    why = "not used: the engine's own file is"
    return [*(message(name.as_posix(), why) for name in shadowed), *spelling]


def _require_text(path: Path, name: str) -> None:
    """Raise RefusedError for UTF-16, of which each letter would be an error."""
    if b"\0" in path.read_bytes():
        text = "this is UTF-16, or no text; have your editor save the file as UTF-8"
        raise RefusedError([message(name, text)])


def _plain_paths(top: Path) -> Iterator[Path]:
    yield top
    for path in sorted(top.rglob("*")):
        if not _is_left_out(path, top):
            yield path


def _forward_copies(copies: Iterable[Path], own: Set[str], stage: StagingArea) -> None:
    for copy in copies:
        if copy.name in own and copy.as_posix() not in stage.ours:
            header = os.path.relpath(stage.root / copy.name, copy.parent)
            (stage.top / copy).write_text(f'#include "{header}"\n', "utf-8")
            stage.ours.add(copy.as_posix())
