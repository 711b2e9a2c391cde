"""Names of the entries of archives, which may be malicious: checked, and none ever written to.

Three kinds of names are no agent's. Dangerous ones lead elsewhere, or are another one to some
reader: the whole archive is refused. Clutter of systems is left out. Odd ones, such as
``C:notes.txt`` on a system without drives, are left out with a note: nothing but a file that the
agent does without can be called so.
"""

import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grader.core.errors import UploadRejected
from grader.uploads.clutter import is_clutter

PACK_PLAINLY: Final = "Pack only files and folders of your own project, with plain relative names."
UTF8_NAME: Final = 0x800
"""Flag of an entry whose name is in UTF-8."""
_PATH_BYTES: Final = 240
_MOST_COMPOSED: Final = 3
"""The number of times that a name can be longer before its letters are composed (NFC).

Composing takes quadratic time in the number of marks behind a letter: minutes for long names."""
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_SEPARATORS: Final = re.compile(r"[/\\]")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that are not seen, among them those that reverse text.

Unassigned ones too: later versions of Unicode may give them another look."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that was left out of an upload, unread."""

    name: str
    reason: str
    """The oddity of its name: ``has a drive letter``."""

    def __str__(self) -> str:
        """A phrase with nothing invisible in it: ``'C:notes.txt' has a drive letter``."""
        return f"{quoted(self.name)} {self.reason}"


@dataclass(frozen=True, slots=True)
class EntryPath:
    """An entry and its checked path."""

    entry: zipfile.ZipInfo
    name: str
    """Normalised; empty for the archive's own folder ``./``."""
    is_folder: bool
    is_clutter: bool
    """True if the entry is left out unread. It may be anything, if its path is safe."""
    oddity: str
    """Why it is left out, and named; empty if it is not."""


def raw_name(entry: zipfile.ZipInfo) -> bytes:
    """Return the name's bytes in the archive, which zipfile has decoded by the entry's flag."""
    coding = "utf-8" if entry.flag_bits & UTF8_NAME else "cp437"
    return entry.orig_filename.encode(coding)


def is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def path_of(entry: zipfile.ZipInfo) -> EntryPath:
    """Return an entry's checked path. Raises UploadRejected for a dangerous one."""
    declared = _intended_name(entry)
    if len(raw_name(entry)) <= _MOST_COMPOSED * _PATH_BYTES:  # a longer one is odd in any case
        declared = unicodedata.normalize("NFC", declared)
    if danger := _danger(declared):
        raise UploadRejected(f"The entry {quoted(declared)} {danger}.", PACK_PLAINLY)
    name = "/".join(part for part in declared.split("/") if part not in {"", "."})
    is_folder = declared.endswith("/")
    clutter = is_clutter(name, is_folder=is_folder)
    return EntryPath(entry, name, is_folder, clutter, "" if clutter else _oddity(declared))


def is_plain(name: str) -> bool:
    """Return whether a file of this name, without folders, would be kept of an archive."""
    if not name.isprintable() or "/" in name or is_clutter(name, is_folder=False):
        return False
    return not _danger(name) and not _oddity(name)


def _intended_name(entry: zipfile.ZipInfo) -> str:
    """Return the entry's name as its maker meant it, as far as that can be known.

    Several programs write UTF-8 without saying so; others an unnamed code page, so that letters
    beyond ASCII may change. Libraries on Windows, old .NET among them, have backslashes between
    folders.
    """
    raw = raw_name(entry)
    # Else by code page 437, which is zipfile's guess where nothing is said.
    name = raw.decode("utf-8") if is_utf8(raw) else entry.orig_filename
    return name if "/" in name else name.replace("\\", "/")


def _danger(name: str) -> str:
    """Return why a path could lead elsewhere, or be another one to some reader.

    Readers on Windows take a backslash for a slash, and leave out a drive, blanks at an end.
    """
    parts = name.split("/")
    pieces = _SEPARATORS.split(name)
    relative = [_without_drive(piece).rstrip(" ") for piece in pieces]
    return _first(
        {
            "has an empty name": parts[-1] == "." or not name,
            "has an absolute path": name.startswith(("/", "\\")),
            "has a drive letter": any(map(_DRIVE.fullmatch, pieces)),
            "leads out of the archive": ".." in relative,
            "has an empty folder name": "//" in name,
            "has an invisible or control character in its name": "\0" in name,
        }
    )


def _without_drive(piece: str) -> str:
    return piece[2:] if _DRIVE.match(piece) else piece


def _oddity(name: str) -> str:
    return _first(
        {
            "has a drive letter": any(map(_DRIVE.match, name.split("/"))),
            "has a backslash in its name": "\\" in name,
            "has an invisible or control character in its name": any(
                unicodedata.category(character) in _INVISIBLE for character in name
            ),
            f"has a name of more than {_PATH_BYTES} bytes": len(name.encode()) > _PATH_BYTES,
        }
    )


def check_collisions(
    kept: Iterable[EntryPath], odd: Iterable[EntryPath], *, most_paths: int
) -> None:
    """No two paths are the same file, or a file and a folder, on any system.

    Folders may occur in many names. Case and the several ways to write a letter in Unicode make no
    difference to some systems, so they make none to us. Nor may an ``odd`` path be one that is
    kept, as Windows reads it. Raises UploadRejected, also for more than ``most_paths`` files and
    folders that are kept: a short name can be of a hundred folders.
    """
    claims: dict[str, tuple[str, bool]] = {}
    for entry in kept:
        for key, path, is_folder in _steps(entry, entry.name):
            claim = claims.get(key)
            if claim is not None and (claim != (path, is_folder) or not is_folder):
                raise _collision(claim[0], path)
            claims[key] = (path, is_folder)
        if len(claims) > most_paths:
            raise UploadRejected(
                f"The archive has more than {most_paths} files and folders.",
                "Leave out what the agent does not need.",
            )
    for entry in odd:
        for key, _, is_folder in _steps(entry, _read_by_windows(entry.name)):
            claim = claims.get(key)
            if claim is not None and not (claim[1] and is_folder):
                raise _collision(claim[0], entry.name)


def _read_by_windows(name: str) -> str:
    """The name with slashes and without drives; empty if none that is kept is as long."""
    pieces = map(_without_drive, _SEPARATORS.split(name))
    read = "/".join(piece for piece in pieces if piece not in {"", "."})
    return read if len(read.encode()) <= _PATH_BYTES else ""


def _steps(entry: EntryPath, name: str) -> Iterator[tuple[str, str, bool]]:
    path = key = ""
    *parents, last = name.split("/")
    for part, folder in (*((parent, True) for parent in parents), (last, entry.is_folder)):
        path, key = f"{path}{part}", f"{key}{_folded(part)}"
        yield key, path, folder
        path, key = f"{path}/", f"{key}/"


@lru_cache(maxsize=4096)
def _folded(part: str) -> str:
    """Return what all names are that some system takes for this part of a path."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", part).casefold())


def _collision(one: str, other: str) -> UploadRejected:
    return UploadRejected(
        f"The names {quoted(one)} and {quoted(other)} are the same on some systems.",
        "Rename or leave out one of them.",
    )


def _first(faults: dict[str, bool]) -> str:
    return next((fault for fault, present in faults.items() if present), "")


def quoted(name: str) -> str:
    """A name for messages: invisible characters are escaped, and long names are cut."""
    text = repr(name if len(name) <= 80 else name[:79] + "…")
    return text if len(text) <= 160 else f"{text[:158]}…'"
