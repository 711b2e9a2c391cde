"""Uploads: what is taken, and every hostile archive we could think of."""

import gzip
import hashlib
import io
import os
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firebox.sources import check_sources
from grader.core.errors import SystemFault, UploadRejected
from grader.uploads.archive import (
    SourceFile,
    Sources,
    UploadLimits,
    UploadShape,
    chosen_class,
    read_archive,
    read_upload,
    unpack,
)
from tests.support.writes import noted_writes

AGENT = b"class Agent: ...\n"


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = 0) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
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
    """An archive of agent.py and a second file, whose name's bytes are then replaced."""
    assert len(old) == len(new)
    return zipped(("agent.py", AGENT), (old.decode(), b"x")).replace(old, new)


# What is taken


def test_one_python_file_becomes_the_entry() -> None:
    assert read_upload("My Agent (2).py", AGENT) == Sources((SourceFile("agent.py", AGENT),))


def test_zip_with_the_entry_at_its_top() -> None:
    assert read(("agent.py", AGENT), ("lib/tools.py", b"1")) == {
        "agent.py": AGENT,
        "lib/tools.py": b"1",
    }


def test_only_top_folder_is_left_out() -> None:
    assert read(("mine/agent.py", AGENT), ("mine/lib/a.py", b"1")) == {
        "agent.py": AGENT,
        "lib/a.py": b"1",
    }


def test_folder_entries_are_not_files() -> None:
    assert list(read(("mine/", b""), ("mine/agent.py", AGENT), ("mine/lib/", b""))) == ["agent.py"]


def test_clutter_of_systems_is_left_out() -> None:
    assert list(
        read(
            ("agent.py", AGENT),
            ("__MACOSX/._agent.py", b"x"),
            (".DS_Store", b"x"),
            ("lib/.DS_Store", b"x"),
            ("__pycache__/agent.cpython-311.pyc", b"x"),
            ("old.pyc", b"x"),
        )
    ) == ["agent.py"]


CLUTTER_FOLDERS = (
    *(".git", ".idea", ".vscode", ".gradle", ".svn", ".settings"),
    *("venv", ".venv", "node_modules", "__pycache__", "__MACOSX"),
)
CLUTTER_FILES = (
    *("A.class", "a.pyc", "a.o", "Thumbs.db", "thumbs.db", ".DS_Store", "Icon\r"),
    *("desktop.ini", "Desktop.ini"),
)


@pytest.mark.parametrize("where", ["", "mine/", "mine/deep/"])
@pytest.mark.parametrize(
    "name", [*CLUTTER_FILES, *(f"{folder}/x/a.py" for folder in CLUTTER_FOLDERS)]
)
def test_what_systems_and_tools_add_is_left_out(name: str, where: str) -> None:
    assert list(read(("mine/agent.py", AGENT), (f"{where}{name}", b"x"))) == ["agent.py"]


@pytest.mark.parametrize("folder", CLUTTER_FOLDERS)
def test_a_folder_of_clutter_and_nothing_else_is_left_out(folder: str) -> None:
    assert list(read((f"{folder}/", b""), ("agent.py", AGENT))) == ["agent.py"]


@pytest.mark.parametrize(
    "name", ["git/a.py", "venvs/a.py", "a.git/a.py", "venv", "node_modules", "a.class.py", "a.obj"]
)
def test_what_is_only_called_alike_is_kept(name: str) -> None:
    assert name in read(("agent.py", AGENT), (name, b"x"))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
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


@pytest.mark.parametrize("name", ["venv", "bin/python", "venv2/python", ".git"])
def test_links_beside_clutter_are_refused(name: str) -> None:
    link = entry(name, mode=stat.S_IFLNK | 0o777)
    assert "is a link" in rejection(zipped(("agent.py", AGENT), (link, b"/etc")))


def test_clutter_beside_the_top_folder_does_not_count() -> None:
    assert list(read(("mine/agent.py", AGENT), ("__MACOSX/mine/._agent.py", b"x"))) == ["agent.py"]


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


def test_names_are_composed() -> None:
    name = unicodedata.normalize("NFD", "größe.py")
    assert "größe.py" in read(("agent.py", AGENT), (name, b"1"))


