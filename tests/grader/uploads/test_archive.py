"""Uploads that are taken, and the archives that are made of them."""

import hashlib
import io
import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from pathlib import Path

import pytest

from grader.core.errors import SystemFault, UploadRejected
from grader.uploads.archive import SourceFile, Sources, read_archive, read_upload, unpack
from grader.uploads.shape import UploadShape
from grader.uploads.zip_reader import UploadLimits
from tests.support.every import every
from tests.support.zips import (
    AGENT,
    by_powershell,
    entry,
    read,
    rejection,
    renamed,
    unpacked,
    zipped,
)

# What is taken


def test_one_python_file_becomes_the_entry() -> None:
    assert read_upload("My Agent (2).py", AGENT) == Sources((SourceFile("agent.py", AGENT),))


CLUTTER_FOLDERS = (
    *(".git", ".idea", ".vscode", ".gradle", ".svn", ".settings"),
    *(".vs", "venv", ".venv", "node_modules", "__pycache__", "__MACOSX"),
)
CLUTTER_FILES = (
    *("A.class", "a.pyc", "a.o", "Thumbs.db", "thumbs.db", ".DS_Store", "Icon\r"),
    *("desktop.ini", "Desktop.ini", "module-info.java"),
)


@every("where", ["", "mine/", "mine/deep/"])
@every("name", [*CLUTTER_FILES, *(f"{folder}/x/a.py" for folder in CLUTTER_FOLDERS)])
def test_files_that_systems_and_tools_add_are_left_out(name: str, where: str) -> None:
    assert list(read(("mine/agent.py", AGENT), (f"{where}{name}", b"x"))) == ["agent.py"]


DECOMPOSED = unicodedata.normalize("NFD", "größe.py")
TAKEN = {
    "the entry at the top": (("agent.py", "lib/tools.py"), ("agent.py", "lib/tools.py")),
    "the entry in the only folder": (("mine/agent.py", "mine/lib/a.py"), ("agent.py", "lib/a.py")),
    "entries of folders": (("mine/", "mine/agent.py", "mine/lib/"), ("agent.py",)),
    "a folder before a backslash": (("mine\\agent.py", "mine\\a.py"), ("agent.py", "a.py")),
    "clutter beside the folder": (("mine/agent.py", "__MACOSX/mine/._agent.py"), ("agent.py",)),
    "decomposed letters": (("agent.py", DECOMPOSED), ("agent.py", "größe.py")),
    **{
        f"similar to clutter: {name}": (("agent.py", name), ("agent.py", name))
        for name in (
            *("git/a.py", "venvs/a.py", "a.git/a.py", "venv", "node_modules", "a.class.py"),
            *("a.obj", "package-info.java"),
        )
    },
    **{
        f"a folder {folder}/": ((f"{folder}/", "agent.py"), ("agent.py",))
        for folder in CLUTTER_FOLDERS
    },
}


@pytest.mark.parametrize("what", TAKEN)
def test_an_archive_is_taken_with_the_files_that_are_meant(what: str) -> None:
    names, expected = TAKEN[what]
    entries = [
        (entry(name, system=0 if "\\" in name else 3), b"" if name[-1] == "/" else AGENT)
        for name in names
    ]
    assert read(*entries) == dict.fromkeys(expected, AGENT)


def test_names_in_utf8_without_the_flag_are_understood() -> None:
    assert "aäa.py" in [
        file.name for file in read_upload("a.zip", renamed(b"aaaa.py", b"a\xc3\xa4a.py")).files
    ]


