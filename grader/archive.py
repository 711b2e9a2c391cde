"""Submissions' sources: read from an upload, packed for the store, unpacked for a grader.

An upload is bytes until ``read_upload`` has checked every part of it; nothing is written before,
and nothing of the archive's own structure survives: what is stored is packed anew, so that equal
sources have equal hashes, and graders only ever see archives that we wrote.
"""

import io
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from grader.errors import SystemFault, UploadRejected
from grader.zips import UploadLimits, read_zip

__all__ = [
    "DEFAULT_LIMITS",
    "SourceFile",
    "Sources",
    "UploadLimits",
    "read_archive",
    "read_upload",
    "unpack",
]

DEFAULT_LIMITS: Final = UploadLimits()

_ZIP_OVERHEAD_PER_FILE: Final = 1024
"""More than headers and twice the longest name take in an archive."""
_ZIP_MAGIC: Final = b"PK"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_FILE_MODE: Final = 0o444
_FOLDER_MODE: Final = 0o755


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a submission."""

    name: str
    """Relative path with forward slashes."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of a submission, by name; ``entry`` is one of them."""

    files: tuple[SourceFile, ...]
    """Sorted by name."""

    def archive(self) -> bytes:
        """A zip of these files, the same bytes on every machine: not compressed, no dates."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as target:
            for file in self.files:
                info = zipfile.ZipInfo(file.name, _EPOCH)
                info.create_system = 3
                info.external_attr = (0o100000 | _FILE_MODE) << 16
                target.writestr(info, file.data)
        return packed.getvalue()


def read_upload(
    filename: str, data: bytes, *, limits: UploadLimits = DEFAULT_LIMITS, entry: str = "agent.py"
) -> Sources:
    """What a student uploaded: one Python file, which becomes ``entry``, or a zip with it.

    ``entry`` lies at the top of the archive, or in its only folder, which is then left out.
    Raises UploadRejected with the reason and what to do; never anything else.
    """
    suffix = PurePosixPath(filename).suffix.lower()
    if suffix not in {".py", ".zip"}:
        raise UploadRejected(
            f"A file named {filename[-80:]!r} is neither a Python file nor a zip archive.",
            "Upload one file that ends in .py, or a .zip with all files of the agent.",
        )
    if suffix == ".py":
        return Sources((SourceFile(entry, _checked_source(data, limits)),))
    files = _without_top_folder(read_zip(data, limits), entry)
    if entry not in files:
        raise _entry_missing(files, entry)
    return _sources(files)


def _checked_source(data: bytes, limits: UploadLimits) -> bytes:
    if data.startswith(_ZIP_MAGIC + b"\x03\x04"):
        raise UploadRejected(
            "This is a zip archive, though its name ends in .py.", "Rename it so it ends in .zip."
        )
    if not data.strip():
        raise UploadRejected("The file is empty.", "Save it in your editor and upload it again.")
    if b"\0" in data:
        raise UploadRejected(
            "This is not a Python source: it has NUL characters, as programs and archives have.",
            "Upload the agent's source. If it is one, save it in your editor as UTF-8.",
        )
    if len(data) > limits.packed_bytes:
        raise UploadRejected(
            f"The file has {len(data)} bytes; at most {limits.packed_bytes} are allowed.",
            "Leave out what the agent does not need.",
        )
    return data


def _without_top_folder(files: dict[str, bytes], entry: str) -> dict[str, bytes]:
    """The files as seen from their only top folder, if there is one and the entry lies in it."""
    tops = {name.partition("/")[0] for name in files}
    if len(tops) != 1 or f"{(top := tops.pop())}/{entry}" not in files:
        return files
    return {name.removeprefix(f"{top}/"): data for name, data in files.items()}


def _entry_missing(files: dict[str, bytes], entry: str) -> UploadRejected:
    if not files:
        return UploadRejected("The archive has no files.", f"Put {entry} into it.")
    if alike := sorted(name for name in files if name.lower().endswith(entry.lower())):
        return UploadRejected(
            f"There is no {entry} at the top of the archive, only {alike[0]!r}.",
            f"Pack it so that {entry}, in exactly this spelling, is at the top or in one folder.",
        )
    return UploadRejected(
        f"There is no {entry} in the archive.",
        f"Name the file with your agent's class {entry} and put it at the top of the archive.",
    )


def _sources(files: dict[str, bytes]) -> Sources:
    return Sources(tuple(SourceFile(name, files[name]) for name in sorted(files)))


def read_archive(archive: bytes, *, limits: UploadLimits = DEFAULT_LIMITS) -> Sources:
    """What ``Sources.archive`` packed. Raises SystemFault: a stored archive is ours."""
    room = limits.unpacked_bytes + limits.files * _ZIP_OVERHEAD_PER_FILE
    ours = UploadLimits(packed_bytes=room, unpacked_bytes=limits.unpacked_bytes, files=limits.files)
    try:
        return _sources(read_zip(archive, ours))
    except UploadRejected as error:
        raise SystemFault(f"a stored archive cannot be read: {error.reason}") from error


def unpack(archive: bytes, directory: Path, *, limits: UploadLimits = DEFAULT_LIMITS) -> None:
    """Write a stored archive's files, read-only, into an existing empty directory.

    Follows no link and overwrites nothing. Raises SystemFault if it cannot.
    """
    sources = read_archive(archive, limits=limits)
    try:
        for file in sources.files:
            _make_folders(directory, PurePosixPath(file.name).parent)
            _write(directory / file.name, file.data)
    except OSError as error:
        raise SystemFault(f"cannot unpack into {directory}: {error}") from error


def _make_folders(directory: Path, folder: PurePosixPath) -> None:
    """Open to everybody whatever the umask: who reads them is another user, in a container."""
    for part in reversed((folder, *folder.parents)):
        if not (directory / part).is_dir():
            (directory / part).mkdir()
            (directory / part).chmod(_FOLDER_MODE)


def _write(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags, _FILE_MODE), "wb") as file:
        file.write(data)
        os.fchmod(file.fileno(), _FILE_MODE)