def test_utf8_names_without_the_flag_are_understood() -> None:
    assert [
        file.name for file in read_upload("a.zip", renamed(b"aaaa.py", b"a\xc3\xa4a.py")).files
    ] == [
        "agent.py",
        "aäa.py",
    ]


@pytest.mark.parametrize("system", [0, 3])
@pytest.mark.parametrize("page", ["cp437", "cp850"])
def test_names_in_a_code_page_of_windows_are_understood(page: str, system: int) -> None:
    other = entry("aal.java", system=system)
    data = zipped((other, b"class A {}")).replace(b"aal.java", "éél.java".encode(page))
    assert read_upload("a.zip", data, JAVA).files[0].name == "éél.java"


def by_powershell(*names: str) -> bytes:
    """As Windows PowerShell 5.1 packs with an old .NET."""
    entries = [(entry(name, system=0), b"" if name.endswith("\\") else b"x") for name in names]
    return zipped(("agent.py", AGENT), *entries)


def test_backslashes_of_ms_dos_are_between_folders(tmp_path: Path) -> None:
    data = by_powershell("lib\\", "lib\\deep\\a.py", "lib\\b.py")
    assert unpacked(data, tmp_path) == {"agent.py", "lib/deep/a.py", "lib/b.py"}


def test_the_only_top_folder_may_be_before_a_backslash() -> None:
    entries = [(entry(f"mine\\{name}", system=0), AGENT) for name in ("agent.py", "a.py")]
    assert set(read(*entries)) == {"agent.py", "a.py"}


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


def test_comment_behind_an_archive_is_left_out() -> None:
    """The hosts of repositories put the commit there."""
    data = io.BytesIO(zipped(("agent.py", AGENT)))
    with zipfile.ZipFile(data, "a") as archive:
        archive.comment = b"0123456789abcdef" * 4
    assert [file.name for file in read_upload("a.zip", data.getvalue()).files] == ["agent.py"]


def test_folders_may_be_as_deep_as_a_path_may_be_long(tmp_path: Path) -> None:
    name = "d/" * 117 + "x.py"
    assert unpacked(zipped(("agent.py", AGENT), (name, b"")), tmp_path) == {"agent.py", name}


def test_another_interface_has_another_entry() -> None:
    shape = UploadShape(language="C++", suffixes=(".h",), entry="Player.h")
    data = zipped(("Player.h", b"class Player {};"))
    assert read_upload("a.zip", data, shape).files[0].name == "Player.h"


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


# Names


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../agent.py", "leads out of the archive"),
        ("lib/../../x.py", "leads out of the archive"),
        ("..", "leads out of the archive"),
        ("/etc/passwd", "absolute path"),
        ("//server/share/x.py", "absolute path"),
        ("C:/x.py", "drive letter"),
        ("c:x.py", "drive letter"),
        ("..\\x.py", "backslash"),
        ("C:\\x.py", "drive letter"),
        ("\\\\server\\x.py", "backslash"),
        ("lib/..", "leads out of the archive"),
        ("./../x.py", "leads out of the archive"),
        ("lib//x.py", "empty folder name"),
        (".", "empty name"),
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
        ("x" * 241, "more than 240 bytes"),
        ("ä" * 121, "more than 240 bytes"),
        ("x" * 65_000, "more than 240 bytes"),
        ("d/" * 120 + "x.py", "more than 240 bytes"),
        ("d/" * 30_000 + "x.py", "more than 240 bytes"),
        ("__MACOSX/../../x", "leads out of the archive"),
        (".git/../../x", "leads out of the archive"),
        ("../.git/x", "leads out of the archive"),
        ("../a.pyc", "leads out of the archive"),
        ("node_modules/..", "leads out of the archive"),
        ("/.git/x", "absolute path"),
        ("/Thumbs.db", "absolute path"),
        ("C:/venv/x", "drive letter"),
        ("venv/C:/x", "drive letter"),
        ("lib/C:x.py", "drive letter"),
        (".git\\..\\x", "backslash"),
        ("venv/..\\x", "backslash"),
        (".git//x", "empty folder name"),
        ("Icon\r.py", "invisible or control"),
        ("Icon\r/a.py", "invisible or control"),
        ("x" * 241 + "/a.py", "more than 240 bytes"),
    ],
)
def test_dangerous_names_are_refused(name: str, reason: str) -> None:
    text = rejection(zipped(("agent.py", AGENT), (name, b"x")))
    assert reason in text
    assert not any(unicodedata.category(character).startswith("C") for character in text)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("..\\x.py", "leads out of the archive"),
        ("lib\\..\\..\\x.py", "leads out of the archive"),
        ("lib\\..", "leads out of the archive"),
        (".git\\..\\..\\x", "leads out of the archive"),
        ("..\\.git\\x", "leads out of the archive"),
        ("\\etc\\passwd", "absolute path"),
        ("\\\\server\\share\\x.py", "absolute path"),
        ("\\\\?\\C:\\x.py", "absolute path"),
        ("C:\\x.py", "drive letter"),
        ("lib\\C:x.py", "drive letter"),
        ("lib\\\\x.py", "empty folder name"),
        ("lib/..\\x.py", "backslash"),
        ("lib\\a/x.py", "backslash"),
        ("lib\\a\nb.py", "invisible or control"),
        ("d\\" * 120 + "x.py", "more than 240 bytes"),
    ],
)
def test_dangerous_names_with_backslashes_of_ms_dos_are_refused(name: str, reason: str) -> None:
    assert reason in rejection(by_powershell(name))


