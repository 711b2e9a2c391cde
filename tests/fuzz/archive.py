"""Uploads: refused with a reason, or sources that are within their bounds and stay in their folder.

The first byte says what the rest is: a zip archive, a Python file, a stored archive, or a recipe
from which an archive is made whose checksums hold, so that the fuzzer gets behind them.
"""

import io
import os
import struct
import tempfile
import unicodedata
import zipfile
import zlib
from pathlib import Path
from typing import Final

from grader.core.errors import SystemFault, UploadRejected
from grader.uploads.archive import Sources, read_archive, read_upload, unpack
from grader.uploads.zip_reader import UploadLimits
from tests.fuzz.pieces import Reader
from tests.support.writes import noted_writes
from tests.support.zips import noted_inflation

LONGEST: Final = 4096
_LIMITS: Final = UploadLimits(packed_bytes=1 << 16, unpacked_bytes=4096, files=10)
_MAX_ENTRIES: Final = 60
_LONGEST_REASON: Final = 1000
_CLUTTER: Final = {".git", ".idea", "venv", "node_modules", "__pycache__", "__MACOSX"}
_SYSTEMS: Final = (0, 3)
"""MS-DOS, by which backslashes may be meant for slashes, and Unix."""


def one(data: bytes) -> None:
    """Upload, or unpack, what the first byte says."""
    kind, rest = data[:1], data[1:]
    way = kind[0] % 4 if kind else 0
    if way == 2:
        _unpack(rest)
    else:
        _upload("agent.py" if way == 1 else "agent.zip", baked(rest) if way == 3 else rest)


def _upload(filename: str, data: bytes) -> None:
    with noted_writes() as written, noted_inflation() as inflated:
        try:
            sources = read_upload(filename, data, limits=_LIMITS)
        except UploadRejected as error:
            _check_reason(error)
            return
        finally:
            assert written == []
            assert sum(inflated) <= _LIMITS.unpacked_bytes + _LIMITS.files
    _check_sources(sources)
    assert "agent.py" in {file.name for file in sources.files}
    assert read_archive(sources.archive(), limits=_LIMITS) == sources
    assert _unpack(sources.archive()) == len(sources.files)


def _check_reason(error: UploadRejected) -> None:
    assert error.hint
    for text in (error.reason, error.hint):
        assert len(text.encode()) <= _LONGEST_REASON
        assert not any(unicodedata.category(character) in {"Cc", "Cs"} for character in text)


def _check_sources(sources: Sources) -> None:
    names = [file.name for file in sources.files]
    assert len(names) <= _LIMITS.files
    _check_distinct([name.casefold() for name in names])
    most = max(_LIMITS.unpacked_bytes, _LIMITS.packed_bytes if len(names) == 1 else 0)
    assert sum(len(file.data) for file in sources.files) <= most
    for name in names:
        parts = name.split("/")
        assert not {"", ".", ".."} & set(parts)
        assert not any(
            part[1:2] == ":" and part[0].isascii() and part[0].isalpha() for part in parts
        )
        assert "\\" not in name
        assert not _CLUTTER & set(parts[:-1])
        assert not name.endswith((".pyc", ".class", ".o", "Thumbs.db", ".DS_Store"))
        assert not any(unicodedata.category(character)[0] == "C" for character in name)


def _check_distinct(names: list[str]) -> None:
    """No file is another one, or the folder of another one."""
    folders = {name[:at] for name in names for at in range(len(name)) if name[at] == "/"}
    assert len(set(names)) == len(names)
    assert not folders & set(names)


def _unpack(archive: bytes) -> int:
    """Number of files that were written, every one of them below the folder that was named."""
    with tempfile.TemporaryDirectory(prefix="firebox-fuzz-") as top:
        target = Path(top) / "sources"
        target.mkdir()
        with noted_writes() as written:
            try:
                unpack(archive, target, limits=_LIMITS)
            except SystemFault as error:
                str(error).encode()
        assert all(path.startswith(f"{target}/") for path in written), written
        assert os.listdir(top) == ["sources"]  # noqa: PTH208 - names alone
        files = [path for path in target.rglob("*") if not path.is_dir()]
        assert not any(path.is_symlink() for path in files)
        assert len(files) <= _LIMITS.files
        assert sum(path.stat().st_size for path in files) <= _LIMITS.unpacked_bytes + 65536
        return len(files)


def baked(recipe: bytes) -> bytes:
    reader = Reader(recipe)
    body, directory = io.BytesIO(), io.BytesIO()
    count = 0
    while reader.more and count < _MAX_ENTRIES:
        count += 1
        _bake_entry(reader, body, directory)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, directory.tell(), body.tell(), 0)
    return body.getvalue() + directory.getvalue() + end


def _bake_entry(reader: Reader, body: io.BytesIO, directory: io.BytesIO) -> None:
    odd = reader.byte()
    name = reader.take(reader.byte()) or b"agent.py"
    content = reader.take(reader.byte())
    mode = reader.byte() << 8 if odd & 4 else 0x81A4
    declared = len(content) + (reader.byte() - 128 if odd & 8 else 0)
    packed, method = content, zipfile.ZIP_STORED
    if odd & 1:
        deflater = zlib.compressobj(wbits=-15)
        packed, method = deflater.compress(content * 64) + deflater.flush(), zipfile.ZIP_DEFLATED
        content, declared = content * 64, declared + 63 * len(content)
    crc = zlib.crc32(content)
    flags = 0x800 if odd & 2 else 0
    extra = reader.take(odd >> 4)
    at = body.tell()
    made_by = 20 | _SYSTEMS[len(content) % 2] << 8
    fields = (20, flags, method, 0, 0, crc, len(packed), max(declared, 0), len(name))
    body.write(struct.pack("<4s5H3L2H", b"PK\3\4", *fields, len(extra)) + name + extra + packed)
    directory.write(
        struct.pack("<4s6H3L5H2L", b"PK\1\2", made_by, *fields, len(extra), 0, 0, 0, mode << 16, at)
        + name
        + extra
    )
