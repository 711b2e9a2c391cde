"""Each channel between two seats in the real sandbox, and the statistics of the report.

``make test`` tries a channel in a third of its games, ``make test-deep`` in all of them, which is
what the manual's figures rest on. The short sample would still notice, with a probability of 99%
at least, a channel through which half of what was tried gets through: 8 of 16 bits a game at one
bit a turn, 32 of 64 where all are sent at once. A channel of 64 bits that is tried in 20 games is
noticed if 13 of them get through. Every test says so of the sample that it took.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import exp, fsum, lgamma, log, log2
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import floats, lists

from grader.hostile.channels import (
    CONFIDENCE,
    Between,
    Channel,
    Leak,
    Promise,
    capacity,
    interval,
    measure,
    most_bits,
    read_channels,
    report,
    secret_of,
)
from grader.hostile.hostile_programs import SuiteError
from grader.play import slot
from sandbox.container import open_container
from sandbox.plain import open_plain
from tests.support.depth import DEEP, deeper
from tests.support.slots import own_core
from tests.support.warm_sandboxes import WarmSandboxes

CHANNELS = read_channels(Path(__file__).parent)
KEPT = [channel for channel in CHANNELS if channel.promise is Promise.CHANCE]
NOTICED = {"response_time", "contention", "time_between_games"}
"""Channels that no isolation closes, and that are wide enough to be seen in every run."""
BITING = [channel for channel in CHANNELS if channel.bites and channel.name not in NOTICED]
"""Those that are noticed work in the sandbox, and need not be shown to work without."""
SHARED_WITH_THE_HOST = {
    "cache_statistics", "clocks_of_others", "contention", "dentry_time",
    "dentry_time_between_batches", "dentry_time_between_games", "file_system_space", "free_memory",
    "host_ticks", "load_average", "memory_between_batches", "memory_between_games", "pipe_inodes",
    "pressure", "proc_inodes", "process_numbers", "response_time", "system_information",
    "time_between_games",
}  # fmt: skip
"""Whatever else runs on this machine would drown these: they are tried when nothing else does."""


def each(channels: Iterable[Channel]) -> list[Any]:
    """These channels as parameters of a test."""
    return [
        pytest.param(
            channel,
            id=channel.name,
            marks=[pytest.mark.alone] if channel.name in SHARED_WITH_THE_HOST else [],
        )
        for channel in channels
    ]


@pytest.fixture
def shared_sandboxes(
    channel: Channel, warm_sandboxes: WarmSandboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sandboxes, one for each seat, in which other channels were tried before.

    Each game has its own processes, and a secret that no other program knows. A channel between
    batches opens new sandboxes: its cache closes those that are too old. So do all channels for
    ``make test-deep``.
    """
    if DEEP or channel.between is Between.BATCHES:
        monkeypatch.setattr(slot, "open_container", open_container)
        monkeypatch.setattr(slot, "open_plain", open_plain)


