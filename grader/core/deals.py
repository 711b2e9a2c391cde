"""Deals: drawn by HMAC-SHA-256 and an unbiased shuffle, specified to the byte.

Every number of a game is a function of one *evaluation secret* (at least 16 bytes) and the game's
index, so that all submissions to an assignment play the same deals, nobody can predict them, and
anybody with the secret can derive them again:

1. ``deal_seed(i) = HMAC-SHA-256(key=secret, message="firebox deal v1" ‖ uint64be(i))``, 32 bytes.
2. A deal seed gives a stream of 32-bit numbers: block ``b`` (from 0) of the stream is
   ``HMAC-SHA-256(key=deal_seed, message="firebox stream v1" ‖ uint64be(b))``, read as eight
   big-endian unsigned 32-bit numbers; blocks follow one another.
3. A number below ``n`` is drawn by taking the next 32-bit number ``x`` of the stream, again and
   again until ``x < n · floor(2³² / n)``; the result is ``x mod n``. No residue is favoured.
4. The shuffle is Fisher and Yates' (Durstenfeld 1964): for ``j`` from the last position down to 1,
   draw ``k`` below ``j + 1`` and exchange the items at ``j`` and ``k``.
5. ``agent_seed(seat)``, for an agent's own randomness, is the first 53 bits of
   ``HMAC-SHA-256(key=deal_seed, message="firebox agent v1" ‖ uint64be(seat))``: it fits a double,
   and says nothing about the deal.
6. A secret that begins with ``"firebox blocks v1"`` has the form ``"firebox blocks v1" ‖ key ‖
   b``, with a key of 32 bytes and a list ``b`` of different bytes. It puts the deals of its key
   into another order, by blocks of four: continue ``b`` with all other numbers from 0 on, in
   order; then ``deal_seed(i)`` is that of the key for ``4 · b[⌊i / 4⌋] + i mod 4``.

``commitment(secret) = SHA-256("firebox commitment v1" ‖ secret)`` is published before the games.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, count
from typing import Final, TypeVar

T = TypeVar("T")

_EIGHT_NUMBERS: Final = struct.Struct(">8I")
_BLOCK_BYTES: Final = 64
"""Block size of SHA-256."""
_INNER_PAD: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD: Final = bytes(byte ^ 0x5C for byte in range(256))
_WORDS: Final = 1 << 32
"""The number of different values of one number of the stream."""

SECRET_BYTES: Final = 32
"""Length of a new evaluation secret; at least 16 are accepted."""

BLOCK_DEALS: Final = 4
"""Deals that stay together in step 6."""
_BLOCKS_TAG: Final = b"firebox blocks v1"
_KEY_BYTES: Final = 32

REFERENCE_SECRET: Final = hashlib.sha256(b"firebox practice deals").digest()
"""The public secret of published figures, such as house agents' means. These deals were not chosen
by their scores. Older assignments use them as practice deals."""


def commitment(secret: bytes) -> str:
    """Hexadecimal hash that binds an assignment to its secret without giving it away."""
    return hashlib.sha256(b"firebox commitment v1" + secret).hexdigest()


def blocks_secret(key: bytes, blocks: bytes) -> bytes:
    """The secret of step 6."""
    return _BLOCKS_TAG + key + blocks


def deal_seed(secret: bytes, index: int) -> bytes:
    """The 32-byte seed of game ``index``. Raises ValueError for a bad secret or index."""
    if len(secret) < 16:
        raise ValueError(f"an evaluation secret has at least 16 bytes, this one has {len(secret)}")
    if not 0 <= index < 1 << 64:
        raise ValueError(f"a game index lies between 0 and 2^64 - 1, not {index}")
    if secret.startswith(_BLOCKS_TAG):
        key, blocks = _key_and_blocks(secret.removeprefix(_BLOCKS_TAG))
        secret, index = key, _reordered(blocks, index)
    return hmac.digest(secret, b"firebox deal v1" + index.to_bytes(8, "big"), "sha256")


def _key_and_blocks(rest: bytes) -> tuple[bytes, bytes]:
    """Return what follows the tag of step 6. Raises ValueError if it is malformed."""
    key, blocks = rest[:_KEY_BYTES], rest[_KEY_BYTES:]
    if len(key) < _KEY_BYTES or len(set(blocks)) < len(blocks):
        raise ValueError("a secret of blocks has a key of 32 bytes and each block once")
    return key, blocks


def _reordered(blocks: bytes, index: int) -> int:
    """Step 6: the number that game ``index`` has among the deals of the key."""
    place, deal = divmod(index, BLOCK_DEALS)
    if place < len(blocks):
        return BLOCK_DEALS * blocks[place] + deal
    block = place - len(blocks)
    for listed in sorted(blocks):
        block += listed <= block
    return BLOCK_DEALS * block + deal


def agent_seed(seed: bytes, seat: int) -> int:
    """A 53-bit number for the agent at ``seat`` to seed its own randomness with."""
    digest = hmac.digest(seed, b"firebox agent v1" + seat.to_bytes(8, "big"), "sha256")
    return int.from_bytes(digest[:8], "big") >> 11


def number_blocks(seed: bytes) -> Iterator[tuple[int, ...]]:
    """Yield the endless stream of 32-bit numbers that a deal seed gives (step 2), eight at a time.

    HMAC as RFC 2104 defines it, with the key hashed once instead of once a block: the seven blocks
    of a Hanabi deck take 9 µs, and 26 µs with ``hmac.digest``.
    """
    key = hashlib.sha256(seed).digest() if len(seed) > _BLOCK_BYTES else seed
    key = key.ljust(_BLOCK_BYTES, b"\0")
    inner = hashlib.sha256(key.translate(_INNER_PAD) + b"firebox stream v1")
    outer = hashlib.sha256(key.translate(_OUTER_PAD))
    for block in count():
        hashed, digest = inner.copy(), outer.copy()
        hashed.update(block.to_bytes(8, "big"))
        digest.update(hashed.digest())
        yield _EIGHT_NUMBERS.unpack(digest.digest())


def shuffled(items: Sequence[T], seed: bytes) -> list[T]:
    """A new list with the items in the order that ``seed`` gives; every order equally likely."""
    result = list(items)
    shuffle(result, chain.from_iterable(number_blocks(seed)))
    return result


def shuffle(items: list[T], numbers: Iterator[int]) -> None:
    """Steps 3 and 4, on at most 2³² items, in one loop: every game begins with 49 turns of it."""
    for (bound, limit), x in zip(_bounds(len(items)), numbers, strict=False):
        while x >= limit:
            x = next(numbers)  # noqa: PLW2901 - step 3 draws again
        j, k = bound - 1, x % bound
        items[j], items[k] = items[k], items[j]


@lru_cache(maxsize=16)
def _bounds(size: int) -> Sequence[tuple[int, int]]:
    return [(bound, _WORDS // bound * bound) for bound in range(size, 1, -1)]


PRACTICE_KEY: Final = hashlib.sha256(b"firebox practice 2741").digest()
"""The key of the practice deals."""

CHOSEN_BLOCKS: Final = bytes.fromhex("""
    cf58d616109325a55c9fbd5b8dad7264b8ca243a0db71a0476299bce01d73857363fae1da2412cddd2b0
    c77e489ab9689eb51f9c128853d0975eaa4c2d27188e9554ec817790510a676d8b2e94b28fe02662e6e2
    11232ad3b105c0359d32c4ee09a61c5a637acdc2daa4a77cc82f992b8408d540448952e31e22a0b4ea
""")
"""Blocks of 500 deals of ``PRACTICE_KEY`` that are as hard as others for the house agents of the
game that they were chosen for (``tests.bench.practice``). A game declares whether these come first:
``Game.practice_blocks``."""

PRACTICE_SECRET: Final = blocks_secret(PRACTICE_KEY, CHOSEN_BLOCKS)
"""The secret of practice games with these blocks."""


def practice_secret(blocks: bytes) -> bytes:
    """The secret of a game's practice deals, of which these blocks come first.

    It is public, so that they can be played at home. An assignment keeps the secret that was
    current when it was created.
    """
    return blocks_secret(PRACTICE_KEY, blocks) if blocks else PRACTICE_KEY
