"""Compiles a submission's files and reports on them; only a trial game executes any."""

import ast
import marshal
import os
import re
import sys
from collections.abc import Sequence, Set
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import Any, Final, TypedDict, cast

from firebox.loading import RESERVED
from firebox.requirements import missing_imports
from firebox.sources import (
    Message,
    Modules,
    chosen_class,
    compile_folder,
    compile_source,
    installed_copies,
    message,
    module_name,
    python_files,
    reached,
    sort_complaints,
    write_report,
)

from .adapting import adapted
from .agent_class import METHOD, NoEntry, SeveralAgents, find_entry
from .names import SIMULATOR_MODULES
from .old_modules import NAMES as OLD_MODULES
from .python2_detection import (
    has_syntax_of_python_3,
    looks_like_python_2,
    may_be_python_2,
    own_methods,
    says_python_3,
)
from .translate import Untranslatable, translated
from .trial import BuiltUpload, NewError, error_of_python_3

_RENAMED_MODULES: Final = frozenset({
    "BaseHTTPServer", "ConfigParser", "Cookie", "HTMLParser", "Queue", "SimpleHTTPServer",
    "SocketServer", "StringIO", "Tkinter", "UserList", "UserString", "__builtin__", "cPickle",
    "cStringIO", "commands", "cookielib", "copy_reg", "dummy_thread", "htmlentitydefs", "httplib",
    "robotparser", "thread", "ttk", "urllib2", "urlparse", "xmlrpclib",
})  # fmt: skip
"""Modules of Python 2 whose imports are translated, which may follow a trial."""
_KNOWN_MODULES: Final = SIMULATOR_MODULES | OLD_MODULES | _RENAMED_MODULES
_DEPTH: Final = 5000
"""The recursion limit of the build's process: sources are trees, and translators walk them."""
_NEVER_CLOSED: Final = "was never closed"
_NAMED_FILES: Final = 10
_RELATIVE: Final = re.compile(rb"^[ \t]*from[ \t]+\.", re.MULTILINE)
_FROM_PACKAGE: Final = rb"^[ \t]*(?:from|import)[ \t]+%b(?:\.|[ \t]+import[ \t(]+)([A-Za-z0-9_]+)"
"""The import of a module of a package, by the package's name. Python 2 is read, too."""
_TRIED: Final = "Python 3 fails here in a trial game, where Python 2 would have gone on:"
_TRANSLATED: Final = (
    "This is Python 2. It was translated to Python 3 by lib2to3, and / divides whole numbers as it"
    " did there. Should the versions differ in anything else, the change is yours to make."
    " If it is Python 3, write # python3 into its first line: then it stays as it is"
)


class Artefact(TypedDict):
    """The result of a build step, in the form of ``marshal``."""

    modules: Modules
    module: str
    """Name of the agent's module, and of its class there."""
    agent: str
    translated: dict[str, str]
    """By file name, the text of what was in Python 2, for messages."""


def main_build(agent_dir: str | os.PathLike[str], out_fd: int) -> None:
    """Write one line of JSON, ``{"ok", "messages", "bytes"}``, and then that many bytes of code."""
    sys.setrecursionlimit(_DEPTH)
    artefact, messages = build_sources(Path(agent_dir))
    # A type checker does not see that it is a plain dictionary.
    code = b"" if artefact is None else marshal.dumps(cast("Any", artefact))
    write_report(out_fd, messages, code)


