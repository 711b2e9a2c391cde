"""Games of the light agent on all cores at once, one process a core, started together.

Sandboxes are opened and agents built before the clock starts, as between the batches of a long
evaluation; start-up is measured by itself.
"""

import gc
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from grader.core.deals import PRACTICE_SECRET
from grader.core.games import DEFAULT_GAME, game_from_options
from grader.core.records import AgentLimits, AgentRef, BatchRequest
from grader.interfaces import DEFAULT_INTERFACE
from grader.play.games import BatchGames, open_games
from grader.play.slot import Slot
from grader.results.evaluation import EvaluationSpec, batch_request
from grader.uploads.archive import read_upload
from sandbox.clock import ProcessClock

LIGHT: Final = Path(__file__).parent / "agents" / "python" / DEFAULT_GAME / "light" / "agent.py"
"""An agent without thoughts: shows what everything around an agent costs."""
_NOBODY: Final = "0" * 64
_START_SECONDS: Final = 120.0
"""The longest that one process waits for the others."""


def light(comment: str = "") -> bytes:
    """Return the light agent as an upload; a comment makes it another agent."""
    source = f"{LIGHT.read_text(encoding='utf-8')}\n# {comment}\n"
    return read_upload("agent.py", source.encode()).archive()


def request_for(players: int, games: Sequence[int]) -> BatchRequest:
    """Ask for practice deals of standard Hanabi, the same agent at every seat."""
    spec = EvaluationSpec(
        game="hanabi",
        options={"variant": "standard", "players": players},
        limits=AgentLimits(),
        seating=(0,) * players,
        n_games=len(games),
    )
    agents = [AgentRef(interface=DEFAULT_INTERFACE, sha256=_NOBODY)]
    return batch_request(
        spec, evaluation="", batch="", agents=agents, secret=PRACTICE_SECRET, indices=games
    )


def open_light(players: int, slot: Slot) -> AbstractContextManager[BatchGames]:
    """Return games of the light agent at every seat, whose sandboxes are not open yet."""
    request = request_for(players, [0])
    return open_games(game_from_options(request.game, request.options), request, [light()], slot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Games on all cores. ``began`` and ``ended`` are of the monotonic clock."""

    games: int
    began: float
    ended: float
    runner_seconds: float
    """Processor time of referees and runners."""
    others_seconds: float
    """Processor time of the agents' processes and of their supervisors."""

    @property
    def cpu_seconds(self) -> float:
        """Processor time of everything of ours: hardly disturbed by what else the host does."""
        return self.runner_seconds + self.others_seconds

    @property
    def games_per_second(self) -> float:
        return self.games / (self.ended - self.began)


def play(players: int, games: int, cores: Sequence[int], *, sandboxed: bool) -> Played:
    """Play so many games, shared out evenly, on all cores at once."""
    context = get_context("fork")
    together = context.Barrier(len(cores))
    with ProcessPoolExecutor(
        len(cores), mp_context=context, initializer=_share, initargs=(together,)
    ) as slots:
        jobs = [
            slots.submit(_play, players, range(k, games, len(cores)), core, sandboxed=sandboxed)
            for k, core in enumerate(cores)
        ]
        parts = [job.result() for job in jobs]
    return Played(
        games=games,
        began=min(part.began for part in parts),
        ended=max(part.ended for part in parts),
        runner_seconds=sum(part.runner_seconds for part in parts),
        others_seconds=sum(part.others_seconds for part in parts),
    )


_together: Any = None
"""Lets all processes begin at once."""


def _share(together: Any) -> None:
    global _together  # noqa: PLW0603 - a barrier can only be inherited
    _together = together


def _play(players: int, games: Sequence[int], core: int, *, sandboxed: bool) -> Played:
    os.sched_setaffinity(0, {core})
    gc.freeze()
    try:
        return _play_together(players, games, Slot(core=core, sandboxed=sandboxed,
                                                   interpreter=_interpreter()))  # fmt: skip
    except BaseException:
        _together.abort()  # or the other processes would wait for this one
        raise


def _play_together(players: int, games: Sequence[int], slot: Slot) -> Played:
    orders = request_for(players, games).games
    with open_light(players, slot) as opened:
        opened.build()
        clocks = [ProcessClock(each.sandbox.supervisor_pid) for each in opened.pool.sandboxes]
        _together.wait(_START_SECONDS)
        before = _ran(clocks)
        began, cpu = time.monotonic(), time.process_time()
        results = [opened.play(order)[0] for order in orders]
        ended, cpu = time.monotonic(), time.process_time() - cpu
        supervised = _ran(clocks) - before
    faults = [result.record.fault for result in results if result.record.fault is not None]
    if faults:
        raise RuntimeError(f"the light agent had faults: {faults[0]}")
    agents = sum(sum(result.cpu_us) for result in results) / 1e6
    return Played(
        games=len(orders),
        began=began,
        ended=ended,
        runner_seconds=cpu,
        others_seconds=agents + supervised,
    )


def _interpreter() -> str:
    """Return the distribution's Python, which sandboxes have: forked agents run on the same."""
    system = Path("/usr/bin/python3")
    return str(system) if system.exists() else sys.executable


def _ran(clocks: Sequence[ProcessClock]) -> float:
    return sum(clock.read().ran for clock in clocks) / 1e9
