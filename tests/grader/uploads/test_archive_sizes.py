"""Archives that lie about sizes, entries or headers; and mutated ones."""

import os
import struct
import unicodedata
import zipfile
from collections.abc import Iterator
from typing import Any, Literal

import pytest

from grader.core.errors import UploadRejected
from grader.uploads.archive import SourceFile, Sources, read_archive, read_upload
from grader.uploads.zip_reader import UploadLimits
from tests.support.every import every
from tests.support.zips import AGENT, lying, noted_inflation, overlapping, read, rejection, zipped

CLUTTER = [(f".git/objects/{number:03}", b"x") for number in range(1000)]
LARGE = ("film.mp4", os.urandom(2000))
ONE = zipped(("agent.py", AGENT))
OTHER = b"class Other: ...\n"


@pytest.mark.parametrize(
    ("entries", "limits", "reason"),
    [
        ([LARGE], {"archive_bytes": 1000}, "at most 1000 are allowed"),
        ([("weights.csv", LARGE[1])], {"packed_bytes": 1000}, "at most 1000 are allowed"),
        ([("zeros", bytes(6 << 20))], {}, "Unpacked it has"),
        ([("git/objects/pack", bytes(8 << 20))], {}, "Unpacked it has"),
        (
            [(f"f{number}.py", bytes(60)) for number in range(20)],
            {"unpacked_bytes": 1199 + len(AGENT)},
            f"Unpacked it has {1200 + len(AGENT)} bytes",
        ),
        (
            [(f"f{number}.py", b"") for number in range(200)],
            {},
            "The archive has 201 entries; at most 200 files are allowed.",
        ),
        (CLUTTER, {"entries": 1000}, "1001 entries"),
        ([(f"{number}.pdf", b"") for number in range(1000)], {"entries": 1000}, "1001 entries"),
        ([(f"f{number}/", b"") for number in range(1000)], {"entries": 1000}, "1001 entries"),
    ],
    ids=[
        *("archive", "packed", "bomb", "bomb beside clutter", "many together", "files"),
        *("clutter entries", "unread entries", "folder entries"),
    ],
)
def test_an_archive_that_is_too_large_is_refused(
    entries: list[tuple[str, bytes]], limits: dict[str, int], reason: str
) -> None:
    method = zipfile.ZIP_DEFLATED if any(len(data) > 1 << 20 for _, data in entries) else 0
    assert reason in rejection(zipped(("agent.py", AGENT), *entries, method=method), **limits)


def test_weights_count_apart_from_sources() -> None:
    weights = [("net.ONNX", os.urandom(10 << 20)), ("data/table.npz", os.urandom(10 << 20))]
    data = zipped(("agent.py", AGENT), *weights, ("more.npy", b"x"))
    assert "Its weights have 20971521 bytes; at most 20971520 are allowed." in rejection(data)
    bomb = zipped(("agent.py", AGENT), ("net.npy", bytes(21 << 20)), method=zipfile.ZIP_DEFLATED)
    assert "Its weights have 22020096 bytes" in rejection(bomb)
    sources = read_upload("a.zip", zipped(("agent.py", AGENT), *weights))
    assert len(sources.files) == 3
    assert read_archive(sources.archive()) == sources


def test_clutter_and_what_no_agent_reads_do_not_count() -> None:
    assert list(read(("agent.py", AGENT), *CLUTTER[1:])) == ["agent.py"]
    data = zipped(("agent.py", AGENT), LARGE)
    sources = read_upload("a.zip", data, limits=UploadLimits(packed_bytes=1000))
    assert [file.name for file in sources.files] == ["agent.py"]
    stored = Sources((SourceFile("a.png", b"x"), SourceFile("agent.py", AGENT)))
    assert read_archive(stored.archive()) == stored  # what was stored with pictures keeps them


@pytest.mark.parametrize(
    ("limit", "most"),
    [("files", 3), ("unpacked_bytes", 100), ("packed_bytes", 100), ("archive_bytes", 100)],
)
def test_a_refusal_names_the_three_largest_files(limit: str, most: int) -> None:
    files = [(f"{size}.csv", bytes(size)) for size in (300, 10, 100, 200)]
    data = zipped(("agent.py", AGENT), *files)
    with pytest.raises(UploadRejected) as caught:
        read_upload("a.zip", data, limits=UploadLimits(**{limit: most}))
    largest = "'300.csv' (300 bytes), '200.csv' (200 bytes), '100.csv' (100 bytes)"
    assert caught.value.hint.endswith(f"The largest files: {largest}.")


@pytest.fixture
def inflated() -> Iterator[list[int]]:
    """Numbers of bytes that were inflated, by call."""
    with noted_inflation() as made:
        yield made


def with_fields(*fields: tuple[int, str, int], data: bytes = ONE) -> bytes:
    changed = bytearray(data)
    for at, form, value in fields:
        struct.pack_into(form, changed, at, value)
    return bytes(changed)