def build_sources(
    top: Path, *, failed: NewError | None = None
) -> tuple[Artefact | None, list[Message]]:
    """The outcome, ``None`` if the submission cannot be played, and what to tell about it.

    All of it is taken for Python 2 if it ``failed`` in a way that Python 2 does not.
    """
    root = _root(top)
    compiler = _Compiler(root, old=failed is not None)
    modules, complaints = compile_folder(top, root, compiler.compile)
    if compiler.translated and failed is None:  # then all of it was written for Python 2
        compiler = _Compiler(root, old=True)
        modules, complaints = compile_folder(top, root, compiler.compile)
    notes = [*_note_on(list(compiler.translated), failed), *installed_copies(top)]
    try:
        files = {name: file for name, (_, _, file) in modules.items()}
        entry = find_entry(compiler.trees, files, chosen_class(top))
    except SeveralAgents as error:
        complaints, _ = _sorted(complaints, modules, [], top, root)
        return None, [message("", f"{error}."), *complaints, *notes]
    except NoEntry as error:
        return None, [*(complaints or [message("", f"{error}.")]), *notes]
    complaints, left_out = _sorted(complaints, modules, [entry.module], top, root)
    if not compiler.translated:
        complaints += missing_imports(top, modules, entry.module, _KNOWN_MODULES)
    if complaints:  # which come first: they are why it cannot be played
        return None, [*complaints, *notes]
    names = {name: f"{name}_" if name in compiler.shadowing else name for name in modules}
    named = {names[name]: module for name, module in modules.items()}
    module = names[entry.module]
    if entry.module.partition(".")[0] in {*RESERVED, "__main__"}:  # which may mean another one
        named[module := f"{module}_"] = modules[entry.module]
    return {
        "modules": named,
        "module": module,
        "agent": entry.agent,
        "translated": compiler.translated,
    }, [*notes, *left_out]


def main_trial(agent_dir: str | os.PathLike[str], built: bytes, out_fd: int) -> None:
    """Try what was ``built``; write the same line and code if it is Python 2, else that it is not.

    It is Python 2 if it fails in Python 3 as Python 2 does not, and not when it is translated. Runs
    the upload, unless it surely is in one of the two.
    """
    sys.setrecursionlimit(_DEPTH)
    top, artefact = Path(agent_dir), cast("Artefact", marshal.loads(built))  # noqa: S302 - ours
    other, messages = _other_than(artefact, top)
    write_report(out_fd, messages, b"" if other is None else marshal.dumps(cast("Any", other)))


def _other_than(artefact: Artefact, top: Path) -> tuple[Artefact | None, list[Message]]:
    if artefact["translated"] or _is_surely_new(top):
        return None, []
    if (failed := _failure(artefact, top)) is None:
        return None, []
    other, messages = build_sources(top, failed=failed)
    if other is None or not other["translated"]:
        return None, []
    is_better = _failure(other, top, turns=failed.turns + 1) is None
    return (other, messages) if is_better else (None, [])


def _failure(artefact: Artefact, top: Path, *, turns: int = 0) -> NewError | None:
    agent = BuiltUpload(
        artefact["modules"], artefact["module"], artefact["agent"], bool(artefact["translated"])
    )
    return error_of_python_3(agent, str(top), turns=turns)


def _is_surely_new(top: Path) -> bool:
    for path in python_files(_root(top)):
        source = path.read_bytes()
        if says_python_3(source):
            return True
        code = compile_source(source, path.name)
        if isinstance(code, CodeType) and has_syntax_of_python_3(ast.parse(source)):
            return True
    return False


def _sorted(
    complaints: list[Message], modules: Modules, entries: Sequence[str], top: Path, root: Path
) -> tuple[list[Message], list[Message]]:
    """Return the complaints if the agent cannot play for one of them, else notes instead.

    Without ``entries``, files that may hold an agent count as needed.
    """
    names = reached(modules, entries)

    def is_needed(file: str) -> bool:
        name, _ = module_name((top / file).relative_to(root))
        may_be_agent = not entries and METHOD in (top / file).read_text("latin-1")
        return may_be_agent or name in names

    return sort_complaints(complaints, is_needed)


def _root(top: Path) -> Path:
    """The folder whose files are imported by their own names: the first with more in it than one
    folder of files. It is the folder around that if the files name theirs when they import.
    """
    root = top
    while folder := _only_folder(root):
        if _is_package(folder):
            return root
        root = folder
    return root


def _only_folder(root: Path) -> Path | None:
    tops = {path.relative_to(root).parts[0] for path in python_files(root)}
    folder = root / tops.pop() if len(tops) == 1 else root
    return folder if folder != root and folder.is_dir() else None


def _is_package(folder: Path) -> bool:
    named = re.compile(_FROM_PACKAGE % re.escape(folder.name.encode()), re.MULTILINE)
    modules = _modules_in(folder)
    for path in python_files(folder):
        source = path.read_bytes()
        if path.parent == folder and _RELATIVE.search(source):
            return True
        if any(match[1].decode() in modules for match in named.finditer(source)):
            return True
    return False


