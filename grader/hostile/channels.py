"""Measures how many bits of a secret two seats pass outside the game.

A *channel* is a program that is played in both seats. Seat 0 sees its partner's hand, which the
partner does not: the secret is 64 bits of that hand's hash. It sends them through something that
both seats, or a later game, might share; the receiver ends the game with an illegal action that
carries its guess. Nobody gives hints, so an honest channel of the game carries nothing. Beside the
program lies ``public.py`` with a ``NONCE``, new in every measurement: what authors agree on.

Guessed bits are counted. A bit that arrives right with probability ``p`` carries ``1 -
H(p)`` bits, the capacity of a binary symmetric channel (Shannon 1948), with H the entropy of one
bit. The estimate takes all bits to be alike. They need not be: of 64 bits one may always arrive
and 63 never, or all of them in one game of ten. The bound must hold for that, too. The capacity
is convex, 0 at ``p = 1/2`` and 1 at ``p = 1``, so it lies below the chord ``2p - 1``. Averaged
over any mixture of bits, none worse than a coin, the chord gives ``2q - 1`` for their mean ``q``;
mixtures of certain and blind guesses (an erasure channel) reach it. So a game leaks at most
``bits · (2q - 1)``, with that end of ``q``'s interval which is farther from a half. Bits *worse*
than a coin would hide others in the mean: a program is expected to know a one from a zero.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from math import log2, sqrt
from pathlib import Path
from secrets import token_hex
from statistics import NormalDist
from typing import Final

from grader.core.games import game_from_options
from grader.core.records import AgentLimits, AgentRef, BatchRequest, GameRequest, GameResult
from grader.hostile.arena import deal_seeds
from grader.hostile.hostile_programs import SuiteError
from grader.interfaces import DEFAULT_INTERFACE
from grader.play.batch import open_batch
from grader.play.sandbox_cache import SandboxCache
from grader.play.slot import Slot
from grader.uploads.archive import SourceFile, Sources

BITS: Final = 64
"""Bits of a secret: one a game."""
CONFIDENCE: Final = 0.99
"""The confidence with which all bounds of a report hold together (Bonferroni)."""
OPTIONS: Final = {"variant": "standard", "players": 2, "discard_at_max": "allowed"}
LIMITS: Final = AgentLimits(memory_mib=128)


class Between(StrEnum):
    """The two ends of a channel."""

    SEATS = "seats"
    """Seat 0 to seat 1 of the same game."""
    GAMES = "games"
    """A game to the next one of its batch, in the same seat: the same container."""
    BATCHES = "batches"
    """A batch to the next one on the same grader, in the same sandbox, which stays open."""


class Promise(StrEnum):
    """The sandbox's promise for a channel."""

    CHANCE = "chance"
    """Guesses are no better than random."""
    RESIDUAL = "residual"
    """It is known to carry something; the replay audit looks for its use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A program as its docstring describes it."""

    path: Path
    between: Between
    promise: Promise
    games: int
    """The number of games in which it is tried."""
    bites: bool
    """Without a sandbox it carries bits, and nothing else is harmed."""

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.path.stem

    def archive(self, nonce: str) -> bytes:
        """The program as a submission, with the kit and a public nonce beside it."""
        kit = sorted((self.path.parent / "kit").glob("*.py"))
        files = [SourceFile(path.name, path.read_bytes()) for path in kit]
        files.append(SourceFile("agent.py", self.path.read_bytes()))
        files.append(SourceFile("public.py", f'NONCE = "{nonce}"\n'.encode()))
        return Sources(files=tuple(files)).archive()


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """The information that came through."""

    channel: str
    between: Between
    promise: Promise
    games: int
    bits: int
    """Guessed bits in all games."""
    right: int
    low: float
    """Lower bound of the share of right bits."""
    high: float
    bits_a_game: float
    """Leaked, by the estimate: if all bits are alike."""
    bits_a_game_at_most: float
    """Leaked, by the bounds, however unevenly."""

    @property
    def is_chance(self) -> bool:
        """True if guessing blindly would explain it."""
        return self.low <= 0.5 <= self.high

    @property
    def kept(self) -> bool:
        """True if it is as promised; a residual channel may carry any number of bits."""
        return self.is_chance or self.promise is Promise.RESIDUAL


def read_channels(directory: Path) -> list[Channel]:
    """All channels in a directory, by name. Raises SuiteError."""
    if not (directory / "kit" / "channel.py").is_file():
        raise SuiteError(f"{directory} holds no channels: there is no kit/channel.py in it")
    return [
        _read(path)
        for path in sorted(directory.glob("*.py"))
        if path.stem != "conftest" and not path.stem.startswith("test_")
    ]


def _read(path: Path) -> Channel:
    _, _, rest = path.read_text(encoding="utf-8").split('"""')[1].partition("\n\n")
    keys = dict(line.split(": ", 1) for line in rest.splitlines() if ": " in line)
    return Channel(
        path=path,
        between=Between(keys.get("Between", "seats")),
        promise=Promise(keys.get("Promise", "chance")),
        games=int(keys.get("Games", "60")),
        bites=keys.get("Bites") == "yes",
    )