@pytest.mark.parametrize("system", [3, 10, 19])
def test_backslashes_of_other_systems_are_refused(system: int) -> None:
    data = zipped(("agent.py", AGENT), (entry("lib\\x.py", system=system), b"x"))
    assert "backslash" in rejection(data)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "names",
    [
        ("lib\\x.py", "lib/x.py"),
        ("lib\\x.py", "lib\\x.py"),
        ("lib\\x.py", "LIB\\X.py"),
        ("lib\\x.py", "lib"),
        ("lib\\", "lib"),
        (".\\agent.py",),
    ],
)
def test_names_that_collide_by_a_backslash_are_refused(names: tuple[str, ...]) -> None:
    assert "are the same on some systems" in rejection(by_powershell(*names))


@pytest.mark.parametrize("at", [0, 1])
def test_headers_that_differ_in_a_backslash_are_refused(at: int) -> None:
    data = by_powershell("lib\\x.py")
    place = [data.index(b"lib\\x.py"), data.rindex(b"lib\\x.py")][at]
    data = data[:place] + b"lib/x.py" + data[place + 8 :]
    assert "contradicts itself" in rejection(data)


def test_a_folder_by_a_backslash_with_contents_is_refused() -> None:
    data = zipped(("agent.py", AGENT), (entry("lib\\", system=0), b"hidden"))
    assert "damaged" in rejection(data)


def test_a_link_to_a_folder_by_a_backslash_is_refused() -> None:
    link = entry("lib\\", mode=stat.S_IFLNK | 0o777, system=0)
    assert "is a link" in rejection(zipped(("agent.py", AGENT), (link, b"")))


def test_a_drive_letter_below_the_top_folder_is_refused() -> None:
    assert "drive letter" in rejection(zipped(("mine/agent.py", AGENT), ("mine/C:x.py", b"x")))


@pytest.mark.parametrize("name", [b"a\0aa.py", b"a.py\0/.git/x", b".git/a\0b", b"a.py\0.pyc"])
def test_name_with_nul_is_refused(name: bytes) -> None:
    """For many a reader it ends there."""
    assert "invisible or control" in rejection(renamed(b"x" * len(name), name))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (b"\x82/../../x", "leads out of the archive"),
        (b"../\x82/a.py", "leads out of the archive"),
        (b"/\x82l/a.pyc", "absolute path"),
        (b"C:\x82l/a.py", "drive letter"),
        (b"\x82l\\../a.py", "backslash"),
        (b"\x82\0a.pyc", "invisible or control"),
    ],
)
def test_dangerous_names_in_a_code_page_are_refused(name: bytes, reason: str) -> None:
    data = zipped(("agent.py", AGENT), ("x" * len(name), b"x")).replace(b"x" * len(name), name)
    assert reason in rejection(data)


@pytest.mark.parametrize("control", [b"\x01", b"\x1b", b"\r", b"\x7f"])
def test_control_characters_beside_those_of_a_code_page_are_refused(control: bytes) -> None:
    data = renamed(b"aaaa.py", b"a\x82" + control + b"a.py")
    assert "invisible or control" in rejection(data)