class _Compiler:
    """Compiles one file after the other, and keeps what it saw of them."""

    def __init__(self, root: Path, *, old: bool = False) -> None:
        self._root = root
        self._old = old
        self._methods = _own_methods(root)
        self._own = _modules_in(root)
        self.trees: dict[str, ast.Module] = {}
        self.translated: dict[str, str] = {}
        self.shadowing: set[str] = set()
        """Modules that have a name of the simulator's and import it from there."""

    def compile(self, path: Path, file: str) -> CodeType | Message:
        """The file's code, or the complaint about it."""
        source = path.read_bytes()
        code = compile_source(source, file)
        tree = ast.parse(source) if isinstance(code, CodeType) else None
        siblings = self._siblings(path)
        own = self._own | siblings
        if not says_python_3(source) and (
            tree is None or self._old or self._is_old(source, tree, own)
        ):
            try:
                text = translated(source, own=own)
                tree = adapted(text, own=self._own, siblings=siblings)
            except Untranslatable as error:
                if not isinstance(code, CodeType):  # the complaint is that of Python 3
                    return _neither(code, error)
            else:
                code = compile_source(tree, file)
                self.translated[file] = text
        if isinstance(code, CodeType) and tree is not None:
            self._keep(path, tree)
        return code

    def _siblings(self, path: Path) -> set[str]:
        """Return the other modules in a file's package: Python 2 looked there first.

        A folder without ``__init__.py`` is no package: its modules hide no others of their names.
        """
        folder = path.parent
        if folder == self._root:
            return set()
        names = _modules_in(folder) - {path.stem}
        is_package = (folder / "__init__.py").is_file()
        return names if is_package else names - self._own - RESERVED - SIMULATOR_MODULES

    def _is_old(self, source: bytes, tree: ast.Module, own: Set[str]) -> bool:
        first, _, _ = source.partition(b"\n")
        starts = first.startswith(b"#!") and b"python2" in first
        if starts or looks_like_python_2(tree, self._methods, own):
            return True
        return may_be_python_2(tree, self._methods) and not self._is_surely_new

    @cached_property
    def _is_surely_new(self) -> bool:
        return _is_surely_new(self._root)

    def _keep(self, path: Path, tree: ast.Module) -> None:
        name, _ = module_name(path.relative_to(self._root))
        self.trees[name] = tree
        if name in SIMULATOR_MODULES and _imports(tree, name):
            self.shadowing.add(name)


def _modules_in(folder: Path) -> set[str]:
    return {path.name.removesuffix(".py") for path in folder.iterdir()}


def _note_on(files: Sequence[str], failed: NewError | None) -> list[Message]:
    if not files:
        return []
    others = ", ".join(files[1:_NAMED_FILES]) + (", …" if len(files) > _NAMED_FILES else "")
    text = f"{_TRANSLATED}." + (f" So are {others}." if others else "")
    if failed is None:
        return [message(files[0], text)]
    return [message(failed.file or files[0], f"{_TRIED} {failed.text}. {text}", failed.line)]


def _own_methods(root: Path) -> frozenset[str]:
    methods: set[str] = set()
    for path in python_files(root):
        source = path.read_bytes()
        if isinstance(compile_source(source, path.name), CodeType):
            methods |= own_methods(ast.parse(source))
    return frozenset(methods)


def _neither(complaint: Message, error: Untranslatable) -> Message:
    """Python 3's complaint; or Python 2's place, where that reads on beyond Python 3's.

    A bracket that is never closed is Python 3's to find: Python 2 stumbles over what follows it.
    """
    line, text = complaint["line"], complaint["text"]
    if error.line <= line or not line or text.endswith(_NEVER_CLOSED):
        return {**complaint, "text": f"{text} ({error})"}
    why = f"invalid syntax, also in Python 2 (Python 3 stops at line {line} already: {text})"
    return message(complaint["file"], why, error.line, error.column)


def _imports(tree: ast.Module, name: str) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(alias.name == name for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and node.module == name and not node.level:
            return True
    return False