@pytest.mark.parametrize("change", [-1, 1])
def test_stored_file_that_lies_about_its_packed_size_is_refused(change: int) -> None:
    data = bytearray(zipped(("agent.py", AGENT)))
    for at in (18, data.index(b"PK\x01\x02") + 20):
        struct.pack_into("<L", data, at, len(AGENT) + change)
    assert rejection(bytes(data)) in {
        "The archive has data that belongs to no file in it.",
        "Entries of the archive overlap, as in a zip bomb.",
    }


@pytest.mark.parametrize("rest", [b"\0", b"class Other: ...\n"])
def test_data_behind_the_compressed_bytes_of_a_file_is_refused(rest: bytes) -> None:
    data = bytearray(zipped(("agent.py", AGENT), method=zipfile.ZIP_DEFLATED))
    at = data.index(b"PK\x01\x02")
    data[at:at] = rest
    for size in (18, at + len(rest) + 20):  # packed, in both headers
        (packed,) = struct.unpack_from("<L", data, size)
        struct.pack_into("<L", data, size, packed + len(rest))
    struct.pack_into("<L", data, len(data) - 6, at + len(rest))  # where the directory begins
    assert "does not have the size" in rejection(bytes(data))


def with_zip64_size(extra: bytes) -> bytes:
    data = bytearray(zipped(("agent.py", AGENT)))
    at, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    struct.pack_into("<L", data, 22, 0xFFFFFFFF)
    struct.pack_into("<L", data, at + 24, 0xFFFFFFFF)
    struct.pack_into("<H", data, at + 30, len(extra))
    struct.pack_into("<L", data, end + 12, end - at + len(extra))
    return bytes(data[:end]) + extra + bytes(data[end:])


def test_no_more_is_inflated_than_is_allowed_however_high_the_ratio(
    inflated: list[int],
) -> None:
    """A thousandfold and more: whatever is declared, no byte beyond the limit is made."""
    bomb = zipped(("agent.py", bytes(4 << 20)), method=zipfile.ZIP_DEFLATED)
    assert len(bomb) < 5000
    assert "Unpacked it has 4194304 bytes" in rejection(bomb, unpacked_bytes=(4 << 20) - 1)
    assert inflated == []
    for declared in (1000, 100):
        rejection(lying(declared))
        assert inflated == [declared + 1]
        inflated.clear()
    assert list(read(("agent.py", AGENT), (".git/objects/pack", bytes(8 << 20)))) == ["agent.py"]
    assert inflated == [len(AGENT)]


PICTURES = [(f"docs/{number}.PNG", b"x") for number in range(300)]


def test_files_that_no_agent_reads_count_for_nothing_and_are_never_inflated(
    inflated: list[int],
) -> None:
    film = ("film.mp4", bytes(8 << 20))
    data = zipped(("agent.py", AGENT), film, *PICTURES, method=zipfile.ZIP_DEFLATED)
    sources = read_upload("a.zip", data)
    assert [file.name for file in sources.files] == ["agent.py"]
    assert inflated == [len(AGENT)]
    (note,) = sources.notes
    assert note == (
        "not used: 'docs/0.PNG', 'docs/1.PNG', 'docs/10.PNG' and 298 other files (8 MiB);"
        " no agent reads documents, media or compiled programs"
    )


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
    assert "The archive has 100001 entries" in rejection(data)
    assert listed_entries == []


