"""Chooses what is read of a student's archive: the files that an agent may need."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from grader.uploads.clutter import (
    build_output,
    clutter_folder,
    environment_of,
    environments,
    is_systems_own,
    is_unread,
    named_folders,
)
from grader.uploads.zip_names import EntryPath, LeftOut
from grader.uploads.zip_reader import (
    Archive,
    UploadLimits,
    check_paths,
    check_sizes,
    contents_of,
    entries_of,
)


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of an upload."""

    files: dict[str, bytes]
    """Regular files by name."""
    left_out: tuple[LeftOut, ...]
    """Files with odd names: they were not read."""
    unread: Mapping[str, int] = field(default_factory=dict)
    """Documents, pictures and programs, which no agent reads, with their sizes: they were not read
    either."""
    folders: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The sizes of files that tools add or build, by folder; none was read. ``""``: elsewhere."""


def read_upload_zip(file: BinaryIO, limits: UploadLimits) -> Contents:
    """The regular files of an archive by name, without those that systems and tools add.

    These are left out before anything else is asked of them, and never unpacked; they only count as
    entries. Files with odd names are left out unread as well, and named: an agent may not need
    them. So are files that no agent reads, and folders of build tools unless a source names them.

    Raises UploadRejected, and nothing else, for anything unusual.
    """
    archive = Archive(file)
    paths, folders = _without_clutter(entries_of(archive, limits))
    check_paths(paths, limits)
    files = {path.name: path for path in paths if not path.oddity and not path.is_folder}
    unread = {name: path.entry.file_size for name, path in files.items() if is_unread(name)}
    output = build_output([name for name in files if name not in unread])
    chosen = [path for name, path in files.items() if name not in unread and name not in output]
    check_sizes(chosen, limits)
    contents = contents_of(archive, chosen)
    named = named_folders(frozenset(output.values()), contents)
    more = [files[name] for name, folder in output.items() if folder in named]
    check_sizes([*chosen, *more], limits)
    contents |= contents_of(archive, more)
    for name, folder in output.items():
        if folder not in named:
            folders.setdefault(folder, []).append(files[name].entry.file_size)
    return Contents(
        files=contents,
        left_out=tuple(
            LeftOut(path.name, path.oddity) for path in paths if path.oddity and not path.is_folder
        ),
        unread=unread,
        folders=folders,
    )


def _without_clutter(
    paths: Sequence[EntryPath],
) -> tuple[list[EntryPath], dict[str, list[int]]]:
    known = environments(path.name for path in paths)
    others: list[EntryPath] = []
    folders: dict[str, list[int]] = {}
    for path in paths:
        environment = environment_of(path.name, known)
        if not path.is_clutter and not environment:
            others.append(path)
        elif not path.is_folder and not is_systems_own(path.name):
            folder = environment or clutter_folder(path.name)
            folders.setdefault(folder, []).append(path.entry.file_size)
    return others, folders
