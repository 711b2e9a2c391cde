"""Whether two seats can talk: each channel in the real sandbox; the statistics of the report."""

from collections.abc import Callable
from math import fsum, log2
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import floats, lists

from grader.hostile.channels import (
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
from grader.hostile.specimens import SuiteError

CHANNELS = read_channels(Path(__file__).parent)
KEPT = [channel for channel in CHANNELS if channel.promise is Promise.CHANCE]
BITING = [channel for channel in CHANNELS if channel.bites]
NOTICED = {"response_time", "contention", "time_between_games"}
"""Channels that no isolation closes, and that are wide enough to be seen in every run."""


def named(channel: Channel) -> str:
    return channel.name


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize("channel", KEPT, ids=named)
def test_nothing_gets_from_one_seat_to_the_other(
    channel: Channel, docker_engine: object, record_property: Callable[[str, object], None]
) -> None:
    leak = measure(channel, channels=len(CHANNELS))
    if not leak.is_chance:  # of a hundred reports one is unlucky; a leak leaks again
        leak = measure(channel, channels=len(CHANNELS))
    (line,) = report([leak])
    record_property("channel", line)
    assert leak.is_chance, line


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize(
    "channel", [channel for channel in CHANNELS if channel.name in NOTICED], ids=named
)
def test_what_is_known_to_leak_is_seen_to_leak(
    channel: Channel, docker_engine: object, record_property: Callable[[str, object], None]
) -> None:
    leak = measure(channel, channels=len(CHANNELS))
    (line,) = report([leak])
    record_property("channel", line)
    assert channel.promise is Promise.RESIDUAL
    assert not leak.is_chance, line


@pytest.mark.slow
@pytest.mark.parametrize("channel", BITING, ids=named)
def test_without_a_sandbox_the_channel_works(channel: Channel) -> None:
    leak = measure(channel, channels=len(CHANNELS), sandboxed=False)
    assert not leak.is_chance, next(report([leak]))


def test_there_are_channels_between_seats_games_and_batches() -> None:
    assert {channel.between for channel in KEPT} == set(Between)


def test_the_secret_is_a_function_of_the_receivers_hand() -> None:
    assert secret_of("00" * 32) != secret_of("01" * 32)
    assert len(secret_of("00" * 32)) == 64


def test_a_share_and_its_complement_carry_the_same() -> None:
    assert capacity(0.5) == 0
    assert capacity(1.0) == capacity(0.0) == 1
    assert capacity(0.75) == pytest.approx(0.75 * log2(3) - 1)
    assert capacity(0.9) == pytest.approx(capacity(0.1))


def test_one_perfect_bit_of_64_is_within_the_bound() -> None:
    right = 60 * 63 // 2 + 60
    low, high = interval(right, 60 * 64, 0.99)
    assert 64 * most_bits(low, high) >= 1
    assert 64 * capacity(high) < 1, "which is no bound, then"


def test_some_perfect_games_are_within_the_bound() -> None:
    perfect, games = 6, 60
    low, high = interval(perfect * 64 + (games - perfect) * 32, games * 64, 0.99)
    assert 64 * most_bits(low, high) >= 64 * perfect / games


@given(shares=lists(floats(0.5, 1), min_size=1, max_size=64))
def test_no_mixture_carries_more_than_the_bound_on_its_mean(shares: list[float]) -> None:
    mean = fsum(shares) / len(shares)
    carried = fsum(map(capacity, shares))
    assert carried <= len(shares) * most_bits(mean, mean) + 1e-9


def test_bits_that_arrive_the_wrong_way_round_count_as_much() -> None:
    assert most_bits(0.1, 0.2) == pytest.approx(most_bits(0.8, 0.9))


def test_the_interval_is_wilsons() -> None:
    low, high = interval(15, 50, 0.95)
    assert (low, high) == pytest.approx((0.191, 0.438), abs=0.001)  # Newcombe 1998's method 3
    assert interval(0, 10, 0.95)[0] == 0
    assert interval(10, 10, 0.95)[1] == 1


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
