"""Uploads: what is taken, and every hostile archive we could think of."""

import hashlib
import io
import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.archive import SourceFile, Sources, UploadLimits, read_archive, read_upload, unpack
from grader.errors import SystemFault, UploadRejected

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


def rejection(data: bytes, filename: str = "agent.zip", **limits: int) -> str:
    with pytest.raises(UploadRejected) as caught:
        read_upload(filename, data, limits=UploadLimits(**limits))
    assert caught.value.hint.endswith(".")
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


def test_clutter_beside_the_top_folder_does_not_count() -> None:
    assert list(read(("mine/agent.py", AGENT), ("__MACOSX/mine/._agent.py", b"x"))) == ["agent.py"]


def test_nested_archive_is_plain_data() -> None:
    inner = zipped(("x", b"y"))
    assert read(("agent.py", AGENT), ("data.zip", inner))["data.zip"] == inner


def test_setuid_bits_are_ignored() -> None:
    assert list(read((entry("agent.py", mode=stat.S_IFREG | 0o6755), AGENT))) == ["agent.py"]


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


def test_another_interface_has_another_entry() -> None:
    data = zipped(("Player.h", b"class Player {};"))
    assert read_upload("a.zip", data, entry="Player.h").files[0].name == "Player.h"


# Names


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../agent.py", "leads out of the archive"),
        ("lib/../../x.py", "leads out of the archive"),
        ("..", "leads out of the archive"),
        ("/etc/passwd", "absolute path"),
        ("C:/x.py", "drive letter"),
        ("c:x.py", "drive letter"),
        ("..\\x.py", "backslash"),
        ("lib//x.py", "empty folder name"),
        (".", "empty name"),
        ("a\nb.py", "invisible or control"),
        ("a\x1b[2Jb.py", "invisible or control"),
        ("a\u202eyp.exe", "invisible or control"),
        ("a\u200bb.py", "invisible or control"),
        ("x" * 250, "more than 240 bytes"),
        ("__MACOSX/../../x", "leads out of the archive"),
    ],
)
def test_dangerous_names_are_refused(name: str, reason: str) -> None:
    text = rejection(zipped(("agent.py", AGENT), (name, b"x")))
    assert reason in text
    assert not any(unicodedata.category(character).startswith("C") for character in text)


def test_name_with_nul_is_refused() -> None:
    assert "invisible or control" in rejection(renamed(b"aaaa.py", b"a\x00aa.py"))


def test_name_that_is_not_utf8_is_refused() -> None:
    assert "not in UTF-8" in rejection(renamed(b"aaaa.py", b"a\xffaa.py"))


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


@pytest.mark.parametrize("declared", [0, 100, (1 << 20) - 1, (1 << 20) + 1])
def test_zip_bomb_that_lies_about_its_size_is_refused(declared: int) -> None:
    assert "does not have the size" in rejection(lying(declared))


def test_lying_bomb_is_not_inflated_beyond_its_declared_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    real = zlib.decompressobj

    class Spy:
        def __init__(self, bits: int) -> None:
            self._real = real(bits)

        def decompress(self, data: bytes, most: int) -> bytes:
            asked.append(most)
            return self._real.decompress(data, most)

        @property
        def eof(self) -> bool:
            return self._real.eof

        @property
        def unused_data(self) -> bytes:
            return self._real.unused_data

    monkeypatch.setattr("grader.zips.zlib.decompressobj", Spy)
    rejection(lying(100))
    assert asked == [101]


def test_too_many_files_are_refused() -> None:
    files = [("agent.py", AGENT), *((f"f{number}.py", b"") for number in range(200))]
    assert (
        rejection(zipped(*files)) == "The archive has 201 entries; at most 200 files are allowed."
    )


def test_too_many_entries_are_refused_even_if_they_are_folders() -> None:
    folders = [(f"f{number}/", b"") for number in range(1001)]
    assert "1001 entries" in rejection(zipped(("agent.py", AGENT), *folders[1:]))


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
    assert "neither a Python file nor a zip" in rejection(AGENT, filename)


@pytest.mark.parametrize("data", [b"", b"not a zip", AGENT, b"PK", bytes(100)])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    assert "not a readable zip archive" in rejection(data)


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
