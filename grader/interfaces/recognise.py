"""Recognises the interface that an upload was written for, by its sources."""

from codecs import BOM_UTF8
from collections.abc import Sequence
from pathlib import PurePosixPath
from re import Pattern
from typing import Final

from grader.core.errors import UploadRejected
from grader.interfaces import Interface, interface_named
from grader.uploads.archive import DEFAULT_LIMITS, SourceFile, Sources, read_upload
from grader.uploads.misnamed import RENAME
from grader.uploads.zip_names import quoted
from grader.uploads.zip_reader import UploadLimits


def recognise(
    filename: str,
    data: bytes,
    names: Sequence[str],
    *,
    agent_class: str = "",
    limits: UploadLimits = DEFAULT_LIMITS,
) -> tuple[Interface, Sources]:
    """Return the interface among ``names`` that the upload is meant for, and its files.

    Sources without markers are taken for the first's. Raises UploadRejected if none or several
    match, RecordError for an unknown interface.
    """
    interface, sources = _recognised(filename, data, names, limits)
    if not agent_class:
        return interface, sources
    if not interface.upload.names_class:
        raise UploadRejected(
            f"In {interface.title} it is not the upload that names a class.", "Leave it out."
        )
    return interface, sources.choosing(agent_class)


def _recognised(
    filename: str, data: bytes, names: Sequence[str], limits: UploadLimits
) -> tuple[Interface, Sources]:
    interfaces = [interface_named(name) for name in names]
    if len(interfaces) == 1:
        return interfaces[0], read_upload(filename, data, interfaces[0].upload, limits=limits)
    taken, refusals = [], []
    for interface in interfaces:
        try:
            taken.append((interface, read_upload(filename, data, interface.upload, limits=limits)))
        except UploadRejected as refusal:
            refusals.append((interface, refusal))
    if not taken:
        raise _refusal(filename, refusals)
    marked = [
        candidate
        for candidate in taken
        if (required := candidate[0].markers.required) and _has(candidate, required)
    ]
    if not marked:
        weak = [(candidate, candidate[0].markers.weak) for candidate in taken]
        marked = [
            candidate
            for candidate, marker in weak
            if marker is not None and _has(candidate, (marker,))
        ]
    if len(marked) > 1:
        raise _unclear(marked)
    if marked:
        return marked[0]
    if len(taken) > 1 and taken[0][0] is not interfaces[0]:
        _check_text(taken[0])
        alike = any(
            interface.upload.language == interfaces[0].upload.language for interface, _ in taken
        )
        raise refusals[0][1] if alike else _unclear(taken)
    return taken[0]


def _unclear(candidates: Sequence[tuple[Interface, Sources]]) -> UploadRejected:
    titles = "; ".join(interface.title for interface, _ in candidates)
    return UploadRejected(
        f"It is not clear what this is written for: {titles}.", "Choose the interface yourself."
    )


def _has(taken: tuple[Interface, Sources], markers: Sequence[Pattern[bytes]]) -> bool:
    texts = [file.data.removeprefix(BOM_UTF8) for file in _read(taken)]
    return all(any(marker.search(text) for text in texts) for marker in markers)


def _check_text(taken: tuple[Interface, Sources]) -> None:
    for file in _read(taken):
        if b"\0" in file.data:
            raise UploadRejected(
                f"The file {quoted(file.name)} has NUL characters, as UTF-16 has.",
                "Save it in your editor as UTF-8.",
            )


def _read(taken: tuple[Interface, Sources]) -> list[SourceFile]:
    interface, sources = taken
    return [
        file
        for file in sources.files
        if PurePosixPath(file.name).suffix.lower() in interface.upload.suffixes
    ]


_MISSING: Final = ("There is no ", "The archive has no files")
"""Beginnings of refusals that only say that an interface's files are not there."""


def _refusal(filename: str, refusals: Sequence[tuple[Interface, UploadRejected]]) -> UploadRejected:
    suffix = PurePosixPath(filename).suffix.lower()
    for interface, refusal in refusals:
        if suffix in interface.upload.suffixes:
            return refusal
    about_files = [refusal for _, refusal in refusals if not refusal.reason.startswith(_MISSING)]
    if suffix == ".zip" and len({refusal.reason for refusal in about_files}) == 1:
        return about_files[0]
    if renaming := next((each for _, each in refusals if RENAME in each.hint), None):
        return renaming
    endings = sorted({end for interface, _ in refusals for end in interface.upload.suffixes})
    if suffix == ".zip":
        return UploadRejected(
            "There is no agent in the archive.",
            f"Put its sources into it: files that end in {', '.join(endings)}. Archives within it"
            " are not opened.",
            left_out=refusals[0][1].left_out,
        )
    return UploadRejected(
        f"A file named {filename[-80:]!r} is no source file of an agent, and no zip archive.",
        f"Upload one file that ends in {', '.join(endings)}, or a .zip with all of the agent's.",
    )