def measured(channel: Channel, *, sandboxed: bool = True, share: int = deeper(3, deep=1)) -> Leak:
    """What comes through in a ``share``-th of the channel's games."""
    games = max(4, channel.games // share)
    return measure(
        replace(channel, games=games),
        channels=len(CHANNELS),
        core=own_core(),
        sandboxed=sandboxed,
    )


def power(bits: int, *, share: float) -> float:
    """Return the probability that two measurements in a row see more than chance in ``bits`` bits.

    ``share`` is how many of them arrive right: if half get through and half are guessed, 3/4.
    """
    confidence = 1 - (1 - CONFIDENCE) / len(CHANNELS)
    enough = (right for right in range(bits + 1) if interval(right, bits, confidence)[0] > 0.5)
    fewest = next(enough, bits + 1)
    return fsum(binomial(right, bits, share) for right in range(fewest, bits + 1)) ** 2


def binomial(right: int, bits: int, share: float) -> float:
    """How probable it is that exactly so many of the bits arrive right."""
    orders = lgamma(bits + 1) - lgamma(right + 1) - lgamma(bits - right + 1)
    return exp(orders + right * log(share) + (bits - right) * log(1 - share))


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine", "shared_sandboxes")
@pytest.mark.parametrize("channel", each(KEPT))
def test_nothing_gets_from_one_seat_to_the_other(
    channel: Channel, record_property: Callable[[str, object], None]
) -> None:
    leak = measured(channel)
    if not leak.is_chance:  # of a hundred reports one is unlucky; a leak leaks again
        leak = measured(channel)
    (line,) = report([leak])
    record_property("channel", line)
    assert leak.is_chance, line
    assert power(leak.bits, share=0.75) > 0.99, f"too small a sample: {line}"


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine", "shared_sandboxes")
@pytest.mark.parametrize(
    "channel", each(channel for channel in CHANNELS if channel.name in NOTICED)
)
def test_known_leaks_are_measured(
    channel: Channel, record_property: Callable[[str, object], None]
) -> None:
    leak = measured(channel)
    if leak.is_chance:  # whatever else the host does may drown a small sample
        leak = measured(channel, share=1)
    (line,) = report([leak])
    record_property("channel", line)
    assert channel.promise is Promise.RESIDUAL
    assert not leak.is_chance, line


@pytest.mark.slow
@pytest.mark.usefixtures("shared_sandboxes")
@pytest.mark.parametrize("channel", each(BITING))
def test_without_a_sandbox_the_channel_works(channel: Channel) -> None:
    for share in (12, 3, 1):  # a few games show what works well; whatever else runs may drown it
        leak = measured(channel, sandboxed=False, share=share)
        if not leak.is_chance:
            return
    pytest.fail(next(report([leak])))


def test_the_short_sample_has_its_stated_power() -> None:
    assert power(10 * 16, share=0.75) > 0.99
    assert power(4 * 64, share=0.75) > 0.99
    assert power(20 * 64, share=0.6) > 0.99
    assert power(20 * 64, share=0.5) < 0.001


def test_noisy_and_leaking_channels_are_among_the_channels() -> None:
    assert {channel.name for channel in CHANNELS} >= SHARED_WITH_THE_HOST | NOTICED
    assert {channel.name for channel in CHANNELS if channel.promise is Promise.RESIDUAL} >= NOTICED


def test_there_are_channels_between_seats_games_and_batches() -> None:
    assert {channel.between for channel in KEPT} == set(Between)


def test_the_secret_is_a_function_of_the_receivers_hand() -> None:
    assert secret_of("00" * 32) != secret_of("01" * 32)
    assert len(secret_of("00" * 32)) == 64


def test_capacity_and_interval_are_those_of_shannon_and_wilson() -> None:
    assert capacity(0.5) == 0
    assert capacity(1.0) == capacity(0.0) == 1
    assert capacity(0.75) == pytest.approx(0.75 * log2(3) - 1)
    assert capacity(0.9) == pytest.approx(capacity(0.1))
    assert most_bits(0.1, 0.2) == pytest.approx(most_bits(0.8, 0.9))
    low, high = interval(15, 50, 0.95)
    assert (low, high) == pytest.approx((0.191, 0.438), abs=0.001)  # Newcombe 1998's method 3
    assert interval(0, 10, 0.95)[0] == 0
    assert interval(10, 10, 0.95)[1] == 1


def test_the_bound_covers_one_perfect_bit_of_64_and_a_few_perfect_games() -> None:
    right = 60 * 63 // 2 + 60
    low, high = interval(right, 60 * 64, 0.99)
    assert 64 * most_bits(low, high) >= 1
    assert 64 * capacity(high) < 1, "which is no bound, then"
    perfect, games = 6, 60
    low, high = interval(perfect * 64 + (games - perfect) * 32, games * 64, 0.99)
    assert 64 * most_bits(low, high) >= 64 * perfect / games


@given(shares=lists(floats(0.5, 1), min_size=1, max_size=64))
def test_no_mixture_carries_more_than_the_bound_on_its_mean(shares: list[float]) -> None:
    mean = fsum(shares) / len(shares)
    carried = fsum(map(capacity, shares))
    assert carried <= len(shares) * most_bits(mean, mean) + 1e-9


def test_a_leak_of_a_kept_channel_fails_and_one_of_a_residual_channel_does_not() -> None:
    assert not leak(Promise.CHANCE, right=620).kept
    assert leak(Promise.RESIDUAL, right=620).kept
    assert leak(Promise.CHANCE, right=330).kept


def leak(promise: Promise, *, right: int) -> Leak:
    low, high = interval(right, 640, 0.99)
    return Leak(
        channel="any",
        between=Between.SEATS,
        promise=promise,
        games=10,
        bits=640,
        right=right,
        low=low,
        high=high,
        bits_a_game=0.0,
        bits_a_game_at_most=0.0,
    )


def test_a_folder_without_channels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="holds no channels"):
        read_channels(tmp_path)
