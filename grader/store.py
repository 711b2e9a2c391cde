"""The artefact store: immutable bytes by their SHA-256, in a directory or any fsspec file system.

Submissions travel from the site to graders through it. What is read is always hashed again, so a
store that is wrong, or was tampered with, gives a SystemFault and never a wrong program. The only
module that imports fsspec; who opens a store decides where it is (``FIREBOX_STORE_URL``).
"""

import hashlib
import re
from typing import Final
from uuid import uuid4

import fsspec
from fsspec.implementations.local import LocalFileSystem

from grader.errors import SystemFault

__all__ = ["MAX_ARTEFACT_BYTES", "ArtefactStore"]

MAX_ARTEFACT_BYTES: Final = 16 << 20
"""Larger artefacts are neither written nor read."""

_KEY: Final = re.compile(r"[0-9a-f]{64}")


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
        """Store ``data`` and return its key; storing the same bytes again changes nothing.

        Readers see the whole artefact or none. Raises ValueError beyond MAX_ARTEFACT_BYTES.
        """
        if len(data) > MAX_ARTEFACT_BYTES:
            raise ValueError(f"{len(data)} bytes are more than the store's {MAX_ARTEFACT_BYTES}")
        key = hashlib.sha256(data).hexdigest()
        try:
            if not self._holds(key, data):
                self._write(self._path(key), data)
        except OSError as error:
            raise SystemFault(f"cannot write artefact {key[:12]}…: {error}") from error
        return key

    def get(self, key: str) -> bytes:
        """The bytes with this key, verified. Raises ValueError for what cannot be a key."""
        try:
            with self._files.open(self._path(key), "rb") as file:
                data = bytes(file.read(MAX_ARTEFACT_BYTES + 1))
        except FileNotFoundError as error:
            raise SystemFault(f"artefact {key[:12]}… is not in the store") from error
        except OSError as error:
            raise SystemFault(f"cannot read artefact {key[:12]}…: {error}") from error
        if hashlib.sha256(data).hexdigest() != key:
            raise SystemFault(f"artefact {key[:12]}… is corrupt: its bytes have another SHA-256")
        return data

    def _path(self, key: str) -> str:
        if not _KEY.fullmatch(key):
            raise ValueError(f"not a SHA-256 in lower-case hexadecimal: {key!r}")
        return f"{self._root}/{key[:2]}/{key}"

    def _holds(self, key: str, data: bytes) -> bool:
        """Whether the store has exactly these bytes: a corrupt artefact is written again."""
        try:
            with self._files.open(self._path(key), "rb") as file:
                return bool(file.read(len(data) + 1) == data)
        except FileNotFoundError:
            return False

    def _write(self, path: str, data: bytes) -> None:
        """Object stores write whole objects at once; in a directory we rename into place."""
        if not isinstance(self._files, LocalFileSystem):
            self._files.pipe_file(path, data)
            return
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        partial = f"{path}.{uuid4().hex}.partial"
        try:
            self._files.pipe_file(partial, data)
            self._files.mv(partial, path)
        finally:
            if self._files.exists(partial):
                self._files.rm_file(partial)
