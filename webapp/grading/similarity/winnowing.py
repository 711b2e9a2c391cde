"""Fingerprints of tokens by winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003). Pure.

Every ``K`` tokens in a row have a hash. Of each ``W`` hashes in a row the smallest is kept, the
last one of equals; what is kept are the fingerprints of a text.

- Two texts that share ``K + W - 1`` tokens in a row (35, some four lines) share a fingerprint.
- Fewer than ``K`` tokens in a row (20, two or three lines) are never found.
- Of random text ``2 / (W + 1)`` of the hashes are kept, about one in eight.

A hash is the first eight bytes of BLAKE2b over the tokens, a NUL behind each. Unlike Python's own
``hash`` it is the same in every process, so that fingerprints can be kept.
"""

from collections import deque
from collections.abc import Sequence
from hashlib import blake2b
from itertools import accumulate
from typing import Final

__all__ = ["K", "W", "gram_hashes", "winnowed"]

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
    """Return the positions of the hashes that are kept, ascending.

    A text that is shorter than a window keeps its smallest.
    """
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
