"""Recognises files that systems, editors and compilers add, and files that no agent reads.

The rules are the same for an archive on the site and for a folder at home. They go by names alone,
but for one question: whether a source names a folder that is called like a build tool's.
"""

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import Final

_FOLDERS: Final = frozenset(
    {
        *(".git", "git~1", ".hg", ".svn", ".bzr", ".jj", "_darcs", ".github", ".gitlab"),
        *(".idea", ".vs", ".vscode", ".settings", ".metadata", ".fleet", ".zed", "nbproject"),
        *("venv", ".venv", ".tox", ".nox", ".eggs", "__pycache__", ".ipynb_checkpoints"),
        *("site-packages", "__pypackages__", "conda-meta", ".pixi", ".direnv", "htmlcov"),
        *(".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".cache"),
        *(".gradle", ".mvn", ".bsp", ".metals", ".kotlin", "node_modules", "bower_components"),
        *(".stack-work", "dist-newstyle", ".cabal-sandbox", ".hie"),
        *("cmakefiles", "cmake-build-debug", "cmake-build-release", ".ccls-cache", ".clangd"),
        *("xcuserdata", "deriveddata", "__macosx", ".trashes", ".fseventsd", ".spotlight-v100"),
    }
)
"""In lower case, as are the next two: a system that does not tell capitals apart takes ``.GIT`` for
a repository, and ``GIT~1`` is its short name on Windows."""
_FILES: Final = frozenset(
    {".git", ".ds_store", "thumbs.db", "desktop.ini", "icon\r", "module-info.java"}
)
"""A file ``.git`` leads to a repository elsewhere. Editors add the last one to projects in Java: it
would make a module of the agent, which then finds no other code."""
_SYSTEMS: Final = frozenset({"__macosx", ".ds_store", "thumbs.db", "desktop.ini", "icon\r"})
"""Added by systems by themselves: their users would wonder at a note on them."""
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
    *(".ttf", ".otf", ".woff", ".woff2", ".jar", ".war", ".whl", ".hprof"),
    *(".exe", ".dll", ".dylib", ".pdb", ".ilk", ".idb", ".pch", ".ipch", ".sdf", ".hi"),
    *(".pyo", ".o", ".dyn_o", ".dyn_hi", ".so", ".a", ".lib", ".out"),
    *(".log", ".iml", ".suo", ".sln", ".vcxproj", ".filters", ".swp"),
)
"""Documents, pictures, sound, films, logs, settings of editors, and the output of compilers: no
interface reads them. Tables, texts and archives are not listed: they may be an agent's data."""
_BUILDS: Final = frozenset(
    {"build", "target", "dist", "out", "bin", "obj", "debug", "release", "x64"}
)
"""Names, in lower case, of folders that build tools write; agents have folders of these names."""
_SOURCES: Final = (
    *(".py", ".java", ".hs", ".hs-boot", ".lhs"),
    *(".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx"),
)
_WEIGHTS: Final = (
    *(".npy", ".npz", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib", ".safetensors"),
    *(".h5", ".hdf5", ".onnx", ".weights", ".csv", ".tsv"),
)
"""Endings of tables and trained weights, which no build tool writes."""
_MANIFESTS: Final = ("manifest.in", ".cabal")
"""Endings of files that list the data of a package."""
_ANY_BUILD: Final = "|".join(sorted(_BUILDS)).encode()
_IN_SOURCE: Final = re.compile(rb"[\"'/\\](%b)(?=[\"'/\\])" % _ANY_BUILD, re.IGNORECASE)
_IN_MANIFEST: Final = re.compile(rb"(?<![\w.-])(%b)/" % _ANY_BUILD, re.IGNORECASE)
_ENVIRONMENT: Final = "pyvenv.cfg"
_IN_ENVIRONMENT: Final = re.compile(
    r"(?:(?:bin|Scripts)/(?!.*\.py$)|(?:include|Include|share|lib/python[^/]*|Lib/site-packages)/"
    r"|lib64(?:/|$))"
)
"""Paths that ``python -m venv`` makes. Students make it inside of their project, too."""
_LONGEST: Final = 240
"""Characters of a path that may be an agent's."""


def is_clutter(name: str, *, is_folder: bool) -> bool:
    """Return whether a path is never an agent's source.

    A file with the name of one of the folders may be a source.
    """
    *folders, last = name.split("/")
    if is_folder:
        folders.append(last)
    elif _on_windows(last) in _FILES or last.endswith(_ENDINGS):
        return True
    return not _FOLDERS.isdisjoint(map(_on_windows, folders))


def is_unread(name: str) -> bool:
    """Return whether a file's name ends like a document, picture, film or the like."""
    return name.lower().endswith(_UNREAD) or _ATTRIBUTES.search(name) is not None


def is_systems_own(name: str) -> bool:
    """Return whether clutter is what a system adds by itself."""
    return not _SYSTEMS.isdisjoint(name.lower().split("/"))


def clutter_folder(name: str) -> str:
    """Return the outermost folder that makes clutter of a path; empty if its own name does."""
    return next(_folders(name, _FOLDERS), "")


def environments(names: Iterable[str]) -> frozenset[str]:
    """Return the folders, with a slash at the end, that are virtual environments for Python."""
    return frozenset(
        name.removesuffix(_ENVIRONMENT)
        for name in names
        if name == _ENVIRONMENT or name.endswith(f"/{_ENVIRONMENT}")
    )


def environment_of(name: str, known: Collection[str]) -> str:
    """Return which of the environments a path belongs to; empty if it is none's."""
    if not known or len(name) > _LONGEST:
        return ""
    ends = (0, *(match.end() for match in re.finditer("/", name)))
    for end in ends:
        if name[:end] in known and _IN_ENVIRONMENT.match(name, end):
            return name[: end - 1] if end else "the virtual environment"
    return ""


def build_output(names: Collection[str]) -> dict[str, str]:
    """Return the files that lie in folders of build tools, with those folders.

    A folder that has a source or weights is an agent's own.
    """
    own = {
        folder
        for name in names
        if name.lower().endswith((*_SOURCES, *_WEIGHTS))
        for folder in _folders(name, _BUILDS)
    }
    output = {}
    for name in names:
        if folder := next((each for each in _folders(name, _BUILDS) if each not in own), ""):
            output[name] = folder
    return output


def named_folders(folders: Collection[str], files: Mapping[str, bytes]) -> frozenset[str]:
    """Return the folders whose names sources or manifests have as part of a path.

    An agent may read its data from a folder that is called like a build tool's.
    """
    named: set[str] = set()
    for file, data in files.items() if folders else ():
        if file.lower().endswith(_SOURCES):
            named.update(name.decode().lower() for name in set(_IN_SOURCE.findall(data)))
        elif file.lower().endswith(_MANIFESTS):
            named.update(name.decode().lower() for name in set(_IN_MANIFEST.findall(data)))
    return frozenset(each for each in folders if each.rpartition("/")[2].lower() in named)


def _on_windows(part: str) -> str:
    """Return the name that Windows takes a part of a path for: ``.git`` for ``.Git.`` as well.

    Staff unpack what they download, and a program at their prompt may ask a repository for its
    settings, which can name programs to run.
    """
    return part.partition(":")[0].rstrip(". ").lower()


def _folders(name: str, called: Container[str]) -> Iterator[str]:
    at = -1
    while (end := name.find("/", at + 1)) >= 0:
        if _on_windows(name[at + 1 : end]) in called:
            yield name[:end]
        at = end
