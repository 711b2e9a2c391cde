"""Reads zip archives that may be malicious: everything is bounded, nothing is written.

The standard library parses the directory of the archive. Names, types, sizes, positions and
contents are then checked here: ``zipfile`` extracts whatever it can, and we refuse everything
ambiguous, so that no two readers can see two different submissions. That uploads are packed again
at once spares none of these checks: what is stored must be what the author's own program shows.
"""

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from grader.core.errors import UploadRejected
from grader.uploads.clutter import is_clutter

__all__ = ["UploadLimits", "read_zip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadLimits:
    """The maximum size of an upload."""

    packed_bytes: int = 1 << 20
    unpacked_bytes: int = 5 << 20
    files: int = 200


_ENTRIES_PER_FILE: Final = 5
"""Folders and what systems add to archives are not counted as files, but bounded too."""
_PATH_BYTES: Final = 240
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
_UTF8_NAME: Final = 0x800
_SIZES_FOLLOW: Final = 0x8
_MAX_DESCRIPTOR_BYTES: Final = 24
"""The size of a descriptor after the data: checksum, two sizes of up to eight bytes, and a mark."""
_LOCAL_HEADER: Final = struct.Struct("<4s2xHH4xLLLHH")
_LOCAL_MAGIC: Final = b"PK\x03\x04"
_ENTRY_MAGIC: Final = b"PK\x01\x02"
_END_RECORD: Final = struct.Struct("<4s6xHL4xH")
_END_MAGIC: Final = b"PK\x05\x06"
_ZIP64_LOCATOR: Final = b"PK\x06\x07"
_ZIP64_LOCATOR_BYTES: Final = 20
_COUNTED_IN_ZIP64: Final = 0xFFFF
"""The mark of a number of entries that another record has."""
_IN_ZIP64: Final = 0xFFFFFFFF
"""The mark of a size that an extra field has."""
_MS_DOS: Final = 0
"""The system that an entry claims to be made on."""
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that are not seen, among them those that reverse text.

Unassigned ones too: later versions of Unicode may give them another look."""

_PACK_AGAIN: Final = "Pack your files again with your system's own zip program."


def read_zip(data: bytes, limits: UploadLimits) -> dict[str, bytes]:
    """The regular files of an archive by name, without those that systems add by themselves.

    These are left out before anything else is asked of them, and never unpacked; they count as
    entries, of which there may be five times as many as files.

    Raises UploadRejected, and nothing else, for anything unusual.
    """
    if len(data) > limits.packed_bytes:
        raise UploadRejected(
            f"The archive has {len(data)} bytes; at most {limits.packed_bytes} are allowed.",
            "Leave out what the agent does not need.",
        )
    listed = _check_end(data, limits)
    entries, directory_at = _directory(data)
    if listed not in {len(entries), _COUNTED_IN_ZIP64}:
        raise UploadRejected(
            f"The archive says that it has {listed} entries, and has {len(entries)}.", _PACK_AGAIN
        )
    _check_spans(data, entries, directory_at)
    paths = [path for path in map(_path, entries) if not path.is_clutter]
    for path in paths:
        _check_kind(path)
    _check_collisions((path.name, path.is_folder) for path in paths if path.name)
    files = [path for path in paths if not path.is_folder]
    _check_sizes([path.entry for path in files], limits)
    return {path.name: _content(data, path.entry, path.name) for path in files}


def _check_end(data: bytes, limits: UploadLimits) -> int:
    """Number of entries by the archive's last record, which nothing follows.

    Each entry begins with the same four bytes: so they are counted before one is read.
    """
    at = data.rfind(_END_MAGIC)
    if not 0 <= at <= len(data) - _END_RECORD.size:
        raise UploadRejected("This is not a readable zip archive.", _PACK_AGAIN)
    _, listed, directory_bytes, comment_bytes = _END_RECORD.unpack_from(data, at)
    if at + _END_RECORD.size + comment_bytes != len(data):
        raise UploadRejected("The archive goes on behind its end, or is cut off.", _PACK_AGAIN)
    is_zip64 = data.startswith(_ZIP64_LOCATOR, max(at - _ZIP64_LOCATOR_BYTES, 0))
    begin = 0 if is_zip64 else max(at - directory_bytes, 0)
    if (most := data.count(_ENTRY_MAGIC, begin, at)) > limits.files * _ENTRIES_PER_FILE:
        raise _too_many(most, limits)
    return int(listed)


def _directory(data: bytes) -> tuple[list[zipfile.ZipInfo], int]:
    """The entries as the archive's directory lists them, and where that begins."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.infolist(), archive.start_dir
    except UnicodeDecodeError as error:
        raise UploadRejected(
            "The archive has a file name that is not valid UTF-8.",
            "Use plain letters in file names.",
        ) from error
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        ValueError,
        OSError,
        OverflowError,
        struct.error,
    ) as error:
        raise UploadRejected(
            f"This is not a readable zip archive ({error}).", _PACK_AGAIN
        ) from error


