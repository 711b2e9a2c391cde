"""A cache of compiled agents on a grader's disk: an agent is compiled once, not in every batch.

The key covers everything that an outcome depends on: the agent's stored sources, our code that
compiles them, and the image. Only builds that succeeded are kept. What is read back is untrusted,
and only passed to a sandbox of the same agent.

The slots of a host begin the first batches of a new agent together. One of them compiles it; the
others wait for the outcome.
"""

import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from grader.core.records import BuildReport
from grader.interfaces import Interface, interface_named
from sandbox.images import image_reference

Built = tuple[BuildReport, bytes]
"""A build step's report, and its artefact."""

DEFAULT_BYTES: Final = 1 << 30
"""Bytes of all kept builds together."""
_HEAD_BYTES: Final = 4 << 20
"""Longest report that is read back."""
_POLL_SECONDS: Final = 0.05
_OPENING_SECONDS: Final = 10.0
"""Time that a build may take beyond the compiler's: to open a container on a busy host."""


class BuildCache:
    """A directory of outcomes, the least recently used of which make room for new ones.

    Safe for several processes at once: a file appears whole or not at all.
    """

    def __init__(self, directory: Path, most_bytes: int = DEFAULT_BYTES) -> None:
        """Creates the directory, for its owner alone.

        Raises OSError if it cannot, and for one that another user could have written to.
        """
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = directory.stat()
        if status.st_uid != os.getuid() or status.st_mode & 0o022:
            raise PermissionError(f"{directory} must be its own user's, and nobody else's to write")
        self._directory = directory
        self._most_bytes = most_bytes

    def built(
        self,
        interface: Interface,
        archive: bytes,
        build: Callable[[], Built],
        *,
        debug: bool = False,
    ) -> Built:
        """Return the outcome for these sources, kept or made now by ``build``.

        Waits while another process builds the same. A full or broken disk only costs time.
        """
        path = self._directory / key(interface, archive, debug=debug)
        if (kept := _read(path)) is not None:
            return kept
        with _first(path, interface.build.seconds + _OPENING_SECONDS) as first:
            if (kept := _read(path)) is not None:
                return kept
            if first:
                return self._made(path, build)
        return self._made(path, build)  # the other build failed: do not wait for another

    def _made(self, path: Path, build: Callable[[], Built]) -> Built:
        report, artefact = build()
        if report.ok:
            self._keep(path, report, artefact)
        return report, artefact

    def _keep(self, path: Path, report: BuildReport, artefact: bytes) -> None:
        data = _with_digest(msgspec.json.encode(report) + b"\n" + artefact)
        try:
            self._make_room(len(data))
            _write(path, data)
        except OSError:
            return  # the next batch compiles again

    def _make_room(self, size: int) -> None:
        files = sorted(_sizes(self._directory))
        total = sum(used for _, used, _ in files) + size
        for _, used, path in files:
            if total <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            total -= used


def key(interface: Interface, archive: bytes, *, debug: bool = False) -> str:
    """Return the file name of an outcome: a digest of all that it depends on."""
    inputs = [interface.name, hashlib.sha256(archive).hexdigest(), _surroundings(interface.name)]
    inputs.append(image_reference(interface.runtime.image))
    if debug:
        inputs.append("debug")
    return hashlib.sha256("\n".join(inputs).encode()).hexdigest()


@cache
def _surroundings(name: str) -> str:
    """Digest of our code and images that an interface's agents are compiled with."""
    interface = interface_named(name)
    digest = hashlib.sha256(
        repr((interface.adapter.build, interface.build.debug, interface.upload)).encode()
    )
    for image in interface.images:
        digest.update(image_reference(image).encode())
    for folder in interface.adapter.paths:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.parent.name != "__pycache__":
                content = path.read_bytes()
                digest.update(f"{path.relative_to(folder)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


@contextmanager
def _first(path: Path, seconds: float) -> Iterator[bool]:
    """Yield True if no other process builds this; False when another has, or took too long.

    The lock ends with its holder. A lock whose file was deleted lets two build, which does no harm.
    """
    lock = path.with_name(f".{path.name}.lock")
    with ExitStack() as stack:
        first = True
        with suppress(OSError):  # where files cannot be locked, every process is first
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            stack.callback(os.close, descriptor)
            first = _locked(descriptor) or _await(descriptor, seconds)
        if first:
            stack.callback(_forget, lock)
        yield first


def _await(descriptor: int, seconds: float) -> bool:
    """Wait for the lock, for a limited time. Always returns False: another process was first."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not _locked(descriptor):
        time.sleep(_POLL_SECONDS)
    return False


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _forget(lock: Path) -> None:
    with suppress(OSError):
        lock.unlink()


def _read(path: Path) -> Built | None:
    try:
        data = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    _, _, outcome = data.partition(b"\n")
    head, _, artefact = outcome.partition(b"\n")
    if len(head) > _HEAD_BYTES or data != _with_digest(outcome):
        return None
    try:
        return msgspec.json.decode(head, type=BuildReport), artefact
    except msgspec.DecodeError:
        return None


def _with_digest(outcome: bytes) -> bytes:
    """Put a digest first: after a power cut, a file may have only a part of its content."""
    return hashlib.sha256(outcome).hexdigest().encode() + b"\n" + outcome


def _write(path: Path, data: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def _sizes(directory: Path) -> Iterator[tuple[float, int, Path]]:
    for entry in os.scandir(directory):
        try:
            status = entry.stat()
        except FileNotFoundError:
            continue
        yield status.st_mtime, status.st_size, Path(entry.path)