def test_a_comment_behind_an_archive_is_left_out() -> None:
    """The hosts of repositories put the commit there."""
    data = io.BytesIO(zipped(("agent.py", AGENT)))
    with zipfile.ZipFile(data, "a") as archive:
        archive.comment = b"0123456789abcdef" * 4
    assert [file.name for file in read_upload("a.zip", data.getvalue()).files] == ["agent.py"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@every(
    "name",
    [
        ".git/" + "x" * 300,
        "node_modules/" + "d/" * 1000 + "x.js",
        ".git/a\nb",
        "venv/a\u202eb",
        "__pycache__/x.py",
    ],
)
def test_ugly_names_in_clutter_do_no_harm(name: str) -> None:
    twice = (name, b"x"), (name.upper(), b""), (name, b"x")
    assert "agent.py" in read(("agent.py", AGENT), twice[0], twice[2])


def test_clutter_in_a_code_page_does_no_harm() -> None:
    data = zipped(("agent.py", AGENT), (".git/aaaa", b"x")).replace(b"/aaaa", b"/\xff\x82\xff\x82")
    assert len(read_upload("a.zip", data).files) == 1


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_in_clutter_are_left_out(kind: int, tmp_path: Path) -> None:
    """As they are in ``venv/bin``."""
    data = zipped(("agent.py", AGENT), (entry("venv/bin/python", mode=kind | 0o777), b"/etc"))
    assert unpacked(data, tmp_path) == {"agent.py"}


@pytest.mark.parametrize("name", ["venv", "bin/python", "venv2/python", "build/python"])
def test_links_beside_clutter_are_refused(name: str) -> None:
    link = entry(name, mode=stat.S_IFLNK | 0o777)
    assert "is a link" in rejection(zipped(("agent.py", AGENT), (link, b"/etc")))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_nested_archive_is_plain_data(method: int, tmp_path: Path) -> None:
    inner = zipped(("../x", b"y"), (entry("l", mode=stat.S_IFLNK | 0o777), b"/etc/passwd"))
    data = zipped(("agent.py", AGENT), ("data.zip", inner), method=method)
    assert unpacked(data, tmp_path) == {"agent.py", "data.zip"}
    assert (tmp_path / "data.zip").read_bytes() == inner


def test_setuid_bits_are_not_kept(tmp_path: Path) -> None:
    data = zipped((entry("agent.py", mode=stat.S_IFREG | 0o7777), AGENT))
    assert unpacked(data, tmp_path) == {"agent.py"}
    assert stat.S_IMODE((tmp_path / "agent.py").stat().st_mode) == 0o444


def test_modes_that_forbid_reading_are_not_kept(tmp_path: Path) -> None:
    folder = entry("lib/", mode=stat.S_IFDIR)
    data = zipped((folder, b""), (entry("agent.py", mode=stat.S_IFREG), AGENT), ("lib/a.py", b""))
    assert unpacked(data, tmp_path) == {"agent.py", "lib/a.py"}
    assert stat.S_IMODE((tmp_path / "lib").stat().st_mode) == 0o755


@pytest.mark.parametrize("system", [0, 3])
@pytest.mark.parametrize("page", ["cp437", "cp850"])
def test_names_in_a_code_page_of_windows_are_understood(page: str, system: int) -> None:
    other = entry("aal.java", system=system)
    data = zipped((other, b"class A {}")).replace(b"aal.java", "éél.java".encode(page))
    assert read_upload("a.zip", data, JAVA).files[0].name == "éél.java"


@pytest.mark.parametrize("system", [0, 3, 10])
def test_backslashes_are_between_folders_whichever_system_wrote_them(system: int) -> None:
    names = ("mine\\", "mine\\agent.py", "mine\\lib\\a.py")
    entries = [(entry(name, system=system), AGENT * (name[-1] != "\\")) for name in names]
    assert set(read(*entries)) == {"agent.py", "lib/a.py"}


@pytest.mark.parametrize("end", [b"\x1a", b"\0" * 9, b"\r\n\x1a\0\0"])
def test_marks_of_old_editors_at_the_end_of_a_source_are_left_out(end: bytes) -> None:
    (alone,) = read_upload("agent.py", AGENT + end).files
    assert alone.data.rstrip() == AGENT.rstrip()
    packed = read(*((name, AGENT + end) for name in ("agent.py", "hand.cpp", "weights.bin")))
    plain = alone.data
    assert packed == {"agent.py": plain, "hand.cpp": plain, "weights.bin": AGENT + end}


def test_backslashes_of_ms_dos_are_between_folders(tmp_path: Path) -> None:
    data = by_powershell("lib\\", "lib\\deep\\a.py", "lib\\b.py")
    assert unpacked(data, tmp_path) == {"agent.py", "lib/deep/a.py", "lib/b.py"}


def test_data_descriptors_are_understood() -> None:
    class Pipe(io.BytesIO):
        """Cannot seek, so that sizes follow the data."""

        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise io.UnsupportedOperation

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("agent.py", AGENT)
    assert read_upload("a.zip", pipe.getvalue()).files[0].data == AGENT


def with_zip64_fields() -> bytes:
    """As programs write it that do not know sizes beforehand: real sizes are in an extra field.

    Written by hand, since `zipfile` writes such headers from Python 3.11.4 on only.
    """
    name, crc, size = b"agent.py", zlib.crc32(AGENT), len(AGENT)
    sizes = struct.pack("<2H2Q", 1, 16, size, size)
    lengths = len(name), len(sizes)
    local = struct.pack("<4s5H", b"PK\3\4", 45, 0, 0, 0, 0x21)
    local += struct.pack("<3I2H", crc, 0xFFFFFFFF, 0xFFFFFFFF, *lengths) + name + sizes + AGENT
    central = struct.pack("<4s6H", b"PK\1\2", 45, 45, 0, 0, 0, 0x21)
    central += struct.pack("<3I5H2I", crc, size, size, len(name), 0, 0, 0, 0, 0o644 << 16, 0) + name
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + end


def test_zip64_fields_are_understood(tmp_path: Path) -> None:
    assert zipfile.ZipFile(io.BytesIO(with_zip64_fields())).testzip() is None
    assert unpacked(with_zip64_fields(), tmp_path) == {"agent.py"}


def test_folders_may_be_as_deep_as_a_path_may_be_long(tmp_path: Path) -> None:
    name = "d/" * 117 + "x.py"
    assert unpacked(zipped(("agent.py", AGENT), (name, b"")), tmp_path) == {"agent.py", name}


JAVA = UploadShape(language="Java", suffixes=(".java",), keeps_name=True)
HEADER = UploadShape(language="C++", suffixes=(".h", ".hpp"), stored_as="Player.h")


@pytest.mark.parametrize(
    ("filename", "kept"),
    [
        ("Agent12345678.java", "Agent12345678.java"),
        ("Agent12345678 (1).java", "Agent12345678.java"),
        ("Agent12345678(12).JAVA", "Agent12345678.java"),
        ("Agent12345678 - Copy.java", "Agent12345678.java"),
    ],
)
def test_a_file_that_is_called_like_its_class_keeps_its_name(filename: str, kept: str) -> None:
    assert read_upload(filename, b"class A {}", JAVA).files[0].name == kept


PYTHON = UploadShape(language="Python", suffixes=(".py",), keeps_name=True, stored_as="agent.py")


@every(
    ("filename", "kept"),
    [
        ("my agent.py", "my agent.py"),
        ("my agent (2).PY", "my agent (2).py"),
        ("3rd.py", "3rd.py"),
        ("v1.2-final.py", "v1.2-final.py"),
        ("größe.py", "größe.py"),
        (unicodedata.normalize("NFD", "größe.py"), "größe.py"),
        ("robot (2).py", "robot.py"),
        (".hidden.py", "agent.py"),
        ("a\tb.py", "agent.py"),
        ("a\\b.py", "agent.py"),
        ("..\\x.py", "agent.py"),
        ("C:x.py", "agent.py"),
        ("a\u202eb.py", "agent.py"),
        ("a\udce4.py", "agent.py"),
        ("x" * 300 + " .py", "agent.py"),
    ],
)
def test_a_python_file_keeps_any_name_that_can_be_stored(filename: str, kept: str) -> None:
    sources = read_upload(filename, b"x = 1", PYTHON)
    assert [file.name for file in sources.files] == [kept]
    assert read_archive(sources.archive()) == sources


def test_a_file_that_no_class_can_be_called_like_is_refused() -> None:
    with pytest.raises(UploadRejected, match=r"cannot be called 'my-agent\.java' in Java"):
        read_upload("my-agent.java", b"class A {}", JAVA)


def test_a_file_that_is_included_under_one_name_gets_it() -> None:
    assert read_upload("player (3).hpp", b"class Player {};", HEADER).files[0].name == "Player.h"


def test_an_archive_without_an_entry_needs_one_source() -> None:
    with pytest.raises(UploadRejected, match=r"no file that ends in \.java in the archive"):
        read_upload("a.zip", zipped(("notes.txt", b"hello")), JAVA)
    files = read_upload("a.zip", zipped(("src/agents/A.java", b"class A {}")), JAVA).files
    assert [file.name for file in files] == ["src/agents/A.java"]


# Stored archives


def test_equal_sources_have_equal_archives_which_never_change() -> None:
    one = read_upload("a.zip", zipped(("lib/a.py", b"1"), ("agent.py", AGENT)))
    other = read_upload(
        "b.zip", zipped(("x/agent.py", AGENT), ("x/lib/a.py", b"1"), method=zipfile.ZIP_DEFLATED)
    )
    assert one.archive() == other.archive()
    archive = read_upload("agent.py", AGENT).archive()
    assert hashlib.sha256(archive).hexdigest() == (
        "3903b516f34a1103d7d9c65c82bf818d21fc55af9bf1b55bd9d3bf8ad0d75ca0"
    )


def test_an_archive_can_be_read_back_also_at_every_limit() -> None:
    plain = read_upload("a.zip", zipped(("agent.py", AGENT), ("größe/ä.py", b"1")))
    assert read_archive(plain.archive()) == plain
    limits = UploadLimits(packed_bytes=1 << 20, unpacked_bytes=1000, files=10)
    names = ["agent.py", *(f"{'ä' * 115}{number}.py" for number in range(9))]
    sources = read_upload("a.zip", zipped(*((name, b"#" * 100) for name in names)), limits=limits)
    assert read_archive(sources.archive(), limits=limits) == sources


def test_unreadable_stored_archive_is_our_fault() -> None:
    with pytest.raises(SystemFault, match="stored archive"):
        read_archive(b"rubbish")


def test_unpacked_files_are_read_only_for_everybody(tmp_path: Path) -> None:
    old = os.umask(0o077)
    try:
        unpack(
            read_upload("a.zip", zipped(("agent.py", AGENT), ("a/b/c.py", b"1"))).archive(),
            tmp_path,
        )
    finally:
        os.umask(old)
    assert (tmp_path / "a/b/c.py").read_bytes() == b"1"
    assert stat.S_IMODE((tmp_path / "a/b/c.py").stat().st_mode) == 0o444
    assert stat.S_IMODE((tmp_path / "a/b").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "agent.py").stat().st_mode) == 0o444


def test_unpacking_overwrites_nothing_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"precious")
    (tmp_path / "agent.py").symlink_to(tmp_path / "target")
    with pytest.raises(SystemFault, match="cannot unpack"):
        unpack(read_upload("agent.py", AGENT).archive(), tmp_path)
    assert (tmp_path / "target").read_bytes() == b"precious"
