"""Submissions' sources: read from an upload, packed for the store, unpacked for a grader.

``read_upload`` checks every part of an upload before anything is written. Sources are then packed
again, so that equal sources have equal hashes, and graders only read archives that we wrote.
"""

import io
import json
import os
import re
import unicodedata
import zipfile
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Final

from grader.core.errors import SystemFault, UploadRejected
from grader.core.words import counted
from grader.uploads.left_out import notes_on, unused
from grader.uploads.misnamed import COPY, better_name, copied
from grader.uploads.shape import PYTHON_UPLOAD, UploadShape
from grader.uploads.upload_zip import Contents, read_upload_zip
from grader.uploads.zip_names import LeftOut, is_plain, quoted
from grader.uploads.zip_reader import UploadLimits, read_zip

DEFAULT_LIMITS: Final = UploadLimits()


CHOICE: Final = "firebox.json"
"""The file in which an upload names the class that plays: ``{"class": "MyAgent"}``."""

_ZIP_OVERHEAD_PER_FILE: Final = 1024
"""Upper bound of headers and two copies of the longest name in an archive."""
_ZIP_MAGIC: Final = b"PK"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_FILE_MODE: Final = 0o444
_FOLDER_MODE: Final = 0o755
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_MAX_NOTES: Final = 10
_END_MARKS: Final = b"\0\x1a"
"""The end of a text as CP/M and MS-DOS wrote it: Ctrl-Z, and NUL up to the end of a block."""
_INCLUDED: Final = frozenset({".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hs-boot", ".hxx"})
"""Endings of files that sources include, or that compilers read beside them."""
_NO_TEXT: Final = re.compile(rb"[\0-\x08\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a submission."""

    name: str
    """Relative path with forward slashes."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of a submission, by name."""

    files: tuple[SourceFile, ...]
    """Sorted by name."""
    left_out: tuple[LeftOut, ...] = field(default=(), compare=False)
    """Files of the upload with odd names."""
    unread: Mapping[str, int] = field(default_factory=dict, compare=False)
    """Files of the upload that no agent reads, with their sizes."""
    folders: Mapping[str, Sequence[int]] = field(default_factory=dict, compare=False)
    """The sizes of other files that were left out, by folder; ``""``: elsewhere."""
    outside: tuple[str, ...] = field(default=(), compare=False)
    """Files at the top of the upload, beside the folder that has the entry."""

    @property
    def notes(self) -> list[str]:
        """Notes for the student on files that were left out."""
        return [
            *self._odd,
            *notes_on(self.folders, self.unread),
            *unused(
                dict.fromkeys(self.outside, 0),
                "only files in the folder of the agent's main file are used",
            ),
        ]

    @property
    def _odd(self) -> list[str]:
        told = [
            f"not used: {one}; rename the file if the agent needs it"
            for one in self.left_out[:_MAX_NOTES]
        ]
        if more := len(self.left_out) - len(told):
            told.append(f"not used: {counted(more, 'other file')} with such names")
        return told

    def choosing(self, agent_class: str) -> "Sources":
        """These files, and beside them the choice of the class that plays.

        Raises UploadRejected for what is no name of a class.
        """
        if not _PLAIN_NAME.fullmatch(agent_class):
            raise UploadRejected(
                f"{agent_class[:80]!r} is not the name of a class.",
                "Give the name as it stands behind the word class in your source.",
            )
        choice = SourceFile(CHOICE, json.dumps({"class": agent_class}).encode())
        others = [file for file in self.files if file.name != CHOICE]
        return replace(self, files=tuple(sorted([*others, choice], key=lambda file: file.name)))

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


def chosen_class(archive: bytes) -> str:
    """The class that a stored archive says is to play; empty if it says nothing."""
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        if CHOICE not in packed.namelist():
            return ""
        try:
            choice = json.loads(packed.read(CHOICE))
        except (ValueError, RecursionError):
            return ""
    name = choice.get("class") if isinstance(choice, dict) else None
    return name if isinstance(name, str) and _PLAIN_NAME.fullmatch(name) else ""


def read_upload(
    filename: str,
    data: bytes,
    shape: UploadShape = PYTHON_UPLOAD,
    *,
    limits: UploadLimits = DEFAULT_LIMITS,
) -> Sources:
    """Read a student's upload: one source file, or a zip, as the interface's ``shape`` has it.

    The entry lies at the top of the archive, or in its only folder: then files beside that folder
    are left out.
    Raises UploadRejected with the reason and what to do; never anything else.
    """
    suffix = PurePosixPath(filename).suffix.lower()
    if suffix in shape.suffixes:
        source = _checked_source(_without_end_marks(data), shape, limits)
        return Sources((SourceFile(_stored_name(filename, shape), source),))
    if suffix != ".zip":
        raise UploadRejected(
            f"A file named {filename[-80:]!r} is neither {shape.what} nor a zip archive.",
            better_name(filename, shape.suffixes)
            or f"Upload one file that ends in {shape.endings}, or a .zip with all of the agent's.",
        )
    contents = read_upload_zip(io.BytesIO(data), limits)
    texts = {
        _spelt(name, shape): _without_end_marks(content) if _is_text(name, shape) else content
        for name, content in contents.files.items()
    }
    try:
        files, outside = _with_entry(texts, shape)
        _check_texts(files, shape)
    except UploadRejected as refusal:
        raise _with_left_out(refusal, contents) from None
    return replace(
        _sources(files),
        left_out=contents.left_out,
        unread=contents.unread,
        folders=contents.folders,
        outside=outside,
    )


def _is_source(name: str, shape: UploadShape) -> bool:
    return PurePosixPath(name).suffix.lower() in shape.suffixes


def _spelt(name: str, shape: UploadShape) -> str:
    path = PurePosixPath(name)
    is_lowered = shape.lowers_suffix and _is_source(name, shape)
    return str(path.with_suffix(path.suffix.lower())) if is_lowered else name


def _is_text(name: str, shape: UploadShape) -> bool:
    return _is_source(name, shape) or PurePosixPath(name).suffix.lower() in _INCLUDED


def _without_end_marks(data: bytes) -> bytes:
    """The source without marks of its end, which compilers take for characters of it.

    Programs, archives and wide characters have such bytes elsewhere too, and stay as they are.
    """
    text = data.rstrip(_END_MARKS)
    return text if text and not _NO_TEXT.search(text) else data


def _with_left_out(refusal: UploadRejected, contents: Contents) -> UploadRejected:
    left = ""
    if contents.left_out:
        count = len(contents.left_out)
        more = f" (one of {count} such files)" if count > 1 else ""
        left = f"{contents.left_out[0]} and was left out{more}."
    elif contents.folders:
        largest = max(contents.folders, key=lambda name: sum(contents.folders[name]))
        left = f"{quoted(largest)} was left out." if largest else ""
    return UploadRejected(refusal.reason, refusal.hint, left_out=left)


def _names_class(shape: UploadShape) -> bool:
    return shape.keeps_name and not shape.stored_as


def stored_name(filename: str, shape: UploadShape) -> str:
    """The name under which a single file is stored; empty if it cannot be called so.

    It is the file's own where the interface keeps it: as it is, or without what browsers add to
    copies, if that can name a class.
    """
    path = PurePosixPath(unicodedata.normalize("NFC", filename))
    stem, suffix = COPY.sub("", path.stem), path.suffix.lower()
    if shape.keeps_name and _PLAIN_NAME.fullmatch(stem):
        return f"{stem}{suffix}"
    own = f"{path.stem}{suffix}"
    keeps_any = shape.keeps_name and shape.stored_as and not own.startswith(".")
    return own if keeps_any and is_plain(own) else shape.stored_as


def _stored_name(filename: str, shape: UploadShape) -> str:
    if name := stored_name(filename, shape):
        return name
    raise UploadRejected(
        f"The file cannot be called {filename[-80:]!r} in {shape.language}.",
        "Give it the name that it has in your project, made of letters, digits and underscores.",
    )


def _checked_source(data: bytes, shape: UploadShape, limits: UploadLimits) -> bytes:
    if data.startswith(_ZIP_MAGIC + b"\x03\x04"):
        raise UploadRejected(
            f"This is a zip archive, though its name ends in {shape.suffixes[0]}.",
            "Rename it so it ends in .zip.",
        )
    if not data.removeprefix(BOM_UTF8).strip():
        raise UploadRejected("The file is empty.", "Save it in your editor and upload it again.")
    if b"\0" in data:
        raise UploadRejected(
            f"This is not {shape.what}: it has NUL characters, as programs and archives have.",
            "Upload the agent's source. If it is one, save it in your editor as UTF-8.",
        )
    if len(data) > limits.packed_bytes:
        raise UploadRejected(
            f"The file has {len(data)} bytes; at most {limits.packed_bytes} are allowed.",
            "Leave out what the agent does not need.",
        )
    return data


def _check_texts(files: dict[str, bytes], shape: UploadShape) -> None:
    """Refuse sources in an archive for what they would be refused for alone.

    A source without a character may be the mark of a package, unless it is the main file.
    """
    sources = {name: data for name, data in files.items() if _is_source(name, shape)}
    for name, data in sources.items():
        if b"\0" in data:
            raise UploadRejected(
                f"The file {quoted(name)} has NUL characters, as UTF-16 has.",
                "Save it in your editor as UTF-8.",
            )
        if advice := copied(name, files) if _names_class(shape) else "":
            raise UploadRejected(f"No class can be in a file named {quoted(name)}.", advice)
    main = [shape.entry] if shape.entry else list(sources)
    if not any(files[name].removeprefix(BOM_UTF8).strip() for name in main):
        raise UploadRejected(
            f"The file {quoted(main[0])} is empty.", "Save it in your editor and pack it again."
        )


def _with_entry(
    files: dict[str, bytes], shape: UploadShape
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    outside: tuple[str, ...] = ()
    if shape.entry:
        files, outside = _from_top_folder(files, shape.entry)
        if shape.entry not in files:
            raise _entry_missing(files, shape)
    elif not any(_is_source(name, shape) for name in files):
        raise UploadRejected(
            f"There is no file that ends in {shape.endings} in the archive.",
            _better_names(files, shape) or f"Put your agent's {shape.language} sources into it.",
        )
    return files, outside


def _better_names(files: Iterable[str], shape: UploadShape) -> str:
    advice = (better_name(name, shape.suffixes) for name in sorted(files))
    return next(filter(None, advice), "")


def _from_top_folder(
    files: dict[str, bytes], entry: str
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    tops = {top for top, slash, _ in (name.partition("/") for name in files) if slash}
    if entry in files or len(tops) != 1 or f"{(top := tops.pop())}/{entry}" not in files:
        return files, ()
    inside = {name: data for name, data in files.items() if name.startswith(f"{top}/")}
    outside = tuple(sorted(files.keys() - inside.keys()))
    return {name.removeprefix(f"{top}/"): data for name, data in inside.items()}, outside


def _entry_missing(files: dict[str, bytes], shape: UploadShape) -> UploadRejected:
    entry = shape.entry
    if not files:
        return UploadRejected("The archive has no files.", f"Put {entry} into it.")
    if alike := sorted(name for name in files if name.lower().endswith(entry.lower())):
        return UploadRejected(
            f"There is no {entry} at the top of the archive, only {alike[0]!r}.",
            f"Pack it so that {entry}, in exactly this spelling, is at the top or in one folder.",
        )
    return UploadRejected(
        f"There is no {entry} in the archive.",
        _better_names(files, shape)
        or f"Name your agent's main file {entry} and put it at the top of the archive.",
    )


def _sources(files: dict[str, bytes]) -> Sources:
    return Sources(tuple(SourceFile(name, files[name]) for name in sorted(files)))


def read_archive(archive: bytes, *, limits: UploadLimits = DEFAULT_LIMITS) -> Sources:
    """Read what ``Sources.archive`` packed. Raises SystemFault: a stored archive is ours."""
    stored = limits.unpacked_bytes + limits.weight_bytes
    room = stored + limits.files * _ZIP_OVERHEAD_PER_FILE
    ours = replace(limits, archive_bytes=room, packed_bytes=room)
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
    """Create folders for everybody to read, whatever the umask: containers have another user."""
    for part in reversed((folder, *folder.parents)):
        if not (directory / part).is_dir():
            (directory / part).mkdir()
            (directory / part).chmod(_FOLDER_MODE)


def _write(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags, _FILE_MODE), "wb") as file:
        file.write(data)
        os.fchmod(file.fileno(), _FILE_MODE)
