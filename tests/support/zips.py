"""Zip archives, sound and hostile, and how an upload of them is taken or refused."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.core.errors import UploadRejected
from grader.uploads.archive import read_upload, unpack
from grader.uploads.zip_reader import UploadLimits
from tests.support.writes import noted_writes

AGENT = b"class Agent: ...\n"


def zipped(
    *entries: tuple[str | zipfile.ZipInfo, bytes | str], method: int = 0, level: int | None = None
) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method, compresslevel=level) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return data.getvalue()


def read(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> dict[str, bytes]:
    sources = read_upload("agent.zip", zipped(*entries, method=zipfile.ZIP_DEFLATED))
    return {file.name: file.data for file in sources.files}


def unpacked(data: bytes, scratch: Path) -> set[str]:
    """Upload an archive and unpack what was made of it; nothing outside may be written."""
    with noted_writes() as written:
        sources = read_upload("agent.zip", data)
        assert written == []
        unpack(sources.archive(), scratch)
    assert written
    assert all(path.startswith(f"{scratch}/") for path in written)
    files = [path for path in scratch.rglob("*") if not path.is_dir()]
    assert not any(path.is_symlink() for path in files)
    return {path.relative_to(scratch).as_posix() for path in files}


def rejection(data: bytes, filename: str = "agent.zip", **limits: int) -> str:
    with noted_writes() as written, pytest.raises(UploadRejected) as caught:
        read_upload(filename, data, limits=UploadLimits(**limits))
    assert written == []
    assert caught.value.hint.endswith(".")
    assert len(caught.value.reason) < 400
    return caught.value.reason


def entry(name: str, *, mode: int = 0, system: int = 3) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = system
    info.external_attr = mode << 16
    return info


def renamed(old: bytes, new: bytes) -> bytes:
    assert len(old) == len(new)
    return zipped(("agent.py", AGENT), (old.decode(), b"x")).replace(old, new)


def by_powershell(*names: str) -> bytes:
    """As Windows PowerShell 5.1 packs with an old .NET."""
    entries = [(entry(name, system=0), b"" if name.endswith("\\") else b"x") for name in names]
    return zipped(("agent.py", AGENT), *entries)


def overlapping() -> bytes:
    """Two directory entries for the same bytes, as in a non-recursive zip bomb."""
    data = zipped(("agent.py", AGENT))
    at = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    directory = data[at:end]
    tail = bytearray(data[end:])
    struct.pack_into("<HHL", tail, 8, 2, 2, 2 * len(directory))
    return data[:at] + directory * 2 + bytes(tail)


def lying(declared: int) -> bytes:
    """A megabyte of zeros that both its headers say has ``declared`` bytes."""
    data = bytearray(zipped(("agent.py", bytes(1 << 20)), method=zipfile.ZIP_DEFLATED))
    for at in (22, data.index(b"PK\x01\x02") + 24):
        struct.pack_into("<L", data, at, declared)
    return bytes(data)


def patched(data: bytes, *, flag: int = 0, method: int | None = None) -> bytes:
    """Change flags or the method of the first entry, in its local header and in the directory."""
    changed = bytearray(data)
    for at in (0, data.index(b"PK\x01\x02") + 2):
        (flags,) = struct.unpack_from("<H", changed, at + 6)
        struct.pack_into("<H", changed, at + 6, flags | flag)
        if method is not None:
            struct.pack_into("<H", changed, at + 8, method)
    return bytes(changed)


@contextmanager
def noted_inflation() -> Iterator[list[int]]:
    """Numbers of bytes that are inflated meanwhile, by call."""
    made: list[int] = []
    real = zlib.decompressobj

    class Counted:
        def __init__(self, bits: int) -> None:
            self._real = real(bits)

        def decompress(self, data: bytes, most: int = 0) -> bytes:
            content = self._real.decompress(data, most)
            made.append(len(content))
            return content

        @property
        def eof(self) -> bool:
            return self._real.eof

        @property
        def unused_data(self) -> bytes:
            return self._real.unused_data

    zlib.decompressobj = Counted  # type: ignore[assignment]
    try:
        yield made
    finally:
        zlib.decompressobj = real
