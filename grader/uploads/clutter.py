"""Recognises files that systems, editors and compilers add, and files that no agent reads."""

import re
from typing import Final

_FOLDERS: Final = frozenset(
    {
        *(".git", ".hg", ".svn", ".github", ".gitlab"),
        *(".idea", ".vs", ".vscode", ".settings", ".metadata", ".fleet", ".zed", "nbproject"),
        *("venv", ".venv", ".tox", ".nox", ".eggs", "__pycache__", ".ipynb_checkpoints"),
        *(".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".cache"),
        *(".gradle", ".mvn", ".bsp", ".metals", ".kotlin", "node_modules"),
        *(".stack-work", "dist-newstyle", ".cabal-sandbox", ".hie"),
        *("CMakeFiles", "cmake-build-debug", "cmake-build-release", ".ccls-cache", ".clangd"),
        *("xcuserdata", "__MACOSX", ".Trashes", ".fseventsd", ".Spotlight-V100"),
    }
)
_FILES: Final = frozenset({".ds_store", "thumbs.db", "desktop.ini", "icon\r", "module-info.java"})
"""In lower case: the systems that add them do not tell capitals apart. Editors add the last one to
projects in Java: it would make a module of the agent, which then finds no other code."""
_ENDINGS: Final = (".pyc", ".class")
"""Whatever the sources are compiled to, their compiler writes it again."""
_ATTRIBUTES: Final = re.compile(r"(?:^|/)\._[^/]*\.[^/]*$")
"""A file in which macOS keeps another one's attributes: ``._agent.py``."""
_UNREAD: Final = (
    *(".pdf", ".ps", ".eps", ".dvi", ".djvu"),
    *(".doc", ".docx", ".odt", ".rtf", ".ppt", ".pptx", ".odp"),
    *(".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".heic", ".ico", ".icns"),
    *(".svg", ".psd", ".xcf", ".mp3", ".wav", ".ogg", ".flac", ".m4a"),
    *(".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".wmv"),
    *(".tex", ".aux", ".bbl", ".synctex.gz", ".ipynb", ".pages", ".key", ".xlsx", ".drawio"),
    *(".exe", ".dll", ".dylib", ".pdb", ".ilk", ".idb", ".pch", ".ipch", ".sdf", ".hi"),
    *(".pyo", ".o", ".dyn_o", ".dyn_hi", ".so", ".a", ".lib", ".out"),
    *(".log", ".iml", ".suo", ".sln", ".vcxproj", ".filters", ".swp"),
)
"""Documents, pictures, sound, films, logs, settings of editors, and the output of compilers: no
interface reads them. Tables, texts and archives are not listed: they may be an agent's data."""


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
    return name.lower().endswith(_UNREAD) or _ATTRIBUTES.search(name) is not None
