"""Games that are played twice: which, how often and when. The second play reveals nothing.

Nothing here needs a sandbox: none keeps an agent from looking at a clock.
"""

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from grader.core.games import game_from_options
from grader.core.records import AgentLimits, BatchRequest, FaultKind, GameRequest, GameResult
from grader.play import batch
from grader.play.batch import open_batch
from grader.play.second_plays import MAX_SECOND_PLAYS, SecondPlays
from grader.play.slot import Slot
from tests.support.agents import STEADY, agent, packed, request_for
from tests.support.slots import UNCONFINED, own_core

pytestmark = pytest.mark.slow

LIMITS = AgentLimits(turn_seconds=0.1, turn_wall_seconds=3.0)
SLEEPS = agent("if observation.turn == 0: time.sleep(0.13)")
COMPUTES = agent(
    "if observation.turn == 0:\n"
    "    until = time.process_time() + 0.13\n"
    "    while time.process_time() < until: pass"
)
OPTIONS = {"variant": "standard", "players": 2}
AT_ONCE = replace(UNCONFINED, core=own_core())


@pytest.fixture
def stealing_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hypervisor that is to blame for every timeout: all time is stolen."""
    monkeypatch.setattr("sandbox.clock.stolen_ns", lambda _: time.perf_counter_ns())


def play(request: BatchRequest, source: str, slot: Slot = AT_ONCE) -> list[GameResult]:
    with open_batch(request, [packed(source)], slot) as opened:
        return list(opened.games())


def ends(results: Sequence[GameResult]) -> list[FaultKind | None]:
    return [result.record.fault and result.record.fault.kind for result in results]


def twice(results: Sequence[GameResult]) -> list[int]:
    return [result.index for result in results if result.other_attempt is not None]


@pytest.mark.parametrize("source", [SLEEPS, COMPUTES], ids=["sleeps", "computes"])
def test_a_timeout_stands_where_the_host_lost_no_time(source: str) -> None:
    results = play(request_for(range(2), limits=LIMITS), source)
    assert ends(results) == [FaultKind.TIMEOUT] * 2
    assert twice(results) == []


@pytest.mark.usefixtures("stealing_host")
def test_after_a_disturbance_by_the_host_the_game_is_played_again_and_both_plays_are_kept() -> None:
    (result,) = play(request_for([0], limits=LIMITS), SLEEPS)
    assert ends([result]) == [FaultKind.TIMEOUT]
    assert result.other_attempt is not None
    assert result.other_attempt.fault is not None
    assert result.other_attempt.fault.kind is FaultKind.TIMEOUT


@pytest.mark.usefixtures("stealing_host")
def test_a_batch_plays_few_games_twice_and_does_so_last() -> None:
    results = play(request_for(range(6), limits=LIMITS), SLEEPS)
    assert ends(results) == [FaultKind.TIMEOUT] * 6
    assert [result.index for result in results[:-MAX_SECOND_PLAYS]] == [3, 4, 5]
    assert sorted(twice(results)) == [0, 1, 2]
    assert {result.index for result in results[-MAX_SECOND_PLAYS:]} == {0, 1, 2}


ONCE = """
mark = pathlib.Path({directory!r}, str(self.context.seed))
if observation.turn == {turn} and not mark.exists():
    mark.touch()
    time.sleep(0.13)
"""
"""Times out in the first play of a deal: only an unconfined agent knows that it is the first."""


@pytest.mark.usefixtures("stealing_host")
def test_a_timeout_that_is_not_confirmed_does_not_count_and_is_kept(tmp_path: Path) -> None:
    source = agent(ONCE.format(directory=str(tmp_path), turn=0), top="import pathlib")
    (result,) = play(request_for([0], limits=LIMITS), source)
    assert result.record.fault is None
    assert result.other_attempt is not None
    assert result.other_attempt.fault is not None


@pytest.mark.usefixtures("stealing_host")
def test_a_second_play_that_takes_another_course_does_not_replace_the_first(
    tmp_path: Path,
) -> None:
    other = (
        f"if observation.turn == 0 and any(pathlib.Path({str(tmp_path)!r}).iterdir()):\n"
        "    return observation.legal_actions[0]\n"
        "if observation.turn == 0: return observation.legal_actions[1]\n"
    )
    source = agent(other + ONCE.format(directory=str(tmp_path), turn=2), top="import pathlib")
    (result,) = play(request_for([0], limits=LIMITS), source)
    assert result.record.fault is not None
    assert result.other_attempt is not None
    assert result.other_attempt.fault is None


ALL_IT_SEES = """
known = {{
    "told": (repr(self.context), repr(observation)),
    "process": (sys.argv, sorted(os.environ.items()), os.getcwd(), sorted(os.listdir("."))),
    "descriptors": sorted(os.listdir("/proc/self/fd")),
    "modules": sorted(sys.modules), "threads": threading.active_count(),
    "random": random.random(),
}}
with open({file!r}, "a") as file:
    print(json.dumps(known), file=file)
