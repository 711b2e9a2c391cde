"""Archives that lie about sizes, entries or headers; and mutated ones."""

import os
import struct
import unicodedata
import zipfile
from collections.abc import Iterator
from typing import Any, Literal

import pytest

from grader.core.errors import UploadRejected
from grader.uploads.archive import SourceFile, Sources, UploadLimits, read_archive, read_upload
from tests.support.zips import AGENT, lying, noted_inflation, overlapping, read, rejection, zipped

# Sizes


def test_archive_that_is_too_large_is_refused() -> None:
    data = zipped(("agent.py", AGENT), ("film.mp4", os.urandom(2000)))
    assert "at most 1000 are allowed" in rejection(data, archive_bytes=1000)


def test_files_that_are_too_large_packed_are_refused() -> None:
    data = zipped(("agent.py", AGENT), ("weights.csv", os.urandom(2000)))
    assert "at most 1000 are allowed" in rejection(data, packed_bytes=1000)


def test_what_no_agent_reads_may_make_an_archive_large() -> None:
    data = zipped(("agent.py", AGENT), ("film.mp4", os.urandom(2000)))
    sources = read_upload("a.zip", data, limits=UploadLimits(packed_bytes=1000))
    assert [file.name for file in sources.files] == ["agent.py"]


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


def test_zip_bomb_is_refused_by_its_declared_size() -> None:
    data = zipped(("agent.py", AGENT), ("zeros", bytes(6 << 20)), method=zipfile.ZIP_DEFLATED)
    assert "Unpacked it has" in rejection(data)


def test_many_files_that_are_too_large_together_are_refused() -> None:
    files = [(f"f{number}.py", bytes(60)) for number in range(20)]
    assert "Unpacked it has 1200 bytes" in rejection(zipped(*files), unpacked_bytes=1199)


@pytest.fixture
def inflated() -> Iterator[list[int]]:
    """Numbers of bytes that were inflated, by call."""
    with noted_inflation() as made:
        yield made


@pytest.mark.parametrize("declared", [0, 100, (1 << 20) - 1, (1 << 20) + 1])
def test_zip_bomb_that_lies_about_its_size_is_refused(declared: int) -> None:
    assert "does not have the size" in rejection(lying(declared))


@pytest.mark.parametrize("at", [14, 18, 22])
@pytest.mark.parametrize("change", [-1, 1])
def test_headers_that_contradict_each_other_are_refused(at: int, change: int) -> None:
    """Checksum, packed size and size, for readers that ignore the directory."""
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
    assert "1001 entries" in rejection(zipped(("agent.py", AGENT), *CLUTTER), entries=1000)


def test_a_bomb_in_clutter_is_never_inflated(inflated: list[int]) -> None:
    bomb = (".git/objects/pack", bytes(8 << 20))
    assert list(read(("agent.py", AGENT), bomb)) == ["agent.py"]
    assert inflated == [len(AGENT)]


def test_a_bomb_beside_clutter_is_refused() -> None:
    bomb = ("git/objects/pack", bytes(8 << 20))
    assert "Unpacked it has" in rejection(
        zipped(("agent.py", AGENT), bomb, method=zipfile.ZIP_DEFLATED)
    )


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
        "not used: 'docs/0.PNG', 'docs/1.PNG', 'docs/10.PNG' and 298 other files;"
        " no agent reads documents, media or compiled programs"
    )


def test_too_many_entries_are_refused_even_if_no_agent_reads_them() -> None:
    many = [(f"{number}.pdf", b"") for number in range(1000)]
    assert "1001 entries" in rejection(zipped(("agent.py", AGENT), *many), entries=1000)


def test_a_file_that_no_agent_reads_and_that_overlaps_another_is_refused() -> None:
    data = overlapping().replace(b"agent.py", b"aaaa.pdf")
    assert "overlap" in rejection(data)


def test_an_archive_that_was_stored_with_pictures_keeps_them() -> None:
    stored = Sources((SourceFile("a.png", b"x"), SourceFile("agent.py", AGENT)))
    assert read_archive(stored.archive()) == stored


def test_clutter_that_overlaps_a_file_is_refused() -> None:
    data = overlapping().replace(b"agent.py", b".git/abc")
    assert "overlap" in rejection(data)


def test_too_many_entries_are_refused_even_if_they_are_folders() -> None:
    folders = [(f"f{number}/", b"") for number in range(1001)]
    data = zipped(("agent.py", AGENT), *folders[1:])
    assert "1001 entries" in rejection(data, entries=1000)


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


@pytest.mark.parametrize("listed", [0, 1, 3])
def test_a_wrong_number_of_entries_is_refused(listed: int) -> None:
    assert rejection(with_entries(2, listed=listed)) == (
        f"The archive says that it has {listed} entries, and has 2."
    )


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
