"""Uploads whose names or kinds of files are dangerous or collide, and files of other kinds."""

import gzip
import io
import stat
import struct
import tarfile
import unicodedata
from pathlib import Path

import pytest

from firebox.sources import check_sources
from grader.interfaces import interface_named
from grader.interfaces.languages import JAVA_UPLOAD
from grader.uploads.archive import read_upload
from tests.support.every import every
from tests.support.zips import (
    AGENT,
    by_powershell,
    entry,
    patched,
    read,
    rejection,
    renamed,
    unpacked,
    zipped,
)

# Names


@every(
    ("name", "reason"),
    [
        ("../agent.py", "leads out of the archive"),
        ("lib/../../x.py", "leads out of the archive"),
        ("..", "leads out of the archive"),
        (".. /x.py", "leads out of the archive"),
        ("..\\x.py", "leads out of the archive"),
        ("..\\..\\x", "leads out of the archive"),
        ("lib/..\\x.py", "leads out of the archive"),
        ("lib\\..\\..", "leads out of the archive"),
        ("a\tb\\..\\..\\x", "leads out of the archive"),
        ("C:..\\x", "leads out of the archive"),
        ("C:../x", "leads out of the archive"),
        ("lib/C:..", "leads out of the archive"),
        ("/etc/passwd", "absolute path"),
        ("//server/share/x.py", "absolute path"),
        ("\\etc\\passwd", "absolute path"),
        ("\\\\server\\x.py", "absolute path"),
        ("\\\\?\\C:\\x.py", "absolute path"),
        ("C:/x.py", "drive letter"),
        ("C:\\x.py", "drive letter"),
        ("C:", "drive letter"),
        ("lib\\C:\\x", "drive letter"),
        ("lib/..", "leads out of the archive"),
        ("./../x.py", "leads out of the archive"),
        ("lib//x.py", "empty folder name"),
        (".", "empty name"),
        ("__MACOSX/../../x", "leads out of the archive"),
        (".git/../../x", "leads out of the archive"),
        ("../.git/x", "leads out of the archive"),
        ("../a.pyc", "leads out of the archive"),
        ("node_modules/..", "leads out of the archive"),
        ("/.git/x", "absolute path"),
        ("/Thumbs.db", "absolute path"),
        ("C:/venv/x", "drive letter"),
        ("venv/C:/x", "drive letter"),
        (".git\\..\\x", "leads out of the archive"),
        ("venv/..\\x", "leads out of the archive"),
        (".git//x", "empty folder name"),
        ("lib\\..\\..\\x.py", "leads out of the archive"),
        ("lib\\..", "leads out of the archive"),
        (".git\\..\\..\\x", "leads out of the archive"),
        ("..\\.git\\x", "leads out of the archive"),
        ("lib\\\\x.py", "empty folder name"),
    ],
)
def test_dangerous_names_are_refused(name: str, reason: str) -> None:
    for data in (zipped(("agent.py", AGENT), (name, b"x")), by_powershell(name)):
        text = rejection(data)
        assert reason in text
        assert not any(unicodedata.category(character).startswith("C") for character in text)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@every(
    ("one", "other"),
    [
        ("x.py", "x.py"),
        ("x.py", "X.py"),
        ("straße.py", "strasse.py"),
        ("größe.py", unicodedata.normalize("NFD", "größe.py")),
        ("ﬁ.py", "fi.py"),
        ("lib", "lib/x.py"),
        ("lib/x.py", "lib"),
        ("Lib/x.py", "lib/y.py"),
        ("lib/", "lib"),
        ("a/b.py", "./a/b.py"),
        ("Σ.py", "ς.py"),
        ("\u212b.py", "å.py"),
        ("①.py", "1.py"),
        ("ｘ.py", "x.py"),
        ("lib/X/a.py", "lib/x/b.py"),
        ("lib\\x.py", "lib/x.py"),
        ("lib\\x.py", "lib\\x.py"),
        ("lib\\x.py", "LIB\\X.py"),
        ("lib\\x.py", "lib"),
        ("lib\\", "lib"),
        (".\\agent.py", "other.py"),
    ],
)
def test_names_that_collide_are_refused(one: str, other: str) -> None:
    data = zipped(("agent.py", AGENT), (one, b""), (other, b""))
    assert "are the same on some systems" in rejection(
        by_powershell(one, other) if "\\" in one else data
    )


