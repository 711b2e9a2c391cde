"""The artefact store, in a directory and in an object store's stand-in."""

import hashlib
import random
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import fsspec
import pytest

from grader.core.errors import SystemFault
from grader.uploads.store import MAX_ARTEFACT_BYTES, ArtefactStore, StoreUnavailable

DATA = b"print('hello')\n"
KEY = hashlib.sha256(DATA).hexdigest()


@pytest.fixture(params=["directory", "memory"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "directory":
        yield str(tmp_path / "store")
        return
    yield "memory://store"
    memory = fsspec.filesystem("memory")
    if memory.exists("/store"):
        memory.rm("/store", recursive=True)


def test_a_stored_file_is_found_by_its_hash(url: str) -> None:
    store = ArtefactStore(url)
    assert list(store.artefacts()) == []  # not there yet
    assert [store.put(DATA), store.put(DATA)] == [KEY, KEY]
    assert ArtefactStore(url).get(KEY) == DATA
    with pytest.raises(ValueError, match="not a SHA-256"):
        store.get("../" + KEY[3:])
    with pytest.raises(ValueError, match="more than the store's"):
        store.put(bytes(MAX_ARTEFACT_BYTES + 1))


def test_missing_artefact_is_our_fault(url: str) -> None:
    store = ArtefactStore(url)
    store.put(b"something else")
    with pytest.raises(SystemFault, match="not in the store"):
        store.get(KEY)


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_an_artefact_is_one_file_under_the_first_digits_of_its_hash(
    scheme: str, tmp_path: Path
) -> None:
    ArtefactStore(f"{scheme}{tmp_path}").put(DATA)
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert file == tmp_path / KEY[:2] / KEY
    assert zlib.decompress(file.read_bytes()) == DATA


def test_an_unusable_place_is_our_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SystemFault, match="cannot"):
        ArtefactStore(str(tmp_path / "file")).put(DATA)
    with pytest.raises(SystemFault, match="cannot open"):
        ArtefactStore("nonsense://bucket")


def test_corrupt_artefact_is_our_fault_and_mended_by_putting_it_again(tmp_path: Path) -> None:
    store = ArtefactStore(str(tmp_path))
    store.put(DATA)
    (tmp_path / KEY[:2] / KEY).write_bytes(b"tampered")
    with pytest.raises(SystemFault, match="corrupt"):
        store.get(KEY)
    store.put(DATA)
    assert store.get(KEY) == DATA


class EndpointConnectionError(Exception):
    """As botocore's: no OSError."""


class Unreachable:
    """A file system of an object store that does not answer."""

    def __getattr__(self, name: str) -> NoReturn:
        raise EndpointConnectionError("Could not connect to the endpoint URL")


def test_an_object_store_that_does_not_answer_is_our_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = ArtefactStore(str(tmp_path))
    monkeypatch.setattr(store, "_files", Unreachable())
    for act in (
        lambda: store.put(DATA),
        lambda: store.get(KEY),
        lambda: list(store.artefacts()),
        lambda: store.remove(KEY, before=datetime.now(UTC)),
    ):
        with pytest.raises(StoreUnavailable, match="Could not connect"):
            act()


def test_an_artefact_is_on_the_disk_before_it_has_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A row that points at it may survive a power cut."""
    kept: list[Path] = []
    monkeypatch.setattr(
        "grader.uploads.store.os.fsync",
        lambda descriptor: kept.append(Path(f"/proc/self/fd/{descriptor}").readlink()),
    )
    for _ in range(2):  # the second time it is there
        ArtefactStore(str(tmp_path)).put(DATA)
    assert [path.suffix for path in kept] == [".partial", ""]
    assert kept[1] == tmp_path / KEY[:2]


def test_what_is_stored_takes_little_space_is_read_from_older_versions_and_never_too_large(
    tmp_path: Path,
) -> None:
    data = bytes(1 << 20)
    key = ArtefactStore(str(tmp_path)).put(data)
    assert (tmp_path / key[:2] / key).stat().st_size < 10_000
    assert ArtefactStore(str(tmp_path)).get(key) == data
    (tmp_path / KEY[:2]).mkdir()
    (tmp_path / KEY[:2] / KEY).write_bytes(DATA)
    assert ArtefactStore(str(tmp_path)).get(KEY) == DATA
    data = bytes(MAX_ARTEFACT_BYTES + 1)
    key = hashlib.sha256(data).hexdigest()
    (tmp_path / key[:2]).mkdir()
    (tmp_path / key[:2] / key).write_bytes(zlib.compress(data))
    with pytest.raises(SystemFault, match="corrupt"):
        ArtefactStore(str(tmp_path)).get(key)


@pytest.mark.slow
def test_incompressible_files_are_read_up_to_the_limit(tmp_path: Path) -> None:
    data = random.Random(1).randbytes(MAX_ARTEFACT_BYTES)  # noqa: S311 - repeatable test data
    assert ArtefactStore(str(tmp_path)).get(ArtefactStore(str(tmp_path)).put(data)) == data


def test_keys_are_listed_with_their_age_and_removed_by_name(url: str) -> None:
    store = ArtefactStore(url)
    before = datetime.now(UTC) - timedelta(minutes=1)
    store.put(DATA)
    ((key, written),) = store.artefacts()
    assert key == KEY
    assert before < written < datetime.now(UTC) + timedelta(minutes=1)
    assert store.remove(KEY, before=before) == 0
    later = datetime.now(UTC) + timedelta(minutes=1)
    assert store.remove(KEY, before=later) > 0
    assert list(store.artefacts()) == []
    assert store.remove(KEY, before=later) == 0