time.sleep(0.13)
"""


@pytest.mark.usefixtures("stealing_host")
def test_a_process_sees_nothing_by_which_a_second_play_differs(tmp_path: Path) -> None:
    file = tmp_path / "seen"
    source = agent(
        ALL_IT_SEES.format(file=str(file)), top="import json, os, random, sys, threading"
    )
    (result,) = play(request_for([0], limits=LIMITS), source)
    assert result.other_attempt is not None
    first, second = map(json.loads, file.read_text().splitlines())
    assert first == second


@pytest.mark.usefixtures("stealing_host")
def test_a_streak_of_faults_that_second_plays_break_stops_nothing(tmp_path: Path) -> None:
    source = agent(ONCE.format(directory=str(tmp_path), turn=0), top="import pathlib")
    request = request_for(range(4), limits=LIMITS, max_consecutive_faults=MAX_SECOND_PLAYS)
    with open_batch(request, [packed(source)], AT_ONCE) as opened:
        results = list(opened.games())
        assert not opened.stopped
    assert sorted(result.index for result in results) == [0, 1, 2, 3]
    assert [result.index for result in results if result.record.fault] == [3]


@pytest.mark.usefixtures("stealing_host")
def test_a_streak_of_faults_that_second_plays_confirm_stops_the_batch() -> None:
    request = request_for(range(9), limits=LIMITS, max_consecutive_faults=4)
    with open_batch(request, [packed(SLEEPS)], AT_ONCE) as opened:
        results = list(opened.games())
        assert opened.stopped
    assert sorted(result.index for result in results) == [0, 1, 2, 3]


BITS = 4
SLOT_SECONDS = 0.04
HALF = SLOT_SECONDS * 2**BITS
NOTES = f"""
import hashlib, time
from firebox import Agent


class Notes(Agent):
    def start(self, context):
        self.began = time.time() % {2 * HALF}

    def act(self, observation):
        if observation.seat == 1:
            print("bits", int((self.began - {HALF}) % {2 * HALF} / {SLOT_SECONDS}))
            raise ValueError("told")
        if self.began < {HALF}:
            hand = " ".join(str(card) for card in observation.hands[1].cards)
            bits = hashlib.sha256(hand.encode()).digest()[0] % {2**BITS}
            late = time.time() % {2 * HALF} - {HALF} - (bits + 0.2) * {SLOT_SECONDS}
            time.sleep(max(0, -late))
        return observation.legal_actions[0]
"""
"""A note in the wall clock. Seat 0 sees its partner's hand. A game that begins in the first half of
a period it lets time out, in the second half as late as that hand's bits say. Whoever plays a game
that begins in a second half reads the clock there."""


def bits_told(results: Sequence[GameResult]) -> list[tuple[int, int]]:
    """The bits that were sent, and those that a second play read."""
    told = []
    for result in results:
        fault = result.record.fault
        if result.other_attempt is None or fault is None or fault.kind is not FaultKind.CRASH:
            continue
        hand = game_from_options("hanabi", OPTIONS).deal(bytes.fromhex(result.record.deal_seed))
        cards = " ".join(hand.observe(0)["hands"][1]["cards"])
        assert result.evidence is not None
        (said,) = re.findall(r"bits (\d+)", result.evidence.stderr)
        told.append((hashlib.sha256(cards.encode()).digest()[0] % 2**BITS, int(said)))
    return told


def told_until(bits: int, *, games: int, within: float) -> list[tuple[int, int]]:
    """Play batches until enough bits have been read."""
    slot = replace(AT_ONCE, second_play_within_seconds=within)
    limits = AgentLimits(turn_seconds=0.1, turn_wall_seconds=3.0)
    told: list[tuple[int, int]] = []
    for first in range(0, 200 * games, games):
        request = request_for(range(first, first + games), limits=limits)
        told += bits_told(play(request, NOTES, slot))
        if BITS * len(told) >= bits:
            return told
    raise AssertionError(f"only {len(told)} second plays read anything")


def chance_of(told: Sequence[tuple[int, int]]) -> float:
    """The probability of a rank correlation as high as that of bits sent and bits read, by chance.

    Ranks stay what they are, however long a game takes to begin on this host.
    """
    from scipy.stats import spearmanr

    return float(spearmanr(*zip(*told, strict=True), alternative="greater").pvalue)


@pytest.mark.usefixtures("stealing_host")
@pytest.mark.alone
def test_an_immediate_second_play_would_reveal_what_the_partner_saw() -> None:
    told = told_until(64, games=1, within=0.0)
    assert chance_of(told) < 0.01, told


@pytest.mark.usefixtures("stealing_host")
def test_a_slot_says_within_how_many_seconds_a_batch_plays_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(batch, "SecondPlays", partial(SecondPlays, sleep=pauses.append))
    slot = replace(AT_ONCE, second_play_within_seconds=7.0)
    results = play(request_for(range(MAX_SECOND_PLAYS), limits=LIMITS), SLEEPS, slot)
    assert len(twice(results)) == len(set(pauses)) == MAX_SECOND_PLAYS
    assert 0 < min(pauses) <= max(pauses) < 7


@pytest.mark.usefixtures("stealing_host")
@pytest.mark.deep
def test_a_second_play_reveals_no_bit_of_the_partners_hand() -> None:
    told = told_until(200, games=MAX_SECOND_PLAYS, within=2 * HALF)
    assert chance_of(told) > 5e-6, told


def test_second_plays_come_in_random_order_after_random_pauses() -> None:
    from scipy.stats import kstest, uniform

    pauses: list[float] = []
    (first,) = play(request_for([0]), STEADY)
    games = [replace(first, index=index) for index in range(MAX_SECOND_PLAYS)]
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(200):
        plays = SecondPlays(lambda order: games[order.index], 20.0, sleep=pauses.append)
        for game in games:
            order = GameRequest(index=game.index, deal_seed=game.record.deal_seed)
            assert plays.put_off(order, game)
        assert not plays.put_off(order, first)
        orders[tuple(result.index for result in plays.resolve())] += 1
    assert kstest(pauses, uniform(0, 20).cdf).pvalue > 1e-6
    assert len(orders) == 6
    assert min(orders.values()) > 10