def _too_many(count: int, limits: UploadLimits) -> UploadRejected:
    return UploadRejected(
        f"The archive has {count} entries; at most {limits.files} files are allowed.",
        "Leave out what the agent does not need, such as data sets and virtual environments.",
    )


def _raw_name(entry: zipfile.ZipInfo) -> bytes:
    """The name's bytes as they are in the archive: zipfile has decoded them by the entry's flag."""
    coding = "utf-8" if entry.flag_bits & _UTF8_NAME else "cp437"
    return entry.orig_filename.encode(coding)


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Path:
    """An entry and its checked path."""

    entry: zipfile.ZipInfo
    name: str
    """Normalised; empty for the archive's own folder ``./``."""
    is_folder: bool
    is_clutter: bool
    """True if the entry is left out unread. It may be anything, if its path is safe."""


def _path(entry: zipfile.ZipInfo) -> _Path:
    """Return an entry's checked path. Entries that are left out may have faulty paths, but not
    dangerous ones."""
    declared = unicodedata.normalize("NFC", _intended_name(entry))
    name = "/".join(part for part in declared.split("/") if part not in {"", "."})
    is_folder = declared.endswith("/")
    clutter = is_clutter(name, is_folder=is_folder)
    if fault := _name_danger(declared) or (None if clutter else _name_fault(declared)):
        raise UploadRejected(
            f"The entry {_quoted(declared)} {fault}.",
            "Pack only files and folders of your own project, with plain relative names.",
        )
    return _Path(entry, name, is_folder, clutter)


def _intended_name(entry: zipfile.ZipInfo) -> str:
    """The entry's name as its maker meant it, as far as that can be known.

    Several programs write UTF-8 without saying so; others the code page of their system, which
    no archive names: then letters beyond ASCII may become others. Old .NET, and so Windows
    PowerShell, has backslashes between folders, and says that it is MS-DOS.
    """
    raw = _raw_name(entry)
    # Else by code page 437, which is zipfile's guess where nothing is said.
    name = raw.decode("utf-8") if _is_utf8(raw) else entry.orig_filename
    if entry.create_system == _MS_DOS and "/" not in name:
        name = name.replace("\\", "/")
    return name


def _first(faults: dict[str, bool]) -> str | None:
    return next((fault for fault, present in faults.items() if present), None)


def _name_danger(name: str) -> str | None:
    """Return why a path could lead elsewhere, or be another one to some reader."""
    parts = name.split("/")
    return _first(
        {
            "has an empty name": parts[-1] == "." or not name,
            "has an absolute path": name.startswith("/"),
            "has a drive letter": any(map(_DRIVE.match, parts)),
            "has a backslash in its name": "\\" in name,
            "leads out of the archive": ".." in parts,
            "has an empty folder name": "//" in name,
            "has an invisible or control character in its name": "\0" in name,
        }
    )


def _name_fault(name: str) -> str | None:
    """Return any other fault of the path of an entry that is kept."""
    return _first(
        {
            "has an invisible or control character in its name": any(
                unicodedata.category(character) in _INVISIBLE for character in name
            ),
            f"has a name of more than {_PATH_BYTES} bytes": len(name.encode()) > _PATH_BYTES,
        }
    )


def _check_spans(data: bytes, entries: Sequence[zipfile.ZipInfo], directory_at: int) -> None:
    """The entries' bytes fill the archive up to its directory, and none belongs to two of them.

    What lies between them could be another file to a reader that ignores the directory.
    """
    reached, slack = 0, 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        _check_gap(entry.header_offset - reached, slack)
        reached = _end(data, entry)
        slack = _MAX_DESCRIPTOR_BYTES if entry.flag_bits & _SIZES_FOLLOW else 0
    _check_gap(directory_at - reached, slack)


def _check_gap(length: int, slack: int) -> None:
    if length < 0:
        raise UploadRejected("Entries of the archive overlap, as in a zip bomb.", _PACK_AGAIN)
    if length > slack:
        raise UploadRejected("The archive has data that belongs to no file in it.", _PACK_AGAIN)


