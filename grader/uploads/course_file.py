"""Reads and writes course files: one zip archive with everything of a course, rows as JSON lines.

A file may come from anywhere, so reading trusts nothing: the names of entries are of four kinds and
never used as paths, sizes are bounded before and while something is unpacked, each entry has the
digest that the manifest gives, and nothing is there that the manifest does not name.

    manifest.json               what follows, with sizes and digests; ``v`` is the format's version
    people.jsonl                id, e-mail address and name of everybody whom rows refer to
    rows/<app>.<model>.jsonl    one row a line
    artefacts/<sha256>          uploaded programs
    audit-log.jsonl             for readers
"""

import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Final

import msgspec

from grader.core.errors import RecordError

FORMAT_NAME: Final = "firebox-course"
FORMAT_VERSION: Final = 1
MANIFEST: Final = "manifest.json"
_NAME: Final = re.compile(
    r"people\.jsonl|audit-log\.jsonl|rows/[a-z]+\.[a-z]+\.jsonl|artefacts/[0-9a-f]{64}"
)
_MAX_MANIFEST_BYTES: Final = 64 << 20
_MAX_ENTRY_BYTES: Final = 1024
"""The size of a manifest for each entry that a file may have."""
_MAX_LINE_BYTES: Final = 16 << 20
MAX_JSON_BYTES: Final = 64 << 10
"""The most of a value that is no text: what it costs to read grows with it."""
_PART: Final = 1 << 20
_ENCRYPTED: Final = 0x1


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """The maximum size of a course file."""

    packed_bytes: int = 16 << 30
    unpacked_bytes: int = 64 << 30
    entries: int = 200_000
    rows: int = 1 << 30
    """Each costs time and memory to read, however few bytes it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestFile:
    """One file in it, as the manifest names it."""

    name: str
    bytes: int
    sha256: str
    rows: int = 0
    """Lines of a file of rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The table of contents."""

    format: str = FORMAT_NAME
    v: int = FORMAT_VERSION
    made_at: str
    made_by: str
    """Version of the site that wrote it."""
    course: str
    title: str
    files: tuple[ManifestFile, ...]


def is_course_file(file: IO[bytes]) -> bool:
    """Return whether it looks like a course file; its position is where it was."""
    try:
        with zipfile.ZipFile(file) as archive:
            return MANIFEST in archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return False
    finally:
        file.seek(0)


class CourseFileWriter:
    """Writes a course file, an entry at a time; ``close`` adds the manifest."""

    def __init__(self, file: IO[bytes]) -> None:
        self._archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._entries: list[ManifestFile] = []

    def add_rows(self, name: str, rows: Iterable[Mapping[str, Any]]) -> int:
        """Write rows as lines, one at a time; return how many."""
        encoder, n_rows = msgspec.json.Encoder(), 0

        def lines() -> Iterator[bytes]:
            nonlocal n_rows
            for row in rows:
                n_rows += 1
                yield encoder.encode(row) + b"\n"

        n_bytes, digest = self._write(name, lines())
        self._entries.append(ManifestFile(name=name, bytes=n_bytes, sha256=digest, rows=n_rows))
        return n_rows

    def add_artefact(self, sha256: str, data: bytes) -> None:
        """Write an uploaded program."""
        n_bytes, digest = self._write(f"artefacts/{sha256}", [data])
        self._entries.append(ManifestFile(name=f"artefacts/{sha256}", bytes=n_bytes, sha256=digest))

    def close(self, *, made_at: str, made_by: str, course: str, title: str) -> Manifest:
        """Write the manifest, which nothing follows."""
        manifest = Manifest(
            made_at=made_at,
            made_by=made_by,
            course=course,
            title=title,
            files=tuple(self._entries),
        )
        self._archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
        self._archive.close()
        return manifest

    def _write(self, name: str, parts: Iterable[bytes]) -> tuple[int, str]:
        digest, n_bytes = hashlib.sha256(), 0
        with self._archive.open(name, "w", force_zip64=True) as entry:
            for part in parts:
                digest.update(part)
                n_bytes += len(part)
                entry.write(part)
        return n_bytes, digest.hexdigest()


@dataclass
class CourseFile:
    """A course file to read. Every method raises RecordError for content that the writer never
    produces."""

    file: IO[bytes]
    limits: FileLimits = field(default_factory=FileLimits)

    def __post_init__(self) -> None:
        self._check_size()
        try:
            self._archive = zipfile.ZipFile(self.file)
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise RecordError(f"this is not a readable zip archive ({error})") from error
        self._infos = self._checked_infos()
        self.manifest = self._read_manifest()
        self._entries = {entry.name: entry for entry in self.manifest.files}
        self._check_listed()

    @property
    def n_rows(self) -> int:
        """The number of rows that the manifest lists."""
        return sum(entry.rows for entry in self.manifest.files)

    def names(self, prefix: str) -> list[str]:
        """Return the names of entries that begin so, in the manifest's order."""
        return [name for name in self._entries if name.startswith(prefix)]

    def check(self) -> None:
        """Read everything once, and compare it with the manifest."""
        for name, entry in self._entries.items():
            digest = hashlib.sha256()
            for part in self._parts(name):
                digest.update(part)
            if digest.hexdigest() != entry.sha256:
                raise RecordError(f"{name} was changed: its digest is not the manifest's")

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a file; none if it is not there."""
        if name not in self._entries:
            return
        n_rows, pending, listed = 0, b"", self._entries[name].rows
        for part in self._parts(name):
            *lines, pending = (pending + part).split(b"\n")
            if len(pending) > _MAX_LINE_BYTES:
                raise RecordError(f"{name} has a line of more than {_MAX_LINE_BYTES} bytes")
            for line in lines[: listed + 1 - n_rows]:
                n_rows += 1
                yield _row(name, n_rows, line)
        if pending or n_rows != listed:
            raise RecordError(f"{name} does not have the {listed} rows it lists")

    def artefact(self, sha256: str, *, max_bytes: int) -> bytes:
        """Return an uploaded program."""
        name = f"artefacts/{sha256}"
        if name not in self._entries:
            raise RecordError(f"{name} is missing")
        if self._entries[name].bytes > max_bytes:
            raise RecordError(f"{name} has more than {max_bytes} bytes")
        data = b"".join(self._parts(name))
        if hashlib.sha256(data).hexdigest() != sha256:
            raise RecordError(f"{name} has another digest than its name")
        return data

    def _check_size(self) -> None:
        size = self.file.seek(0, 2)
        self.file.seek(0)
        if size > self.limits.packed_bytes:
            raise RecordError(
                f"it has {size:,} bytes; at most {self.limits.packed_bytes:,} are taken here"
            )

    def _checked_infos(self) -> dict[str, zipfile.ZipInfo]:
        infos = self._archive.infolist()
        if len(infos) > self.limits.entries:
            raise RecordError(f"it has {len(infos):,} entries; at most {self.limits.entries:,}")
        by_name: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            if info.filename != MANIFEST and not _NAME.fullmatch(info.filename):
                raise RecordError(f"no course file has an entry called {info.filename[:80]!r}")
            if info.filename in by_name:
                raise RecordError(f"{info.filename} is there twice")
            if info.flag_bits & _ENCRYPTED:
                raise RecordError(f"{info.filename} is encrypted")
            by_name[info.filename] = info
        total, most = sum(info.file_size for info in infos), self.limits.unpacked_bytes
        if total > most:
            raise RecordError(f"unpacked it has {total:,} bytes; at most {most:,} are taken here")
        return by_name

    def _read_manifest(self) -> Manifest:
        info = self._infos.get(MANIFEST)
        if info is None:
            raise RecordError("it has no manifest.json: no site wrote it as a course file")
        if info.file_size > min(_MAX_MANIFEST_BYTES, _MAX_ENTRY_BYTES * self.limits.entries):
            raise RecordError("its manifest.json is too large")
        text = b"".join(self._unpacked(info))
        try:
            known = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
            version = msgspec.json.decode(known.get("v", b"0"))
        except (msgspec.DecodeError, ValueError) as error:
            raise RecordError(f"its manifest.json cannot be read: {error}") from error
        if version != FORMAT_VERSION:
            raise RecordError(
                f"it is of version {version!r}, and this program reads version {FORMAT_VERSION}:"
                " use the version of Firebox that wrote it, or a later one"
            )
        try:
            manifest = msgspec.json.decode(text, type=Manifest)
        except msgspec.DecodeError as error:
            raise RecordError(f"its manifest.json cannot be read: {error}") from error
        if manifest.format != FORMAT_NAME:
            raise RecordError(f"it is a {manifest.format[:40]!r}, and not a {FORMAT_NAME}")
        return manifest

    def _check_listed(self) -> None:
        listed, there = set(self._entries), set(self._infos) - {MANIFEST}
        if len(listed) != len(self.manifest.files):
            raise RecordError("its manifest names a file twice")
        if self.n_rows > self.limits.rows or any(entry.rows < 0 for entry in self.manifest.files):
            raise RecordError(f"it has {self.n_rows:,} rows; at most {self.limits.rows:,}")
        if listed != there:
            odd = min(listed ^ there)
            what = "is missing" if odd in listed else "is not in its manifest"
            raise RecordError(f"{odd} {what}")
        for name, entry in self._entries.items():
            if self._infos[name].file_size != entry.bytes:
                raise RecordError(f"{name} does not have the {entry.bytes} bytes it lists")

    def _parts(self, name: str) -> Iterator[bytes]:
        return self._unpacked(self._infos[name])

    def _unpacked(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        left = info.file_size
        try:
            with self._archive.open(info) as entry:
                while left >= 0 and (part := entry.read(min(_PART, left + 1))):
                    left -= len(part)
                    if left >= 0:
                        yield part
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            OSError,
            ValueError,  # for an entry that would begin before the file
        ) as error:
            raise RecordError(f"{info.filename} is damaged: {error}") from error
        if left:
            what = "is cut off" if left > 0 else "is larger than it declares"
            raise RecordError(f"{info.filename} {what}")


def _row(name: str, number: int, line: bytes) -> dict[str, Any]:
    """Read a line. Values that are no text are measured before they are decoded."""
    try:
        if len(line) > MAX_JSON_BYTES:
            _require_small(msgspec.json.decode(line, type=dict[str, msgspec.Raw]))
        return msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError, ValueError, RecordError) as error:
        raise RecordError(f"line {number} of {name} is no row: {error}") from error


def _require_small(row: Mapping[str, msgspec.Raw]) -> None:
    for column, value in row.items():
        text = bytes(value)
        if len(text) > MAX_JSON_BYTES and not text.startswith(b'"'):
            raise RecordError(
                f"{column[:40]} has {len(text):,} bytes; at most {MAX_JSON_BYTES:,} are read"
            )
