"""Fingerprints of a program's files, and where in them they are. Pure."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from webapp.grading.similarity.tokens import TokenLimitError, is_source, tokens_of

K: Final = 20
"""Tokens in a hash."""
W: Final = 16
"""Hashes in a window."""
_HASH_BYTES: Final = 8


def gram_hashes(tokens: Sequence[str]) -> list[int]:
    """Return the hash of every ``K`` tokens in a row, by the position of the first."""
    ended = [token.encode("utf-8", "surrogatepass") + b"\0" for token in tokens]
    ends = list(accumulate(map(len, ended), initial=0))
    text = b"".join(ended)
    return [_hash(text[begin:end]) for begin, end in zip(ends, ends[K:], strict=False)]


def _hash(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=_HASH_BYTES).digest(), "big")


# See webapp/decisions/similarity.md
def winnowed(hashes: Sequence[int], *, window: int = W) -> list[int]:
    """Return the positions of the hashes that are kept; of a shorter text its smallest."""
    kept: list[int] = []
    smallest: deque[int] = deque()
    for at, value in enumerate(hashes):
        while smallest and hashes[smallest[-1]] >= value:
            smallest.pop()
        smallest.append(at)
        if smallest[0] <= at - window:
            smallest.popleft()
        if at >= min(window, len(hashes)) - 1 and kept[-1:] != [smallest[0]]:
            kept.append(smallest[0])
    return kept


MAX_FILE_BYTES: Final = 256 << 10
MAX_MARKS: Final = 20_000
"""Fingerprints of one program: those of some 15,000 lines."""


class Fingerprint(msgspec.Struct, frozen=True, array_like=True):
    """One fingerprint, and the lines of its tokens, from 1."""

    hash: int
    file: int
    first: int
    last: int


class Prints(msgspec.Struct, frozen=True, array_like=True):
    files: tuple[str, ...]
    marks: tuple[Fingerprint, ...]
    left_out: tuple[str, ...] = ()
    """Sentences on files that were not read, or not to their end."""

    @property
    def hashes(self) -> set[int]:
        return {mark.hash for mark in self.marks}

    @property
    def keys(self) -> NDArray[np.uint64]:
        """Ascending."""
        return np.unique(np.fromiter((mark.hash for mark in self.marks), dtype=np.uint64))

    def packed(self) -> bytes:
        """Return the bytes to be kept."""
        return msgspec.msgpack.encode(self)


class _LeftOut(msgspec.Struct, frozen=True, array_like=True):
    """``Prints`` whose marks are not decoded: they are nearly all of its bytes."""

    files: msgspec.Raw
    marks: msgspec.Raw
    left_out: tuple[str, ...]


def left_out_in(packed: bytes) -> tuple[str, ...]:
    """Return ``left_out`` of what ``Prints.packed`` made."""
    return msgspec.msgpack.decode(packed, type=_LeftOut).left_out


def read_prints(packed: bytes) -> Prints:
    """Return what ``packed`` made."""
    return msgspec.msgpack.decode(packed, type=Prints)


def prints_of(files: Mapping[str, bytes]) -> Prints:
    """Return the fingerprints of a program's files by name. Takes bounded time and memory."""
    names: list[str] = []
    marks: list[Fingerprint] = []
    left_out: list[str] = []
    for name, data in files.items():
        if not is_source(name):
            continue
        try:
            of_file = _marks(name, data, file=len(names))
        except TokenLimitError as limit:
            left_out.append(f"{name} was not read: {limit}.")
            continue
        names.append(name)
        marks += of_file
        if len(marks) > MAX_MARKS:
            left_out.append(f"Only the first {MAX_MARKS:,} fingerprints are kept, up to {name}.")
            break
    return Prints(tuple(names), tuple(marks[:MAX_MARKS]), tuple(left_out))


def _marks(name: str, data: bytes, *, file: int) -> list[Fingerprint]:
    if len(data) > MAX_FILE_BYTES:
        raise TokenLimitError(f"it has more than {MAX_FILE_BYTES >> 10} KiB")
    tokens = tokens_of(name, data)
    hashes = gram_hashes([token.text for token in tokens])
    return [
        Fingerprint(hashes[at], file, tokens[at].line, tokens[at + K - 1].line)
        for at in winnowed(hashes)
    ]


def grams_of(programs: Iterable[Mapping[str, bytes]]) -> set[int]:
    """Return every hash of these programs, winnowed or not, to leave out of others."""
    files = {
        (PurePosixPath(name).suffix, data): name
        for program in programs
        for name, data in program.items()
        if is_source(name)
    }
    return {
        value
        for (_, data), name in files.items()
        for value in gram_hashes([token.text for token in tokens_of(name, data)])
    }