def measure(
    channel: Channel, *, channels: int = 1, core: int | None = 0, sandboxed: bool = True
) -> Leak:
    """Try a channel. ``channels`` is the number of those whose bounds must hold together."""
    slot = Slot(core=core, sandboxed=sandboxed)
    if channel.between is Between.BATCHES:
        pairs = _across_batches(channel, slot)
    else:
        results = _play(channel, _seeds(channel.games), slot, token_hex(8))
        shift = 1 if channel.between is Between.GAMES else 0
        secrets = [secret_of(result.record.deal_seed) for result in results]
        guesses = [_guess(result) for result in results]
        pairs = list(zip(secrets, guesses[shift:], strict=False))
    return _leak(channel, pairs, channels)


def secret_of(deal_seed: str) -> str:
    """The bits that seat 0 knows and seat 1 does not: of seat 1's first hand."""
    state = game_from_options("hanabi", OPTIONS).deal(bytes.fromhex(deal_seed))
    hand = state.observe(0)["hands"][1]["cards"]
    digest = hashlib.sha256(" ".join(hand).encode()).digest()
    return f"{int.from_bytes(digest[: BITS // 8], 'big'):0{BITS}b}"


def interval(right: int, total: int, confidence: float) -> tuple[float, float]:
    """Wilson's score interval of a share (Wilson 1927)."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, spread = right / total, z * z / total
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def capacity(share: float) -> float:
    """Return the capacity of a bit, given the share of bits that arrive correctly."""
    if share in (0.0, 1.0):
        return 1.0
    return 1 + share * log2(share) + (1 - share) * log2(1 - share)


def most_bits(low: float, high: float) -> float:
    """Bits that a bit carries at most if the mean share of right ones lies within these bounds."""
    return 2 * max(high, 1 - low) - 1


def report(leaks: Sequence[Leak]) -> Iterator[str]:
    """A line for each channel."""
    for leak in leaks:
        word = "chance" if leak.is_chance else "LEAKS"
        yield (
            f"{'ok    ' if leak.kept else 'FAILED'}  {leak.channel:<29}{leak.between:<8}"
            f"{leak.promise:<9}{word:<7}{leak.right:>6} of {leak.bits:<6} right"
            f" {leak.right / leak.bits:6.1%} ({leak.low:.1%}–{leak.high:.1%})"
            f"  {leak.bits_a_game:6.2f} bits a game, at most {leak.bits_a_game_at_most:.2f}"
        )


def _leak(channel: Channel, pairs: Sequence[tuple[str, str]], channels: int) -> Leak:
    compared = [
        (bit, guessed)
        for secret, guess in pairs
        for bit, guessed in zip(secret, guess, strict=False)
    ]
    right = sum(bit == guessed for bit, guessed in compared)
    low, high = interval(right, len(compared), 1 - (1 - CONFIDENCE) / channels)
    a_game = len(compared) / len(pairs)
    return Leak(
        channel=channel.name,
        between=channel.between,
        promise=channel.promise,
        games=len(pairs),
        bits=len(compared),
        right=right,
        low=low,
        high=high,
        bits_a_game=a_game * capacity(right / len(compared)),
        bits_a_game_at_most=a_game * most_bits(low, high),
    )


def _across_batches(channel: Channel, slot: Slot) -> list[tuple[str, str]]:
    """Yield pairs of batches of a game: one sends, one receives in the same sandboxes."""
    senders = list(deal_seeds([True] * channel.games))
    receivers = list(deal_seeds([False] * channel.games))
    pairs = []
    with closing(SandboxCache()) as cache:
        kept = replace(slot, sandboxes=cache)
        for sends, receives in zip(senders, receivers, strict=True):
            nonce = token_hex(8)
            _play(channel, [sends], kept, nonce)
            (result,) = _play(channel, [receives], kept, nonce)
            pairs.append((secret_of(sends), _guess(result)))
    return pairs


def _seeds(count: int) -> list[str]:
    return [hashlib.sha256(b"channel %d" % number).hexdigest() for number in range(count)]


def _play(channel: Channel, seeds: Sequence[str], slot: Slot, nonce: str) -> list[GameResult]:
    asked = BatchRequest(
        evaluation="channels",
        batch=channel.name,
        game="hanabi",
        options=OPTIONS,
        limits=LIMITS,
        agents=(AgentRef(interface=DEFAULT_INTERFACE, sha256="0" * 64),),
        seating=(0, 0),
        games=tuple(GameRequest(index=index, deal_seed=seed) for index, seed in enumerate(seeds)),
        max_consecutive_faults=0,
        check_first=True,
    )
    with open_batch(asked, [channel.archive(nonce)], slot) as batch:
        return sorted(batch.games(), key=lambda result: result.index)


def _guess(result: GameResult) -> str:
    if result.evidence is not None:
        try:
            guess = json.loads(result.evidence.received)["action"]["guess"]
        except (ValueError, KeyError, TypeError):
            guess = ""
        if isinstance(guess, str) and guess:
            return guess
    fault = result.record.fault
    text = result.evidence.stderr[-500:] if result.evidence else ""
    raise SuiteError(f"the receiver made no guess: {fault.detail if fault else 'no fault'}; {text}")