def test_folder_listed_twice_does_no_harm() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        assert list(read(("lib/", b""), ("lib/", b""), ("agent.py", AGENT))) == ["agent.py"]


# Kinds


@every("system", [0, 3])
@every(
    ("kind", "reason"),
    [
        (stat.S_IFLNK, "a link"),
        (stat.S_IFCHR, "not a regular file"),
        (stat.S_IFBLK, "not a regular file"),
        (stat.S_IFIFO, "not a regular file"),
        (stat.S_IFSOCK, "not a regular file"),
        (stat.S_IFDIR, "not a regular file"),
    ],
)
def test_anything_but_regular_files_is_refused(kind: int, reason: str, system: int) -> None:
    data = zipped(("agent.py", AGENT), (entry("x", mode=kind | 0o777, system=system), b"/etc"))
    assert reason in rejection(data)


# Wrong uploads


def tarred(mode: str) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as archive:  # type: ignore[call-overload]
        member = tarfile.TarInfo("agent.py")
        member.size = len(AGENT)
        archive.addfile(member, io.BytesIO(AGENT))
    return data.getvalue()


OTHER_FILES = {
    "empty": b"",
    "text": b"not a zip",
    "source": AGENT,
    "magic": b"PK",
    "zeros": bytes(100),
    "tar": tarred("w"),
    "tar.gz": tarred("w:gz"),
    "gzip": gzip.compress(AGENT),
    "elf": b"\x7fELF\x02\x01\x01" + bytes(200),
    "rar": b"Rar!\x1a\x07\x01\x00" + bytes(50),
    "7z": b"7z\xbc\xaf\x27\x1c" + bytes(50),
}
BINARY = ("zeros", "tar", "tar.gz", "gzip", "elf", "rar", "7z")


@every(
    ("names", "reason"),
    [
        ([], "The archive has no files."),
        (["player.py"], "There is no agent.py in the archive."),
        (["Agent.py"], "There is no agent.py at the top of the archive, only 'Agent.py'."),
        (["a/b/agent.py"], "only 'a/b/agent.py'"),
        (["a/agent.py", "b/x.py"], "only 'a/agent.py'"),
    ],
)
def test_missing_entry_is_explained(names: list[str], reason: str) -> None:
    assert reason in rejection(zipped(*((name, AGENT) for name in names)))


# Sources that can be stored, and are refused when they are compiled


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"name = '\xe9'\n", "have your editor save the file as UTF-8"),
        (b"(" * (1 << 20), "too many nested parentheses"),
    ],
    ids=["latin-1", "parentheses"],
)
def test_a_source_that_no_python_can_read_is_explained(
    source: bytes, reason: str, tmp_path: Path
) -> None:
    assert unpacked(zipped(("agent.py", source), method=8), tmp_path) == {"agent.py"}
    (message,) = check_sources(tmp_path)
    assert message["file"] == "agent.py"
    assert reason in message["text"]


# Names that a compiler takes only in lower case


def test_an_ending_of_java_in_capitals_is_lowered() -> None:
    data = zipped(("agents/Agent1.JAVA", b"class Agent1 {}"), ("agents/TABLE.CSV", b"1"))
    files = read_upload("a.zip", data, JAVA_UPLOAD).files
    assert [file.name for file in files] == ["agents/Agent1.java", "agents/TABLE.CSV"]


def test_other_endings_in_capitals_are_kept() -> None:
    """An include may name the file so."""
    sources = read_upload(
        "a.zip", zipped(("HAND.H", b"// nothing")), interface_named("gcc-cpp").upload
    )
    assert [file.name for file in sources.files] == ["HAND.H"]


