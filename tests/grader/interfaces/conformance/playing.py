"""Plays the agents of one strategy, a batch a core: two cores work at the same time."""

import multiprocessing
import os
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any, Final

from grader.archive import SourceFile, Sources
from grader.deals import PRACTICE_SECRET
from grader.evaluation import EvaluationSpec, batch_request
from grader.games import game_from_options
from grader.records import AgentLimits, AgentRef, Mode, Record
from grader.replay import game_of
from grader.runner import Slot, open_batch

AGENTS: Final = Path(__file__).parent / "agents"
INTERFACE_OF: Final[Mapping[str, str]] = {
    "python": "python",
    "uwa_java": "uwa-java",
    "gcc_cpp": "gcc-cpp",
    "ensta_python": "ensta-python",
    "cs221_python": "cs221-python",
    "cs221_python_2": "cs221-python",
}
"""Each agent of the strategy, by its folder, and what it is written against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Games of these agents, the first deals of the practice secret."""

    agents: tuple[str, ...]
    """One for each seat, or one for all of them."""
    variant: str
    players: int = 2
    games: int = 200
    mode: Mode | None = None


class Cores:
    """Plays on two cores; what was played once is not played again."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        cores, free = sorted(os.sched_getaffinity(0))[:2], context.Queue()
        for core in cores:
            free.put(core)
        self._pool = ProcessPoolExecutor(
            len(cores), mp_context=context, initializer=_take_core, initargs=(free,)
        )
        self._played: dict[Play, Future[list[Record]]] = {}

    def ask(self, play: Play) -> None:
        """Have it played when a core is free."""
        if play not in self._played:
            self._played[play] = self._pool.submit(records, play)

    def records(self, play: Play) -> list[Record]:
        """What was played, once it is."""
        self.ask(play)
        return self._played[play].result()

    def close(self) -> None:
        """Play nothing more."""
        self._pool.shutdown(cancel_futures=True)


def _take_core(free: "Queue[int]") -> None:
    """Stay on a core that no other process has, as a grader's worker does."""
    os.sched_setaffinity(0, {free.get()})


def records(play: Play) -> list[Record]:
    """Play it here, on the core that this process is bound to, in real sandboxes."""
    names = sorted(set(play.agents))
    options = game_from_options("hanabi", {"variant": play.variant, "players": play.players})
    seats = play.agents if len(play.agents) > 1 else play.agents * play.players
    spec = EvaluationSpec(
        game="hanabi",
        options=dict(options.options),
        limits=AgentLimits(),
        seating=tuple(names.index(name) for name in seats),
        n_games=play.games,
        max_consecutive_faults=1,
        mode=play.mode,
    )
    request = batch_request(
        spec,
        evaluation="conformance",
        batch="conformance",
        agents=[AgentRef(interface=INTERFACE_OF[name], sha256="0" * 64) for name in names],
        secret=PRACTICE_SECRET,
        indices=range(play.games),
    )
    (core,) = os.sched_getaffinity(0)
    with open_batch(request, [archive(name) for name in names], Slot(core=core)) as batch:
        assert batch.playable, batch.builds
        results = list(batch.games())
    for result in results:
        assert result.record.fault is None, (result.record.fault, result.evidence)
    return [result.record for result in results]


def archive(agent: str) -> bytes:
    """An agent as it is submitted."""
    files = [path for path in (AGENTS / agent).iterdir() if path.is_file()]
    sources = [SourceFile(path.name, path.read_bytes()) for path in sorted(files)]
    return Sources(tuple(sources)).archive()


def meant(record: Record) -> list[str]:
    """A game's actions with cards for positions: those are counted in other ways, and lie so."""
    game = game_of(record)
    state, words = game.deal(bytes.fromhex(record.deal_seed)), []
    for notation in record.actions.split():
        action: dict[str, Any] = dict(game.parse(notation))
        if "card" in action:
            seat = state.seat_to_act
            assert seat is not None
            action["card"] = state.observe(seat)["hands"][seat]["ids"][action["card"]]
        words.append(" ".join(map(str, action.values())))
        state.apply(game.parse(notation))
    return words
