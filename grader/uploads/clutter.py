"""Recognises files that systems, editors and compilers add, and files that no agent reads."""

from typing import Final

__all__ = ["is_clutter", "is_unread"]

_FOLDERS: Final = frozenset(
    {
        *(".git", ".svn", ".idea", ".vs", ".vscode", ".settings", ".gradle"),
        *("venv", ".venv", "node_modules", "__pycache__", "__MACOSX"),
    }
)
_FILES: Final = frozenset({".ds_store", "thumbs.db", "desktop.ini", "icon\r", "module-info.java"})
"""In lower case: the systems that add them do not tell capitals apart. Editors add the last one to
projects in Java: it would make a module of the agent, which then finds no other code."""
_ENDINGS: Final = (".pyc", ".class", ".o")
_UNREAD: Final = (
    *(".pdf", ".ps", ".eps", ".dvi", ".djvu"),
    *(".doc", ".docx", ".odt", ".rtf", ".ppt", ".pptx", ".odp"),
    *(".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".heic", ".ico", ".icns"),
    *(".svg", ".psd", ".xcf", ".mp3", ".wav", ".ogg", ".flac", ".m4a"),
    *(".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".wmv"),
    *(".exe", ".dll", ".dylib", ".pdb", ".ilk", ".idb", ".pch", ".ipch", ".sdf", ".hi"),
)
"""Documents, pictures, sound, films, and the output of compilers: no interface reads them. Tables,
texts and archives are not listed: they may be an agent's data."""


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


def is_unread(name: str) -> bool:
    """Return whether a file's name ends like a document, picture, film or the like."""
    return name.lower().endswith(_UNREAD)
