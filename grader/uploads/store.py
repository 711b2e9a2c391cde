"""The artefact store: immutable bytes by their SHA-256, in a directory or any fsspec file system.

Submissions travel from the site to graders through it. What is read is always hashed again, so a
store that is wrong, or was tampered with, gives a SystemFault and never a wrong program. Artefacts
are compressed (zlib, RFC 1950); uncompressed artefacts of older versions are still read. The only
module that imports fsspec; the caller decides where the store is (``FIREBOX_STORE_URL``).
"""

import hashlib
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from uuid import uuid4

import fsspec
from fsspec.implementations.local import LocalFileSystem

from grader.core.errors import SystemFault

MAX_ARTEFACT_BYTES: Final = 32 << 20
"""Larger artefacts are neither written nor read."""

_MAX_KEPT_BYTES: Final = MAX_ARTEFACT_BYTES + (64 << 10)
"""The maximum, with room for what cannot be compressed and grows a little."""
_KEY: Final = re.compile(r"[0-9a-f]{64}")


class StoreUnavailable(SystemFault):
    """The store does not answer, or refuses; trying later may help."""


class ArtefactStore:
    """A store at a directory or an fsspec URL (``s3://bucket/prefix``); keys are SHA-256, in hex.

    Artefacts lie at ``<first two digits>/<sha256>``. Every method raises SystemFault when the file
    system fails.
    """

    def __init__(self, url: str) -> None:
        try:
            self._files, root = fsspec.core.url_to_fs(url)
        except (OSError, ValueError, ImportError) as error:
            raise SystemFault(f"cannot open the artefact store {url!r}: {error}") from error
        self._root = str(root).rstrip("/")

    def put(self, data: bytes) -> str:
        """Store ``data`` and return its key; storing the same bytes again only renews their date.

        Readers see the whole artefact or none. Raises ValueError beyond MAX_ARTEFACT_BYTES.
        """
        if len(data) > MAX_ARTEFACT_BYTES:
            raise ValueError(f"{len(data)} bytes are more than the store's {MAX_ARTEFACT_BYTES}")
        key = hashlib.sha256(data).hexdigest()
        with _translated(f"write artefact {key[:12]}…"):
            self._write(self._path(key), zlib.compress(data))
        return key

    def get(self, key: str) -> bytes:
        """Return the bytes with this key, verified. Raises ValueError for an invalid key."""
        path = self._path(key)
        with _translated(f"read artefact {key[:12]}…"):
            try:
                with self._files.open(path, "rb") as file:
                    kept = bytes(file.read(_MAX_KEPT_BYTES + 1))
            except FileNotFoundError as error:
                raise SystemFault(f"artefact {key[:12]}… is not in the store") from error
        for data in (kept, _unpacked(kept)):
            if hashlib.sha256(data).hexdigest() == key:
                return data
        raise SystemFault(f"artefact {key[:12]}… is corrupt: its bytes have another SHA-256")

    def artefacts(self) -> Iterator[tuple[str, datetime]]:
        """Every artefact's key, and when it was written."""
        with _translated("list the artefact store"):
            files = self._files.find(self._root, detail=True) if self._exists() else {}
        for path, about in files.items():
            key = str(path).rpartition("/")[2]
            if _KEY.fullmatch(key):
                yield key, _written(about)

    def remove(self, key: str, *, before: datetime) -> int:
        """Remove an artefact last put before this time; return how many bytes it filled.

        Raises ValueError for an invalid key.
        """
        path = self._path(key)
        with _translated(f"remove artefact {key[:12]}…"):
            try:
                self._files.invalidate_cache()
                about = self._files.info(path)
                if _written(about) >= before:
                    return 0
                self._files.rm_file(path)
            except FileNotFoundError:
                return 0
        return int(about["size"])

    def _exists(self) -> bool:
        return bool(self._files.exists(self._root))

    def _path(self, key: str) -> str:
        if not _KEY.fullmatch(key):
            raise ValueError(f"not a SHA-256 in lower-case hexadecimal: {key!r}")
        return f"{self._root}/{key[:2]}/{key}"

    def _write(self, path: str, data: bytes) -> None:
        """Object stores write whole objects at once; in a directory we rename into place.

        A power cut afterwards loses nothing: rows that point at the artefact may outlive one.
        """
        if not isinstance(self._files, LocalFileSystem):
            self._files.pipe_file(path, data)
            return
        if _is_there(path, data):
            return
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        partial = f"{path}.{uuid4().hex}.partial"
        try:
            self._files.pipe_file(partial, data)
            _keep_on_disk(partial)
            self._files.mv(partial, path)
            _keep_on_disk(path.rpartition("/")[0])
        finally:
            if self._files.exists(partial):
                self._files.rm_file(partial)


@contextmanager
def _translated(action: str) -> Iterator[None]:
    try:
        yield
    except SystemFault:
        raise
    except Exception as error:
        raise StoreUnavailable(f"cannot {action}: {error}") from error


def _is_there(path: str, data: bytes) -> bool:
    try:
        if Path(path).read_bytes() != data:
            return False
        os.utime(path)
    except FileNotFoundError:
        return False
    return True


def _keep_on_disk(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unpacked(kept: bytes) -> bytes:
    """Decompress, up to the limit; return no bytes for anything that is not zlib."""
    try:
        return zlib.decompressobj().decompress(kept, MAX_ARTEFACT_BYTES)
    except zlib.error:
        return b""


def _written(about: dict[str, object]) -> datetime:
    """Return when a file was written; file systems name this differently."""
    for name in ("LastModified", "mtime", "created"):
        value = about.get(name)
        if isinstance(value, datetime):
            return value if value.tzinfo else value.replace(tzinfo=UTC)
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
    return datetime.now(UTC)  # unknown: treated as new
