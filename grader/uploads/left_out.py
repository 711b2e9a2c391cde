"""Words for what was left out of an upload: folders with their sizes, and files."""

from collections.abc import Mapping, Sequence
from typing import Final

from grader.core.words import byte_words, counted
from grader.uploads.zip_names import quoted

_MOST_FOLDERS: Final = 6
_MOST_FILES: Final = 3


def notes_on(folders: Mapping[str, Sequence[int]], unread: Mapping[str, int]) -> list[str]:
    """Return notes on what was left out: the sizes of files by folder, and of files that no agent
    reads.

    The folder ``""`` stands for files in all others.
    """
    notes = []
    if folders:
        largest = sorted(folders, key=lambda name: (-sum(folders[name]), name))
        told = [
            _sized(quoted(name) if name else "elsewhere", folders[name])
            for name in largest[:_MOST_FOLDERS]
        ]
        if rest := largest[_MOST_FOLDERS:]:
            sizes = [size for name in rest for size in folders[name]]
            told.append(_sized(counted(len(rest), "other folder"), sizes))
        notes.append(f"left out: {', '.join(told)}; no agent needs what tools add or build")
    return notes + unused(unread, "no agent reads documents, media or compiled programs")


def unused(files: Mapping[str, int], reason: str) -> list[str]:
    """Return a note on files that were left out; none if there are none."""
    if not files:
        return []
    names, size = sorted(files), sum(files.values())
    named = ", ".join(map(quoted, names[:_MOST_FILES]))
    more = len(names) - _MOST_FILES
    others = f" and {counted(more, 'other file')}" if more > 0 else ""
    return [f"not used: {named}{others}{f' ({byte_words(size)})' if size else ''}; {reason}"]


def _sized(name: str, sizes: Sequence[int]) -> str:
    return f"{name} ({counted(len(sizes), 'file')}, {byte_words(sum(sizes))})"