def _body(data: bytes, entry: zipfile.ZipInfo) -> int:
    """Position of an entry's compressed bytes, behind its local header, which must agree."""
    start = entry.header_offset
    if not 0 <= start <= len(data) - _LOCAL_HEADER.size:
        raise _damaged(entry)
    magic, flags, method, crc, packed, size, name_length, extra_length = _LOCAL_HEADER.unpack_from(
        data, start
    )
    name_at = start + _LOCAL_HEADER.size
    if magic != _LOCAL_MAGIC or data[name_at : name_at + name_length] != _raw_name(entry):
        raise _damaged(entry)
    if (flags ^ entry.flag_bits) & _UTF8_NAME and not _is_utf8(_raw_name(entry)):
        raise _damaged(entry)
    if method != entry.compress_type or (flags ^ entry.flag_bits) & _ENCRYPTED:
        raise _damaged(entry)
    declared = ((crc, entry.CRC), (packed, entry.compress_size), (size, entry.file_size))
    later = {0, _IN_ZIP64} if flags & _SIZES_FOLLOW else {_IN_ZIP64}
    if any(here != there and here not in later for here, there in declared):
        raise _damaged(entry)
    return int(name_at + name_length + extra_length)


def _end(data: bytes, entry: zipfile.ZipInfo) -> int:
    end = _body(data, entry) + entry.compress_size
    if end > len(data):
        raise _damaged(entry)
    return end


def _damaged(entry: zipfile.ZipInfo) -> UploadRejected:
    name = _quoted(entry.orig_filename)
    return UploadRejected(f"The archive is damaged, or contradicts itself, at {name}.", _PACK_AGAIN)


def _check_kind(path: _Path) -> None:
    entry, name = path.entry, path.name
    kind = stat.S_IFMT(entry.external_attr >> 16)
    expected = stat.S_IFDIR if path.is_folder else stat.S_IFREG
    if kind not in {0, expected}:
        what = "a link" if stat.S_ISLNK(kind) else "not a regular file"
        raise UploadRejected(
            f"The entry {_quoted(name)} is {what}.", "Pack only regular files and folders."
        )
    if entry.flag_bits & _ENCRYPTED:
        raise UploadRejected(
            f"The entry {_quoted(name)} is encrypted.", "Pack your files without a password."
        )
    if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise UploadRejected(
            f"The entry {_quoted(name)} uses an unusual compression method.", _PACK_AGAIN
        )
    if path.is_folder and (entry.file_size or entry.compress_size > 2):
        raise _damaged(entry)


def _check_collisions(named: Iterable[tuple[str, bool]]) -> None:
    """No two paths are the same file, or a file and a folder, on any system.

    Folders may occur in many names. Case and the several ways to write a letter in Unicode make no
    difference to some systems, so they make none to us. ``named`` are paths, and whether folders.
    """
    folded = _Folded()
    claims: dict[str, tuple[str, bool]] = {}
    for name, is_folder in named:
        *parents, last = name.split("/")
        path = key = ""
        for part, folder in (*((parent, True) for parent in parents), (last, is_folder)):
            path, key = f"{path}{part}", f"{key}{folded[part]}"
            claim = claims.get(key)
            if claim is not None and (claim != (path, folder) or not folder):
                raise _collision(claim[0], path)
            claims[key] = (path, folder)
            path, key = f"{path}/", f"{key}/"


class _Folded(dict[str, str]):
    """Parts of paths, each folded once: the longest names are the slowest."""

    def __missing__(self, part: str) -> str:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", part).casefold())
        self[part] = folded
        return folded


def _collision(one: str, other: str) -> UploadRejected:
    return UploadRejected(
        f"The names {_quoted(one)} and {_quoted(other)} are the same on some systems.",
        "Rename or leave out one of them.",
    )


def _check_sizes(entries: Sequence[zipfile.ZipInfo], limits: UploadLimits) -> None:
    """By the sizes that the archive declares; ``_content`` holds it to them."""
    if len(entries) > limits.files:
        raise _too_many(len(entries), limits)
    total = sum(entry.file_size for entry in entries)
    if total > limits.unpacked_bytes:
        raise UploadRejected(
            f"Unpacked it has {total} bytes; at most {limits.unpacked_bytes} are allowed.",
            "Leave out what the agent does not need.",
        )


def _content(data: bytes, entry: zipfile.ZipInfo, name: str) -> bytes:
    """One file, inflated no further than one byte beyond the size it declares."""
    start = _body(data, entry)
    packed = data[start : start + entry.compress_size]
    if entry.compress_type == zipfile.ZIP_STORED:
        content = packed
    else:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(packed, entry.file_size + 1)
        except zlib.error as error:
            raise _damaged(entry) from error
        if not inflater.eof or inflater.unused_data:
            raise _lying(name)
    if len(content) != entry.file_size:
        raise _lying(name)
    if zlib.crc32(content) != entry.CRC:
        raise _damaged(entry)
    return content


def _lying(name: str) -> UploadRejected:
    return UploadRejected(
        f"The file {_quoted(name)} does not have the size that the archive declares.", _PACK_AGAIN
    )


def _quoted(name: str) -> str:
    """A name for messages: invisible characters are escaped, and long names are cut."""
    return repr(name if len(name) <= 80 else name[:79] + "…")
