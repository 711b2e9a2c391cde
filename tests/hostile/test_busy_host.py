"""A student's second is the same second on a busy grader: others compete for its core."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from grader.core.records import AgentLimits, GameResult
from grader.hostile import arena
from grader.hostile.hostile_programs import HostileProgram, default_suite
from grader.interfaces.starter_kit import starter_files
from grader.play.batch import open_batch
from grader.worker.cores import bound_to
from sandbox.clock import FamilyClock
from tests.grader.interfaces.gcc_cpp.uploads import request_for
from tests.support import agents
from tests.support.archives import archive
from tests.support.depth import deeper
from tests.support.slots import confined

pytestmark = [pytest.mark.docker, pytest.mark.alone, pytest.mark.usefixtures("busy_core")]

BUSY_PROCESSES = 2
"""With a session each, they weigh two thirds of a container."""
MANY = 10
"""With this many rivals, the runner waits about 30 ms for each move."""
SWAPS_FIRST = agents.agent(
    """
self.moves += 1
if self.moves > 60:
    return observation.legal_actions[0]
""",
    start="self.moves = 0",
)
PLAYER = starter_files("hanabi", interface="gcc-cpp")["Player.h"].decode()
CORE = 0
AGENT = """
import time
from hostile import Hostile, honest

class Thinker(Hostile):
    def act(self, observation):
        self.turns += 1
        if observation.seat == 0 and self.turns in {turns}:
            until = time.process_time() + {seconds}
            while time.process_time() < until:
                pass
        return honest(observation)
"""


@pytest.fixture
def busy_core(docker_engine: object) -> Iterator[None]:
    """Binds this process to one core, as a grader's slot is, and keeps that core busy."""
    with bound_to(CORE), rivals(BUSY_PROCESSES):
        yield


@contextmanager
def rivals(number: int) -> Iterator[None]:
    """Keep this process's cores busy with ``number`` other processes."""
    spin = [sys.executable, "-c", "while True: pass"]
    with ExitStack() as stack:
        for _ in range(number):
            rival = subprocess.Popen(spin, start_new_session=True)  # with a session's weight
            stack.callback(rival.wait)
            stack.callback(rival.kill)
        yield


def play(directory: Path, *, seconds: float, turns: tuple[int, ...]) -> GameResult:
    """One game with an agent in seat 0 that computes for so long on some of its turns."""
    group = directory / "time"
    group.mkdir(exist_ok=True)
    (directory / "hostile.py").write_bytes((default_suite() / "hostile.py").read_bytes())
    path = group / "thinker.py"
    path.write_text(AGENT.format(seconds=seconds, turns=turns), encoding="utf-8")
    hostile_program = HostileProgram(
        path=path,
        sentence="Thinks.",
        verdict="",
        limits=AgentLimits(turn_seconds=1.0, turn_wall_seconds=3.0),
        always_armed=True,
        bites=False,
    )
    (result,) = arena.play(hostile_program, repeats=1, slot=confined()).armed
    charged = result.record.charged_us
    slow = " ".join(f"{us / 1e6:.3f}" for us in charged if us > 100_000)
    print(f"computed {seconds} s on {len(turns)} turns; charged {slow} s; {result.wall_ms:.0f} ms")
    return result


@pytest.mark.parametrize("seconds", deeper([0.95], deep=[0.8, 0.95]))
def test_a_turn_within_the_limit_is_never_a_timeout(tmp_path: Path, seconds: float) -> None:
    turns = deeper((2, 4), deep=(2, 4, 6))
    result = play(tmp_path, seconds=seconds, turns=turns)
    assert result.record.fault is None
    slow = [us / 1e6 for us in result.record.charged_us if us > 500_000]
    # What a hypervisor takes from the whole machine looks like computing, hence the tolerance.
    assert slow == pytest.approx([seconds] * len(turns), abs=0.15)


def test_a_turn_of_many_moves_is_not_charged_for_the_runners_waits() -> None:
    """Agents may swap cards again and again before they move."""
    request = replace(
        agents.request_for([0]),
        options={"variant": "gcc", "players": 2},
        limits=AgentLimits(turn_seconds=0.3, turn_wall_seconds=3.0),
    )
    with rivals(MANY), open_batch(request, [agents.packed(SWAPS_FIRST)], confined()) as batch:
        (result,) = batch.games()
    print(f"{len(result.record.charged_us)} moves in {result.wall_ms:.0f} ms")
    assert result.record.fault is None, result.record.fault


class Watch(FamilyClock):
    """Remembers its last reading, and when that was."""

    def __init__(self, pid: int) -> None:
        super().__init__(pid)
        self.began = time.monotonic()
        watches.append(self)

    def read(self) -> float:
        self.charged = super().read()
        self.wall = time.monotonic() - self.began
        return self.charged


watches: list[Watch] = []


def test_a_compiler_is_not_charged_for_a_busy_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.control.FamilyClock", Watch)
    with open_batch(
        request_for([0]), [archive({"Player.h": PLAYER})], confined(compile_anew=True)
    ) as batch:
        assert batch.builds[0].ok, batch.builds[0].messages
    watch = watches.pop()
    print(f"compiled in {watch.wall:.1f} s, charged {watch.charged:.1f} s")
    assert watch.charged < 0.8 * watch.wall


def test_a_turn_beyond_the_limit_is_always_a_timeout(tmp_path: Path) -> None:
    for turn in deeper((2,), deep=(2, 3)):
        result = play(tmp_path, seconds=1.3, turns=(turn,))
        assert arena.verdict(result.record) == "timeout"
