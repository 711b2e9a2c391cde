"""Files of an archive whose names no agent's file needs to have: left out, and named."""

import stat
from pathlib import Path
from typing import Final

import pytest

from grader.core.errors import SystemFault, UploadRejected
from grader.interfaces import INTERFACES
from grader.interfaces.recognise import recognise
from grader.uploads.archive import read_archive, read_upload
from tests.support.every import every
from tests.support.zips import (
    AGENT,
    by_powershell,
    entry,
    rejection,
    renamed,
    unpacked,
    zipped,
)

ODD_NAMES: Final = [
    ("C:notes.txt", "drive letter"),
    ("c:x.py", "drive letter"),
    ("lib/C:x.py", "drive letter"),
    ("lib\\x.py", "backslash"),
    ("lib\\", "backslash"),
    ("lib\\a/x.py", "backslash"),
    (".git\\x", "backslash"),
    ("a\tb.txt", "invisible or control"),
    ("a\nb.py", "invisible or control"),
    ("a\x1b[2Jb.py", "invisible or control"),
    ("a\u202eyp.exe", "invisible or control"),
    ("a\u2066b\u2069.py", "invisible or control"),
    ("a\u200bb.py", "invisible or control"),
    ("a\ufeffb.py", "invisible or control"),
    ("a\u2028b.py", "invisible or control"),
    ("a\ue000b.py", "invisible or control"),
    ("a\u058bb.py", "invisible or control"),
    ("a\x7fb.py", "invisible or control"),
    ("a\x85b.py", "invisible or control"),
    ("Icon\r.py", "invisible or control"),
    ("Icon\r/a.py", "invisible or control"),
    ("x" * 241, "more than 240 bytes"),
    ("ä" * 121, "more than 240 bytes"),
    ("x" * 65_000, "more than 240 bytes"),
    ("d/" * 120 + "x.py", "more than 240 bytes"),
    ("d/" * 30_000 + "x.py", "more than 240 bytes"),
    ("x" * 241 + "/a.py", "more than 240 bytes"),
]
"""Names that no agent's file needs to have."""


@pytest.mark.parametrize(("name", "reason"), ODD_NAMES)
def test_a_file_with_an_odd_name_is_left_out_with_a_note(
    name: str, reason: str, tmp_path: Path
) -> None:
    data = zipped(("mine/agent.py", AGENT), (f"mine/{name}", b"x"))
    (note,) = read_upload("a.zip", data).notes
    assert reason in note
    assert note.isprintable()
    assert len(note) < 300
    assert unpacked(data, tmp_path) == {"agent.py"}


def test_only_some_of_many_files_with_odd_names_are_named() -> None:
    data = zipped(("agent.py", AGENT), ("a\tb/", b""), *((f"a\tb/{n}", b"") for n in range(12)))
    notes = read_upload("a.zip", data).notes
    assert len(notes) == 11
    assert notes[0] == (
        r"not used: 'a\tb/0' has an invisible or control character in its name;"
        " rename the file if the agent needs it"
    )
    assert notes[-1] == "not used: 2 other files with such names"


def test_an_archive_that_lacks_its_agent_names_what_was_left_out() -> None:
    text = rejection(zipped(("C:agent.py", AGENT), ("C:a", b"")))
    assert text == (
        r"The archive has no files. 'C:agent.py' has a drive letter and was left out"
        " (one of 2 such files)."
    )
    data = zipped(("C:robot.py", b"class Robot(AI): pass"))
    with pytest.raises(UploadRejected, match=r"are not opened\.") as caught:
        recognise("a.zip", data, [*INTERFACES])
    assert "has a drive letter and was left out." in caught.value.reason


@every(
    ("kept", "odd"),
    [
        ("agent.py", "C:agent.py"),
        ("agent.py", ".\\AGENT.py"),
        ("agent.py", "C:.\\agent.py"),
        ("lib/x.py", "lib\\x.py"),
        ("lib/x.py", "lib\\X.PY"),
        ("lib/x.py", "lib\\x.py\\y.py"),
        ("lib/x.py", "C:lib"),
        ("straße.py", "c:STRASSE.py"),
        ("agent.py", ".\\" * 200 + "agent.py"),
    ],
)
def test_an_odd_name_that_windows_reads_as_one_that_is_kept_is_refused(kept: str, odd: str) -> None:
    data = zipped(("agent.py", AGENT), *([(kept, b"")] if kept != "agent.py" else []), (odd, b"x"))
    assert "are the same on some systems" in rejection(data)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO])
def test_links_with_odd_names_are_refused(kind: int) -> None:
    link = entry("C:notes.txt", mode=kind | 0o777)
    assert rejection(zipped(("agent.py", AGENT), (link, b"/etc/passwd")))


def test_a_stored_archive_with_an_odd_name_is_not_ours() -> None:
    with pytest.raises(SystemFault, match="has a drive letter"):
        read_archive(zipped(("agent.py", AGENT), ("C:notes.txt", b"x")))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("lib\\C:x.py", "drive letter"),
        ("lib\\a/x.py", "backslash"),
        ("lib\\a\nb.py", "invisible or control"),
        ("d\\" * 120 + "x.py", "more than 240 bytes"),
    ],
)
def test_odd_names_with_backslashes_of_ms_dos_are_left_out(name: str, reason: str) -> None:
    (note,) = read_upload("a.zip", by_powershell(name)).notes
    assert reason in note


@pytest.mark.parametrize("control", [b"\x01", b"\x1b", b"\r", b"\x7f"])
def test_control_characters_beside_those_of_a_code_page_are_seen(control: bytes) -> None:
    (note,) = read_upload("a.zip", renamed(b"aaaa.py", b"a\x82" + control + b"a.py")).notes
    assert "invisible or control" in note