def test_a_name_in_a_code_page_that_its_other_header_says_is_utf8_is_refused() -> None:
    data = bytearray(renamed(b"aaaa.py", b"\x82\x82l.py".ljust(7, b"x")))
    at = data.index(b"PK\x03\x04", 4)
    struct.pack_into("<H", data, at + 6, 0x800)
    assert "contradicts itself" in rejection(bytes(data))


def test_names_in_a_code_page_that_collide_are_refused() -> None:
    data = zipped(("agent.py", AGENT), ("aal.py", b""), ("bbl.py", b""))
    data = data.replace(b"aal.py", b"\x82\x82l.py").replace(b"bbl.py", b"\x90\x82l.py")
    assert "are the same on some systems" in rejection(data)


def test_a_name_in_a_code_page_that_collides_with_one_in_utf8_is_refused() -> None:
    data = zipped(("agent.py", AGENT), ("aal.py", b""), ("éél.py", b""))
    assert "are the same on some systems" in rejection(data.replace(b"aal.py", b"\x82\x82l.py"))


def test_name_that_claims_to_be_utf8_and_is_not_is_refused() -> None:
    data = zipped(("agent.py", AGENT), ("ää.py", b"x")).replace("ää".encode(), b"\xff\xff\xff\xff")
    assert "not valid UTF-8" in rejection(data)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
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
    ],
)
def test_names_that_collide_are_refused(one: str, other: str) -> None:
    data = zipped(("agent.py", AGENT), (one, b""), (other, b""))
    assert "are the same on some systems" in rejection(data)


def test_folder_listed_twice_does_no_harm() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        assert list(read(("lib/", b""), ("lib/", b""), ("agent.py", AGENT))) == ["agent.py"]


# Kinds


