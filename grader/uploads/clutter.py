"""Files that systems, editors and compilers add to an agent's."""

from typing import Final

__all__ = ["is_clutter"]

_FOLDERS: Final = frozenset(
    {
        *(".git", ".svn", ".idea", ".vscode", ".settings", ".gradle"),
        *("venv", ".venv", "node_modules", "__pycache__", "__MACOSX"),
    }
)
_FILES: Final = frozenset({".ds_store", "thumbs.db", "desktop.ini", "icon\r", "module-info.java"})
"""In lower case: the systems that add them do not tell capitals apart. Editors add the last one to
projects in Java: it would make a module of the agent, which then finds no other code."""
_ENDINGS: Final = (".pyc", ".class", ".o")


def is_clutter(name: str, *, is_folder: bool) -> bool:
    """Return whether a path is never an agent's source.

    A file with the name of one of the folders may be a source.
    """
    *folders, last = name.split("/")
    if is_folder:
        folders.append(last)
    elif last.lower() in _FILES or last.endswith(_ENDINGS):
        return True
    return not _FOLDERS.isdisjoint(folders)