@pytest.mark.parametrize("most_counted", [0xFFFF, 2])
def test_a_directory_of_long_names_is_not_read(
    most_counted: int, listed_entries: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither is that of an archive with the records of large ones (ZIP64)."""
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", most_counted)
    pictures = [(f"{number:0100}.png", b"") for number in range(10)]
    data = zipped(("agent.py", AGENT), *pictures)
    assert (b"PK\x06\x07" in data) is (most_counted == 2)
    listed_entries.clear()
    size = sum(46 + len(name) for name, _ in [("agent.py", b""), *pictures])
    refused = rejection(data, directory_bytes=size - 1)
    assert refused == (
        f"The names in the archive take {size} bytes; at most {size - 1} are allowed."
    )
    assert listed_entries == []
    limits = UploadLimits(directory_bytes=size)
    assert len(read_upload("a.zip", data, limits=limits).unread) == 10


def test_letters_of_a_long_name_are_not_composed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each mark behind a letter may be moved before each other one: that takes minutes."""
    composed: list[int] = []
    normalize = unicodedata.normalize

    def noted(form: Literal["NFC", "NFKC"], text: str) -> str:
        composed.append(len(text.encode()))
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", noted)
    for marks in (350, 30_000):
        data = zipped(("agent.py", AGENT), ("a" + "\u0301\u0316" * (marks // 2), b"x"))
        (note,) = read_upload("a.zip", data).notes
        assert "has a name of more than 240 bytes" in note
    assert max(composed) == 701


def test_a_long_name_that_is_short_once_its_letters_are_composed_is_kept() -> None:
    composed = "\ud55c" * 60 + ".csv"
    name = unicodedata.normalize("NFD", composed)
    assert len(name.encode()) > 500
    assert list(read(("agent.py", AGENT), (name, b"x"))) == ["agent.py", composed]


def test_an_archive_of_deep_folders_is_refused() -> None:
    """A name of 240 bytes can have 120 folders, and all of them would be kept in memory."""
    deep = [("/".join(f"{number}{part}" for part in range(50)) + ".png", b"") for number in "abc"]
    data = zipped(("agent.py", AGENT), *deep)
    assert rejection(data, entries=75) == "The archive has more than 150 files and folders."
    assert len(read_upload("a.zip", data, limits=UploadLimits(entries=76)).unread) == 3


DAMAGED = {
    "a method that differs": (with_fields((8, "<H", zipfile.ZIP_DEFLATED)), "contradicts itself"),
    "another local name": (ONE.replace(b"agent.py", b"other.py", 1), "contradicts itself"),
    "a ZIP64 field that is cut off": (
        with_zip64_size(struct.pack("<HHL", 1, 4, 17)),
        "not a readable zip archive",
    ),
    "overlapping entries": (overlapping(), "overlap"),
    "overlapping clutter": (overlapping().replace(b"agent.py", b".git/abc"), "overlap"),
    "overlapping pictures": (overlapping().replace(b"agent.py", b"aaaa.pdf"), "overlap"),
    "a wrong checksum": (ONE.replace(AGENT, AGENT.upper()), "damaged"),
    "a folder with contents": (
        zipped(("agent.py", AGENT), ("liba", b"hidden")).replace(b"liba", b"lib/"),
        "damaged",
    ),
    "two archives": (ONE + zipped(("agent.py", OTHER)), "belongs to no file in it"),
    "an archive in its comment": (
        with_fields((len(ONE) - 2, "<H", len(zipped(("agent.py", OTHER)))))
        + zipped(("agent.py", OTHER)),
        "belongs to no file in it",
    ),
    **{
        f"a lie about size: {declared}": (lying(declared), "does not have the size")
        for declared in (0, 100, (1 << 20) - 1, (1 << 20) + 1)
    },
    # Checksum, packed size and size, for readers that ignore the directory.
    **{
        f"a header that contradicts: {at}, {change}": (
            with_fields((at, "<L", struct.unpack_from("<L", ONE, at)[0] + change)),
            "contradicts itself",
        )
        for at in (14, 18, 22)
        for change in (-1, 1)
    },
    **{
        f"an enormous size in ZIP64: {size}": (
            with_zip64_size(struct.pack("<HHQ", 1, 8, size)),
            f"Unpacked it has {size} bytes",
        )
        for size in (1 << 31, 1 << 40, (1 << 63) - 1, (1 << 64) - 1)
    },
    **{
        f"a wrong size in ZIP64: {size}": (
            with_zip64_size(struct.pack("<HHQ", 1, 8, size)),
            "does not have the size",
        )
        for size in (0, len(AGENT) - 1, len(AGENT) + 1)
    },
    **{
        f"a wrong number of entries: {listed}": (
            with_entries(2, listed=listed),
            f"The archive says that it has {listed} entries, and has 2.",
        )
        for listed in (0, 1, 3)
    },
    **{
        f"data before it: {lead[:4]!r}": (lead + ONE, "belongs to no file in it")
        for lead in (b"#!/bin/sh\nexit\n", b"\x7fELF" + bytes(60), b"%PDF-1.7\n", b"\0")
    },
    **{
        f"data behind it: {trail[:4]!r}": (ONE + trail, "goes on behind its end, or is cut off")
        for trail in (b"\n", b"\0", b"<script>", bytes(70_000))
    },
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_archive_is_refused(damage: str) -> None:
    data, reason = DAMAGED[damage]
    assert reason in rejection(data)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_entries_of_one_name_are_refused_even_if_they_are_equal() -> None:
    data = zipped(("agent.py", AGENT), ("agent.py", AGENT))
    assert "are the same on some systems" in rejection(data)


def test_file_within_another_is_refused() -> None:
    """As a bomb has it: one file's data is another's header and data."""
    inner = zipped(("x", b"1234"))
    inner = inner[: inner.index(b"PK\x01\x02")]
    data = zipped(("agent.py", inner), ("x", b"1234"))
    moved = bytearray(data)
    struct.pack_into("<L", moved, data.rindex(b"PK\x01\x02") + 42, data.index(inner))
    assert "overlap" in rejection(bytes(moved))


def test_a_file_that_the_directory_does_not_list_is_refused() -> None:
    data = zipped(("agent.py", AGENT), ("hidden.py", b"1"))
    at, end = data.rindex(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    tail = bytearray(data[end:])
    struct.pack_into("<HHL", tail, 8, 1, 1, at - data.index(b"PK\x01\x02"))
    assert rejection(data[:at] + bytes(tail)) == (
        "The archive has data that belongs to no file in it."
    )


@every("cut", [1, 10, 22, 30, 60])
def test_truncated_archive_is_refused(cut: int) -> None:
    assert rejection(zipped(("agent.py", AGENT))[:-cut])
