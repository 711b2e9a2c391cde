"""Names that say something else than a file is: what it is, and how it should be called."""

import re
from collections.abc import Container, Sequence
from pathlib import PurePosixPath
from typing import Final

from grader.core.errors import UploadRejected
from grader.uploads.zip_names import quoted

HEAD_BYTES: Final = 512
"""The beginning of a file that shows what it is."""
_MAGIC: Final = (
    (0, b"\x1f\x8b", "a .tar.gz or .gz archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a .7z archive"),
    (0, b"Rar!\x1a\x07", "a .rar archive"),
    (0, b"BZh", "a .tar.bz2 archive"),
    (0, b"\xfd7zXZ\0", "a .tar.xz archive"),
    (0, b"\x28\xb5\x2f\xfd", "a .tar.zst archive"),
    (257, b"ustar", "a .tar archive"),
    (0, b"%PDF", "a PDF document"),
)
"""Where, by which bytes, and as what a file is recognised."""
_WRONG_END: Final = re.compile(r"\.(?:txt|text|rtf|doc|docx|bak|orig)$", re.IGNORECASE)
"""Endings that editors and systems put behind a file's own."""
_DEFINITIONS: Final = (".cpp", ".cc", ".cxx")
"""Endings of files in C++ that define what a header declares."""
RENAME: Final = "name it "
"""Part of all advice on names."""
COPY: Final = re.compile(r"(?: ?\(\d{1,3}\)| - Copy)+$")
"""Additions of systems and browsers to the name of a copy."""


def not_a_zip(head: bytes, advice: str) -> UploadRejected:
    """Return the refusal of a file that is called a zip and begins like this."""
    for at, magic, what in _MAGIC:
        if head.startswith(magic, at):
            return UploadRejected(
                f"This is not a readable zip archive, but {what}.",
                "Pack the files as a .zip: renaming another archive does not change what it is.",
            )
    return UploadRejected("This is not a readable zip archive.", advice)


def better_name(filename: str, suffixes: Sequence[str]) -> str:
    """Return advice for a source that was saved under another name; empty if it looks like none.

    ``agent.py.txt`` and ``agent.txt`` are to be called ``agent.py``.
    """
    path = PurePosixPath(filename)
    if path.suffix.lower() in _DEFINITIONS and ".h" in suffixes:
        header = f"{path.stem}.h"
        return f"{quoted(path.name)} needs its header: pack {quoted(header)} and it into a .zip."
    if not _WRONG_END.search(path.name):
        return ""
    stem = COPY.sub("", path.stem)
    suffix = next((end for end in suffixes if stem.lower().endswith(end)), "")
    if not suffix and (path.suffix.lower() != ".txt" or PurePosixPath(stem).suffix):
        return ""
    name = f"{COPY.sub('', stem[: -len(suffix)] if suffix else stem)}{suffix or suffixes[0]}"
    return f"If {quoted(path.name)} is a source, {RENAME}{quoted(name)}."


def copied(filename: str, others: Container[str]) -> str:
    """Return advice for a copy whose original is not among the others; else nothing."""
    path = PurePosixPath(filename)
    original = path.with_name(f"{COPY.sub('', path.stem) or path.stem}{path.suffix}")
    if original == path or str(original) in others:
        return ""
    return f"If it is the agent's, {RENAME}{quoted(original.name)}."