ONE = zipped(("agent.py", AGENT))
CODE_PAGE = bytearray(renamed(b"aaaa.py", b"\x82\x82l.py".ljust(7, b"x")))
struct.pack_into("<H", CODE_PAGE, CODE_PAGE.index(b"PK\x03\x04", 4) + 6, 0x800)
"""A name in a code page that its other header says is UTF-8."""
BACKSLASH = by_powershell("lib\\x.py")
PYTHON_FILE = "This is not a Python source file"
REFUSED = [
    *(
        (f"flags {flag:#x}", "a.zip", patched(ONE, flag=flag), "is encrypted")
        for flag in (0x1, 0x40, 0x2000)
    ),
    *(
        (f"method {method}", "a.zip", patched(ONE, method=method), "unusual compression")
        for method in (1, 9, 12, 14, 93, 99)
    ),
    # For many a reader a name ends at NUL.
    *(
        (f"{name!r}", "a.zip", renamed(b"x" * len(name), name), reason)
        for name, reason in (
            (b"a\0aa.py", "invisible or control"),
            (b"a.py\0/.git/x", "invisible or control"),
            (b".git/a\0b", "invisible or control"),
            (b"a.py\0.pyc", "invisible or control"),
            (b"\x82/../../x", "leads out of the archive"),
            (b"../\x82/a.py", "leads out of the archive"),
            (b"/\x82l/a.pyc", "absolute path"),
            (b"C:/\x82l/a.py", "drive letter"),
            (b"\x82l\\../a.py", "leads out of the archive"),
            (b"\x82\0a.pyc", "invisible or control"),
        )
    ),
    ("a name in two codings", "a.zip", bytes(CODE_PAGE), "contradicts itself"),
    *(
        (f"a backslash in the {where}", "a.zip", b"lib/x.py".join(parts), "contradicts itself")
        for where, parts in (
            ("directory", BACKSLASH.split(b"lib\\x.py", 1)),
            ("header", BACKSLASH.rsplit(b"lib\\x.py", 1)),
        )
    ),
    *(
        (kind, "agent.zip", data, "not a readable zip archive")
        for kind, data in OTHER_FILES.items()
    ),
    *((kind, "agent.py", OTHER_FILES[kind], PYTHON_FILE) for kind in BINARY),
    *(
        (coding, "agent.py", AGENT.decode().encode(coding), PYTHON_FILE)
        for coding in ("utf-16", "utf-16-le", "utf-32")
    ),
    *(
        ("another kind", name, AGENT, "neither a Python source file nor a zip")
        for name in ("agent.rar", "agent", "agent.py.exe", "", "agent.tar.gz")
    ),
    ("a zip", "agent.py", zipped(("agent.py", AGENT)), "This is a zip archive"),
    ("nothing", "agent.py", b"", "The file is empty."),
    ("blanks", "agent.py", b"  \n", "The file is empty."),
    (
        "a folder by a backslash with contents",
        "a.zip",
        zipped(("agent.py", AGENT), (entry("lib\\", system=0), b"hidden")),
        "damaged",
    ),
    (
        "a link to a folder by a backslash",
        "a.zip",
        zipped(("agent.py", AGENT), (entry("lib\\", mode=stat.S_IFLNK | 0o777, system=0), b"")),
        "is a link",
    ),
    (
        "names in a code page that collide",
        "a.zip",
        zipped(("agent.py", AGENT), ("aal.py", b""), ("bbl.py", b""))
        .replace(b"aal.py", b"\x82\x82l.py")
        .replace(b"bbl.py", b"\x90\x82l.py"),
        "are the same on some systems",
    ),
    (
        "a name in a code page that collides with one in UTF-8",
        "a.zip",
        zipped(("agent.py", AGENT), ("aal.py", b""), ("éél.py", b"")).replace(
            b"aal.py", b"\x82\x82l.py"
        ),
        "are the same on some systems",
    ),
    (
        "a name that claims to be UTF-8",
        "a.zip",
        zipped(("agent.py", AGENT), ("ää.py", b"x")).replace("ää".encode(), b"\xff\xff\xff\xff"),
        "not valid UTF-8",
    ),
]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [what[1:] for what in REFUSED],
    ids=[f"{what[0]} as {what[1]!r}" for what in REFUSED],
)
def test_what_is_no_archive_and_no_source_is_refused(name: str, data: bytes, reason: str) -> None:
    assert reason in rejection(data, name)


def test_too_large_a_file_is_refused() -> None:
    assert "at most 10 are allowed" in rejection(AGENT, "agent.py", packed_bytes=10)
