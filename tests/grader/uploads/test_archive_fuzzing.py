"""Mutated archives: nothing but sources or a rejection comes out."""

import zipfile
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from grader.core.errors import UploadRejected
from grader.uploads.archive import (
    SourceFile,
    Sources,
    chosen_class,
    read_archive,
    read_upload,
)
from tests.support.every import every
from tests.support.zips import AGENT, lying, overlapping, zipped

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


@every(
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
