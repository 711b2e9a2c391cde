"""Makes a small archive of a large one, without the contents that no agent reads.

A project's folder may be packed with its history, pictures and builds. The archive is read where it
lies: no more of it is in memory than an agent's files may have.
"""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from os import SEEK_END
from typing import BinaryIO

from grader.core.errors import UploadRejected
from grader.uploads.archive import DEFAULT_LIMITS
from grader.uploads.left_out import notes_on
from grader.uploads.upload_zip import read_upload_zip
from grader.uploads.zip_reader import UploadLimits


@dataclass(frozen=True, slots=True)
class Light:
    """An upload as it is to be checked."""

    data: bytes
    notes: tuple[str, ...] = ()
    """On what ``data`` does not have any more."""


def lightened(
    filename: str, file: BinaryIO, limits: UploadLimits = DEFAULT_LIMITS, *, most: int | None = None
) -> Light:
    """Return an upload as it is to be checked: a small one as it is, of a large zip what counts.

    ``most`` bytes are small; by default as many as a source may have. Raises UploadRejected for a
    large file that is no zip, and for a zip that would be refused.
    """
    size, most = file.seek(0, SEEK_END), limits.packed_bytes if most is None else most
    if size <= most:
        file.seek(0)
        return Light(file.read())
    if not filename.lower().endswith(".zip"):
        raise UploadRejected(
            f"The file has {size} bytes; at most {limits.packed_bytes} are allowed.",
            "Leave out what the agent does not need.",
        )
    contents = read_upload_zip(file, limits)
    # Odd names stay, without contents, so that the check names them as left out.
    odd = {each.name: b"" for each in contents.left_out}
    return Light(zipped(contents.files | odd), tuple(notes_on(contents.folders, contents.unread)))


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Pack files, compressed, under the names that they have here."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()
