"""Reads zip archives that may be malicious: everything is bounded, nothing is written.

The standard library parses the directory of the archive. Names, types, sizes, positions and
contents are then checked here: ``zipfile`` extracts whatever it can, and we refuse everything
ambiguous, so that no two readers can see two different submissions. That uploads are packed again
at once spares none of these checks: what is stored must be what the author's own program shows.
"""

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import SEEK_END
from typing import BinaryIO, Final

from grader.core.errors import UploadRejected
from grader.uploads.misnamed import HEAD_BYTES, not_a_zip
from grader.uploads.zip_names import (
    PACK_PLAINLY,
    UTF8_NAME,
    EntryPath,
    LeftOut,
    check_collisions,
    is_utf8,
    path_of,
    quoted,
    raw_name,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadLimits:
    """The maximum size of an upload. Only the first three count what no agent reads.

    Files of weights (``WEIGHTS``) count in ``weight_bytes``, unpacked, and not in the two before
    ``files``.
    """

    archive_bytes: int = 50 << 20
    entries: int = 20_000
    directory_bytes: int = 8 << 20
    packed_bytes: int = 1 << 20
    unpacked_bytes: int = 5 << 20
    files: int = 200
    weight_bytes: int = 20 << 20


WEIGHTS: Final = (".onnx", ".npz", ".npy")
"""Endings, in lower case, of files with trained weights."""
_LARGEST_NAMED: Final = 3
_PATHS_PER_ENTRY: Final = 2
"""Files and folders, for each entry that is allowed: most of a project's folders have several."""
_END_BYTES: Final = (1 << 16) + 64
"""The longest end of an archive: its record with a comment, and the locator before it."""
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
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

_LEAVE_OUT: Final = "Leave out what the agent does not need."
_PIECE_BYTES: Final = 1 << 20
_PACK_AGAIN: Final = "Pack your files again with your system's own zip program."


class Archive:
    """The bytes of an archive, of which only those that are asked for are in memory."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.size = file.seek(0, SEEK_END)

    def read(self, at: int, length: int) -> bytes:
        """Return these bytes, or fewer at the end."""
        self.file.seek(at)
        return self.file.read(length)


def read_zip(data: bytes, limits: UploadLimits) -> dict[str, bytes]:
    """Return all files of an archive that we wrote, also those that no agent reads.

    Raises UploadRejected, and nothing else, for an odd name or anything else unusual.
    """
    archive = Archive(io.BytesIO(data))
    paths = entries_of(archive, limits)
    for odd in (path for path in paths if path.oddity):
        raise UploadRejected(f"The entry {LeftOut(odd.name, odd.oddity)}.", PACK_PLAINLY)
    check_paths(paths, limits)
    files = [path for path in paths if not path.is_folder]
    check_sizes(files, limits)
    return contents_of(archive, files)


def entries_of(data: Archive, limits: UploadLimits) -> list[EntryPath]:
    """Return an archive's entries, whose bytes are where they should be."""
    listed = _check_end(data, limits)
    entries, directory_at = _directory(data, limits)
    if data.size > limits.archive_bytes:
        raise UploadRejected(
            f"The archive has {data.size} bytes; at most {limits.archive_bytes} are allowed.",
            _advice([(entry.filename, entry.compress_size) for entry in entries]),
        )
    if listed not in {len(entries), _COUNTED_IN_ZIP64}:
        raise UploadRejected(
            f"The archive says that it has {listed} entries, and has {len(entries)}.", _PACK_AGAIN
        )
    _check_spans(data, entries, directory_at)
    return [path_of(entry) for entry in entries]


def check_paths(paths: Sequence[EntryPath], limits: UploadLimits) -> None:
    """Raises UploadRejected for links and the like, and for two paths that may be one file."""
    for path in paths:
        _check_kind(path)
    kept = [path for path in paths if path.name and not path.oddity]
    odd = [path for path in paths if path.oddity]
    check_collisions(kept, odd, most_paths=_PATHS_PER_ENTRY * limits.entries)


def contents_of(data: Archive, files: Sequence[EntryPath]) -> dict[str, bytes]:
    """Inflate files, which must have passed all checks. Raises UploadRejected for lying sizes."""
    return {path.name: _content(data, path.entry, path.name) for path in files}


def _check_end(data: Archive, limits: UploadLimits) -> int:
    """Number of entries by the archive's last record, which nothing follows.

    Each entry begins with the same four bytes: so they are counted before one is read.
    """
    behind = max(data.size - _END_BYTES, 0)
    tail = data.read(behind, _END_BYTES)
    at = tail.rfind(_END_MAGIC)
    if not 0 <= at <= len(tail) - _END_RECORD.size:
        head = data.read(0, HEAD_BYTES)
        if head.startswith(_LOCAL_MAGIC):
            raise UploadRejected("The archive goes on behind its end, or is cut off.", _PACK_AGAIN)
        raise not_a_zip(head, _PACK_AGAIN)
    _, listed, directory_bytes, comment_bytes = _END_RECORD.unpack_from(tail, at)
    if at + _END_RECORD.size + comment_bytes != len(tail):
        raise UploadRejected("The archive goes on behind its end, or is cut off.", _PACK_AGAIN)
    is_zip64 = tail.startswith(_ZIP64_LOCATOR, max(at - _ZIP64_LOCATOR_BYTES, 0))
    begin = 0 if is_zip64 else max(behind + at - directory_bytes, 0)
    if (count := _entries_between(data, begin, behind + at)) > limits.entries:
        raise UploadRejected(
            f"The archive has {count} entries; at most {limits.entries} are allowed.", _LEAVE_OUT
        )
    return int(listed)


def _entries_between(data: Archive, begin: int, end: int) -> int:
    count, overlap = 0, len(_ENTRY_MAGIC) - 1
    for at in range(begin, end, _PIECE_BYTES):
        piece = data.read(at, min(_PIECE_BYTES + overlap, end - at))
        count += piece.count(_ENTRY_MAGIC)
    return count


class _Listing:
    """An archive as zipfile reads its directory: never more than this many bytes of it.

    Names and extra fields can make a directory as large as the archive, and are parsed slowly.
    """

    def __init__(self, data: Archive, most_bytes: int) -> None:
        self._data, self._most_bytes = data, most_bytes
        self.seek, self.tell = data.file.seek, data.file.tell

    def read(self, length: int = -1) -> bytes:
        """Read on. Raises UploadRejected for a directory that is too large."""
        if min(length, self._data.size - self.tell()) > self._most_bytes:
            raise UploadRejected(
                f"The names in the archive take {length} bytes; at most {self._most_bytes} are"
                " allowed.",
                _LEAVE_OUT,
            )
        return self._data.file.read(length)


def _directory(data: Archive, limits: UploadLimits) -> tuple[list[zipfile.ZipInfo], int]:
    try:
        with zipfile.ZipFile(_Listing(data, limits.directory_bytes)) as archive:
            return archive.infolist(), archive.start_dir
    except UploadRejected:  # a ValueError
        raise
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


def _advice(sizes: Iterable[tuple[str, int]]) -> str:
    largest = sorted(sizes, key=lambda each: (-each[1], each[0]))[:_LARGEST_NAMED]
    named = ", ".join(f"{quoted(name)} ({size:,} bytes)" for name, size in largest)
    return f"{_LEAVE_OUT} The largest files: {named}."


def _check_spans(data: Archive, entries: Sequence[zipfile.ZipInfo], directory_at: int) -> None:
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


def _body(data: Archive, entry: zipfile.ZipInfo) -> int:
    start = entry.header_offset
    if not 0 <= start <= data.size - _LOCAL_HEADER.size:
        raise _damaged(entry)
    name = raw_name(entry)
    header = data.read(start, _LOCAL_HEADER.size + len(name))
    magic, flags, method, crc, packed, size, name_length, extra_length = _LOCAL_HEADER.unpack_from(
        header
    )
    name_at = start + _LOCAL_HEADER.size
    if magic != _LOCAL_MAGIC or name_length != len(name) or not header.endswith(name):
        raise _damaged(entry)
    if (flags ^ entry.flag_bits) & UTF8_NAME and not is_utf8(raw_name(entry)):
        raise _damaged(entry)
    if method != entry.compress_type or (flags ^ entry.flag_bits) & _ENCRYPTED:
        raise _damaged(entry)
    declared = ((crc, entry.CRC), (packed, entry.compress_size), (size, entry.file_size))
    later = {0, _IN_ZIP64} if flags & _SIZES_FOLLOW else {_IN_ZIP64}
    if any(here != there and here not in later for here, there in declared):
        raise _damaged(entry)
    return int(name_at + name_length + extra_length)


def _end(data: Archive, entry: zipfile.ZipInfo) -> int:
    end = _body(data, entry) + entry.compress_size
    if end > data.size:
        raise _damaged(entry)
    return end


def _damaged(entry: zipfile.ZipInfo) -> UploadRejected:
    name = quoted(entry.orig_filename)
    return UploadRejected(f"The archive is damaged, or contradicts itself, at {name}.", _PACK_AGAIN)


def _check_kind(path: EntryPath) -> None:
    entry, name = path.entry, path.name
    kind = stat.S_IFMT(entry.external_attr >> 16)
    expected = stat.S_IFDIR if path.is_folder else stat.S_IFREG
    if kind not in {0, expected}:
        what = "a link" if stat.S_ISLNK(kind) else "not a regular file"
        raise UploadRejected(
            f"The entry {quoted(name)} is {what}.", "Pack only regular files and folders."
        )
    if entry.flag_bits & _ENCRYPTED:
        raise UploadRejected(
            f"The entry {quoted(name)} is encrypted.", "Pack your files without a password."
        )
    if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise UploadRejected(
            f"The entry {quoted(name)} uses an unusual compression method.", _PACK_AGAIN
        )
    if path.is_folder and (entry.file_size or entry.compress_size > 2):
        raise _damaged(entry)


def check_unpacked(sizes: Mapping[str, int], limits: UploadLimits) -> None:
    """Raises UploadRejected with the largest files for more of them, or bytes, than are allowed."""
    if len(sizes) > limits.files:
        raise UploadRejected(
            f"The archive has {len(sizes)} entries; at most {limits.files} files are allowed.",
            _advice(sizes.items()),
        )
    weights = {name: size for name, size in sizes.items() if _is_weights(name)}
    if (total := sum(weights.values())) > limits.weight_bytes:
        raise UploadRejected(
            f"Its weights have {total} bytes; at most {limits.weight_bytes} are allowed.",
            _advice(weights.items()),
        )
    others = {name: size for name, size in sizes.items() if name not in weights}
    if (total := sum(others.values())) > limits.unpacked_bytes:
        raise UploadRejected(
            f"Unpacked it has {total} bytes; at most {limits.unpacked_bytes} are allowed.",
            _advice(others.items()),
        )


def check_sizes(files: Sequence[EntryPath], limits: UploadLimits) -> None:
    """Raises UploadRejected by the sizes that are declared; ``_content`` holds files to them."""
    check_unpacked({path.name: path.entry.file_size for path in files}, limits)
    sources = [path for path in files if not _is_weights(path.name)]
    packed = {path.name: path.entry.compress_size for path in sources}
    if (total := sum(packed.values())) > limits.packed_bytes:
        raise UploadRejected(
            f"Its files have {total} bytes, packed; at most {limits.packed_bytes} are allowed.",
            _advice(packed.items()),
        )


def _is_weights(name: str) -> bool:
    return name.lower().endswith(WEIGHTS)


def _content(data: Archive, entry: zipfile.ZipInfo, name: str) -> bytes:
    start = _body(data, entry)
    packed = data.read(start, entry.compress_size)
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
        f"The file {quoted(name)} does not have the size that the archive declares.", _PACK_AGAIN
    )