@pytest.mark.parametrize("system", [0, 3])
@pytest.mark.parametrize(
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


def patched(data: bytes, *, flag: int = 0, method: int | None = None) -> bytes:
    """Change flags or the method of the first entry, in its local header and in the directory."""
    changed = bytearray(data)
    for at in (0, data.index(b"PK\x01\x02") + 2):
        (flags,) = struct.unpack_from("<H", changed, at + 6)
        struct.pack_into("<H", changed, at + 6, flags | flag)
        if method is not None:
            struct.pack_into("<H", changed, at + 8, method)
    return bytes(changed)


@pytest.mark.parametrize("flag", [0x1, 0x40, 0x2000])
def test_encrypted_entries_are_refused(flag: int) -> None:
    assert "is encrypted" in rejection(patched(zipped(("agent.py", AGENT)), flag=flag))


@pytest.mark.parametrize("method", [1, 9, 12, 14, 93, 99])
def test_unusual_compression_is_refused(method: int) -> None:
    assert "unusual compression" in rejection(patched(zipped(("agent.py", AGENT)), method=method))


# Sizes


def test_archive_that_is_too_large_is_refused() -> None:
    data = zipped(("agent.py", os.urandom(2000)))
    assert "at most 1000 are allowed" in rejection(data, packed_bytes=1000)


def test_zip_bomb_is_refused_by_its_declared_size() -> None:
    data = zipped(("agent.py", AGENT), ("zeros", bytes(6 << 20)), method=zipfile.ZIP_DEFLATED)
    assert "Unpacked it has" in rejection(data)


def test_many_files_that_are_too_large_together_are_refused() -> None:
    files = [(f"f{number}.py", bytes(60)) for number in range(20)]
    assert "Unpacked it has 1200 bytes" in rejection(zipped(*files), unpacked_bytes=1199)


def lying(declared: int) -> bytes:
    """A megabyte of zeros that both its headers say has ``declared`` bytes."""
    data = bytearray(zipped(("agent.py", bytes(1 << 20)), method=zipfile.ZIP_DEFLATED))
    for at in (22, data.index(b"PK\x01\x02") + 24):
        struct.pack_into("<L", data, at, declared)
    return bytes(data)


@pytest.fixture
def inflated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of bytes that were inflated, by call."""
    made: list[int] = []
    real = zlib.decompressobj

    class Counted:
        def __init__(self, bits: int) -> None:
            self._real = real(bits)

        def decompress(self, data: bytes, most: int) -> bytes:
            content = self._real.decompress(data, most)
            made.append(len(content))
            return content

        @property
        def eof(self) -> bool:
            return self._real.eof

        @property
        def unused_data(self) -> bytes:
            return self._real.unused_data

    monkeypatch.setattr("grader.uploads.zip_reader.zlib.decompressobj", Counted)
    return made


@pytest.mark.parametrize("declared", [0, 100, (1 << 20) - 1, (1 << 20) + 1])
def test_zip_bomb_that_lies_about_its_size_is_refused(declared: int) -> None:
    assert "does not have the size" in rejection(lying(declared))


@pytest.mark.parametrize("at", [14, 18, 22])
@pytest.mark.parametrize("change", [-1, 1])
def test_headers_that_contradict_each_other_are_refused(at: int, change: int) -> None:
    """Checksum, packed size and size, told to readers that ignore the directory."""
    data = bytearray(zipped(("agent.py", AGENT)))
    (told,) = struct.unpack_from("<L", data, at)
    struct.pack_into("<L", data, at, told + change)
    assert "contradicts itself" in rejection(bytes(data))


def test_headers_that_name_different_methods_are_refused() -> None:
    data = bytearray(zipped(("agent.py", AGENT)))
    struct.pack_into("<H", data, 8, zipfile.ZIP_DEFLATED)
    assert "contradicts itself" in rejection(bytes(data))


@pytest.mark.parametrize("change", [-1, 1])
def test_stored_file_that_lies_about_its_packed_size_is_refused(change: int) -> None:
    data = bytearray(zipped(("agent.py", AGENT)))
    for at in (18, data.index(b"PK\x01\x02") + 20):
        struct.pack_into("<L", data, at, len(AGENT) + change)
    assert rejection(bytes(data)) in {
        "The archive has data that belongs to no file in it.",
        "Entries of the archive overlap, as in a zip bomb.",
    }


def with_zip64_size(extra: bytes) -> bytes:
    """An archive whose directory points to an extra field for its file's size."""
    data = bytearray(zipped(("agent.py", AGENT)))
    at, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    struct.pack_into("<L", data, 22, 0xFFFFFFFF)
    struct.pack_into("<L", data, at + 24, 0xFFFFFFFF)
    struct.pack_into("<H", data, at + 30, len(extra))
    struct.pack_into("<L", data, end + 12, end - at + len(extra))
    return bytes(data[:end]) + extra + bytes(data[end:])


@pytest.mark.parametrize("size", [1 << 31, 1 << 40, (1 << 63) - 1, (1 << 64) - 1])
def test_enormous_sizes_in_zip64_fields_are_refused(size: int) -> None:
    data = with_zip64_size(struct.pack("<HHQ", 1, 8, size))
    assert f"Unpacked it has {size} bytes" in rejection(data)


@pytest.mark.parametrize("size", [0, len(AGENT) - 1, len(AGENT) + 1])
def test_wrong_sizes_in_zip64_fields_are_refused(size: int) -> None:
    data = with_zip64_size(struct.pack("<HHQ", 1, 8, size))
    assert "does not have the size" in rejection(data)


def test_zip64_field_that_is_cut_off_is_refused() -> None:
    data = with_zip64_size(struct.pack("<HHL", 1, 4, 17))
    assert "not a readable zip archive" in rejection(data)


def test_no_more_is_inflated_than_is_allowed_however_high_the_ratio(
    inflated: list[int],
) -> None:
    """A thousandfold and more: whatever is declared, no byte beyond the limit is made."""
    bomb = zipped(("agent.py", bytes(4 << 20)), method=zipfile.ZIP_DEFLATED)
    assert len(bomb) < 5000
    assert "Unpacked it has 4194304 bytes" in rejection(bomb, unpacked_bytes=(4 << 20) - 1)
    assert inflated == []
    rejection(lying(1000))
    assert sum(inflated) == 1001


def test_lying_bomb_is_not_inflated_beyond_its_declared_size(inflated: list[int]) -> None:
    rejection(lying(100))
    assert inflated == [101]


def test_too_many_files_are_refused() -> None:
    files = [("agent.py", AGENT), *((f"f{number}.py", b"") for number in range(200))]
    assert (
        rejection(zipped(*files)) == "The archive has 201 entries; at most 200 files are allowed."
    )


CLUTTER = [(f".git/objects/{number:03}", b"x") for number in range(1000)]


def test_clutter_does_not_count_as_files() -> None:
    assert list(read(("agent.py", AGENT), *CLUTTER[1:])) == ["agent.py"]


def test_too_many_entries_are_refused_even_if_they_are_clutter() -> None:
    assert "1001 entries" in rejection(zipped(("agent.py", AGENT), *CLUTTER))


def test_a_bomb_in_clutter_is_never_inflated(inflated: list[int]) -> None:
    bomb = (".git/objects/pack", bytes(8 << 20))
    assert list(read(("agent.py", AGENT), bomb)) == ["agent.py"]
    assert inflated == [len(AGENT)]


def test_a_bomb_beside_clutter_is_refused() -> None:
    bomb = ("git/objects/pack", bytes(8 << 20))
    assert "Unpacked it has" in rejection(
        zipped(("agent.py", AGENT), bomb, method=zipfile.ZIP_DEFLATED)
    )


def test_clutter_that_overlaps_a_file_is_refused() -> None:
    data = overlapping().replace(b"agent.py", b".git/abc")
    assert "overlap" in rejection(data)


def test_too_many_entries_are_refused_even_if_they_are_folders() -> None:
    folders = [(f"f{number}/", b"") for number in range(1001)]
    assert "1001 entries" in rejection(zipped(("agent.py", AGENT), *folders[1:]))


def with_entries(count: int, *, listed: int | None = None) -> bytes:
    """A directory of so many entries, all for the same file; the end record may tell another."""
    data = zipped(("a", b""))
    at, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    directory = data[at:end] * count
    tail = bytearray(data[end:])
    told = min(count, 0xFFFF) if listed is None else listed
    struct.pack_into("<HHL", tail, 8, told, told, len(directory))
    return data[:at] + directory + bytes(tail)


@pytest.fixture
def listed_entries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the entries that were read from a directory."""
    names: list[str] = []

    class Counted(zipfile.ZipInfo):
        def __init__(self, filename: str, *rest: Any, **more: Any) -> None:
            names.append(filename)
            super().__init__(filename, *rest, **more)

    monkeypatch.setattr("zipfile.ZipInfo", Counted)
    return names


@pytest.mark.parametrize("listed", [None, 1])
def test_a_directory_of_a_hundred_thousand_entries_is_not_read(
    listed: int | None, listed_entries: list[str]
) -> None:
    data = with_entries(100_001, listed=listed)
    listed_entries.clear()
    assert f"The archive has {len(data)} bytes" in rejection(data)
    assert "The archive has 100001 entries" in rejection(data, packed_bytes=16 << 20)
    assert listed_entries == []


@pytest.mark.parametrize("listed", [0, 1, 3])
def test_a_wrong_number_of_entries_is_refused(listed: int) -> None:
    assert rejection(with_entries(2, listed=listed)) == (
        f"The archive says that it has {listed} entries, and has 2."
    )


def overlapping() -> bytes:
    """Two directory entries for the same bytes, as in a non-recursive zip bomb."""
    data = zipped(("agent.py", AGENT))
    at = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    directory = data[at:end]
    tail = bytearray(data[end:])
    struct.pack_into("<HHL", tail, 8, 2, 2, 2 * len(directory))
    return data[:at] + directory * 2 + bytes(tail)


def test_overlapping_entries_are_refused() -> None:
    assert "overlap" in rejection(overlapping())


def test_file_within_another_is_refused() -> None:
    """As a bomb has it: one file's data is another's header and data."""
    inner = zipped(("x", b"1234"))
    inner = inner[: inner.index(b"PK\x01\x02")]
    data = zipped(("agent.py", inner), ("x", b"1234"))
    moved = bytearray(data)
    struct.pack_into("<L", moved, data.rindex(b"PK\x01\x02") + 42, data.index(inner))
    assert "overlap" in rejection(bytes(moved))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_entries_of_one_name_are_refused_even_if_they_are_equal() -> None:
    data = zipped(("agent.py", AGENT), ("agent.py", AGENT))
    assert "are the same on some systems" in rejection(data)


@pytest.mark.parametrize(
    "lead", [b"#!/bin/sh\nexit\n", b"\x7fELF" + bytes(60), b"%PDF-1.7\n", b"\0"]
)
def test_data_before_an_archive_is_refused(lead: bytes) -> None:
    data = lead + zipped(("agent.py", AGENT))
    assert rejection(data) == "The archive has data that belongs to no file in it."


@pytest.mark.parametrize("trail", [b"\n", b"\0", b"<script>", bytes(70_000)])
def test_data_behind_an_archive_is_refused(trail: bytes) -> None:
    data = zipped(("agent.py", AGENT)) + trail
    assert rejection(data) == "The archive goes on behind its end, or is cut off."


def test_two_archives_in_one_are_refused() -> None:
    data = zipped(("agent.py", AGENT)) + zipped(("agent.py", b"class Other: ...\n"))
    assert rejection(data) == "The archive has data that belongs to no file in it."


def test_an_archive_in_the_comment_of_another_is_refused() -> None:
    inner = zipped(("agent.py", b"class Other: ...\n"))
    outer = bytearray(zipped(("agent.py", AGENT)))
    struct.pack_into("<H", outer, len(outer) - 2, len(inner))
    assert rejection(bytes(outer) + inner) == "The archive has data that belongs to no file in it."


def test_a_file_that_the_directory_does_not_list_is_refused() -> None:
    data = zipped(("agent.py", AGENT), ("hidden.py", b"1"))
    at, end = data.rindex(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    tail = bytearray(data[end:])
    struct.pack_into("<HHL", tail, 8, 1, 1, at - data.index(b"PK\x01\x02"))
    assert rejection(data[:at] + bytes(tail)) == (
        "The archive has data that belongs to no file in it."
    )


def test_wrong_checksum_is_refused() -> None:
    data = zipped(("agent.py", AGENT))
    assert "damaged" in rejection(data.replace(AGENT, AGENT.upper()))


def test_local_header_with_another_name_is_refused() -> None:
    data = zipped(("agent.py", AGENT))
    assert "contradicts itself" in rejection(data.replace(b"agent.py", b"other.py", 1))


def test_folder_with_contents_is_refused() -> None:
    with_folder = bytearray(zipped(("agent.py", AGENT), ("liba", b"hidden")))
    assert "damaged" in rejection(bytes(with_folder).replace(b"liba", b"lib/"))


@pytest.mark.parametrize("cut", [1, 10, 22, 30, 60])
def test_truncated_archive_is_refused(cut: int) -> None:
    assert rejection(zipped(("agent.py", AGENT))[:-cut])


# Wrong uploads


@pytest.mark.parametrize("filename", ["agent.rar", "agent", "agent.py.exe", "", "agent.tar.gz"])
def test_other_kinds_of_files_are_refused(filename: str) -> None:
    assert "neither a Python source file nor a zip" in rejection(AGENT, filename)


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


@pytest.mark.parametrize("kind", OTHER_FILES)
def test_what_is_no_archive_is_refused(kind: str) -> None:
    assert "not a readable zip archive" in rejection(OTHER_FILES[kind])


@pytest.mark.parametrize("kind", ["zeros", "tar", "tar.gz", "gzip", "elf", "rar", "7z"])
def test_what_is_no_text_is_no_python_file(kind: str) -> None:
    assert "This is not a Python source file" in rejection(OTHER_FILES[kind], "agent.py")


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_source_of_wide_characters_is_refused(coding: str) -> None:
    assert "This is not a Python source file" in rejection(
        AGENT.decode().encode(coding), "agent.py"
    )


def test_zip_named_py_is_refused() -> None:
    assert "This is a zip archive" in rejection(zipped(("agent.py", AGENT)), "agent.py")


@pytest.mark.parametrize("data", [b"", b"  \n"])
def test_empty_file_is_refused(data: bytes) -> None:
    assert rejection(data, "agent.py") == "The file is empty."


def test_too_large_file_is_refused() -> None:
    assert "at most 10 are allowed" in rejection(AGENT, "agent.py", packed_bytes=10)


@pytest.mark.parametrize(
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
        (b"name = '\xe9'\n", "codec can't decode byte 0xe9"),
        (b"(" * (1 << 20), "too many nested parentheses"),
        (b"x = 1\0\n", "null bytes"),
    ],
    ids=["latin-1", "parentheses", "nul"],
)
def test_a_source_that_no_python_can_read_is_explained(
    source: bytes, reason: str, tmp_path: Path
) -> None:
    assert unpacked(zipped(("agent.py", source), method=8), tmp_path) == {"agent.py"}
    (message,) = check_sources(tmp_path)
    assert message["file"] == "agent.py"
    assert reason in message["text"]


# Stored archives


def test_equal_sources_have_equal_archives() -> None:
    one = read_upload("a.zip", zipped(("lib/a.py", b"1"), ("agent.py", AGENT)))
    other = read_upload(
        "b.zip", zipped(("x/agent.py", AGENT), ("x/lib/a.py", b"1"), method=zipfile.ZIP_DEFLATED)
    )
    assert one.archive() == other.archive()


def test_archive_of_a_single_file_never_changes() -> None:
    archive = read_upload("agent.py", AGENT).archive()
    assert hashlib.sha256(archive).hexdigest() == (
        "3903b516f34a1103d7d9c65c82bf818d21fc55af9bf1b55bd9d3bf8ad0d75ca0"
    )


def test_archive_can_be_read_back() -> None:
    sources = read_upload("a.zip", zipped(("agent.py", AGENT), ("größe/ä.py", b"1")))
    assert read_archive(sources.archive()) == sources


def test_archive_at_every_limit_can_be_read_back() -> None:
    limits = UploadLimits(packed_bytes=1 << 20, unpacked_bytes=1000, files=10)
    names = ["agent.py", *(f"{'ä' * 115}{number}.py" for number in range(9))]
    sources = read_upload("a.zip", zipped(*((name, bytes(100)) for name in names)), limits=limits)
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


# Fuzzing: nothing but sources or a rejection comes out

SEEDS = [
    zipped(("agent.py", AGENT), ("lib/a.py", b"1" * 100), method=zipfile.ZIP_DEFLATED),
    zipped(("x/", b""), ("x/agent.py", AGENT), ("x/ä.py", b"")),
    overlapping(),
    lying(100),
]

Mutation = Callable[[bytes], bytes]


def _write(at: float, new: bytes) -> Mutation:
    return lambda data: (i := int(at * len(data)), data[:i] + new + data[i + len(new) :])[1]


def _cut(at: float, length: int) -> Mutation:
    return lambda data: (i := int(at * len(data)), data[:i] + data[i + length :])[1]


def _insert(at: float, new: bytes) -> Mutation:
    return lambda data: (i := int(at * len(data)), data[:i] + new + data[i:])[1]


PLACES = st.floats(0, 1, exclude_max=True)
MUTATIONS = st.one_of(
    st.builds(_write, PLACES, st.binary(min_size=1, max_size=4)),
    st.builds(_cut, PLACES, st.integers(1, 40)),
    st.builds(_insert, PLACES, st.binary(min_size=1, max_size=8)),
)


def taken_or_rejected(filename: str, data: bytes) -> None:
    try:
        sources = read_upload(filename, data)
    except UploadRejected:
        return
    assert read_archive(sources.archive()) == sources


@given(st.sampled_from(SEEDS), st.lists(MUTATIONS, min_size=1, max_size=6))
def test_mutated_archives_are_taken_or_rejected(data: bytes, mutations: list[Mutation]) -> None:
    for mutation in mutations:
        data = mutation(data)
    taken_or_rejected("agent.zip", data)


@given(st.text(max_size=20), st.binary(max_size=200))
def test_random_uploads_are_taken_or_rejected(filename: str, data: bytes) -> None:
    taken_or_rejected(filename, data)
    taken_or_rejected(filename + ".zip", data)
    taken_or_rejected(filename + ".py", data)


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        (b'{"class": "Mine"}', "Mine"),
        (b'{"class": "; rm"}', ""),
        (b"[" * 100_000, ""),
        (b"\xff", ""),
        (b"[]", ""),
    ],
)
def test_the_class_that_an_archive_chooses_is_a_name_or_nothing(choice: bytes, name: str) -> None:
    sources = Sources((SourceFile("firebox.json", choice),))
    assert chosen_class(sources.archive()) == name
    assert chosen_class(Sources(()).archive()) == ""


def test_a_class_that_is_chosen_replaces_an_earlier_choice() -> None:
    sources = Sources((SourceFile("agent.py", AGENT),)).choosing("First").choosing("Second")
    assert [file.name for file in sources.files] == ["agent.py", "firebox.json"]
    assert chosen_class(sources.archive()) == "Second"
